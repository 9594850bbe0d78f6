import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { efficiencyArchitectures, efficiencyFor } from '../../src/roofline/efficiency-table.ts';
import type { Efficiency } from '../../src/roofline/efficiency.ts';
import { gemmClasses } from '../../src/roofline/efficiency.ts';
import { kernelLibraries } from '../../src/roofline/efficiency/build.ts';

/** Every block of an efficiency that is a smooth roofline. */
const rooflines = (efficiency: Efficiency) => [
  ...gemmClasses.flatMap((name) => [efficiency.gemm[name], efficiency.experts[name]]),
  efficiency.prefillAttention,
  efficiency.decodeAttention,
  efficiency.latentPrefill,
  efficiency.latentDecode,
];

const everyTable = [...efficiencyArchitectures, 'an architecture nobody built'].flatMap((architecture) =>
  [...kernelLibraries, 'some other engine'].map((kernels) => ({ architecture, kernels })),
);

describe('constants of every family and library', () => {
  it.each(everyTable)('$architecture with $kernels: shares in (0, 1], floors >= 0, sharpness > 0, sources', (key) => {
    const efficiency = efficiencyFor(key.architecture, key.kernels);
    for (const { compute, memory, floor, sharpness } of rooflines(efficiency)) {
      expect(Math.min(compute, memory)).toBeGreaterThan(0);
      expect(Math.max(compute, memory)).toBeLessThanOrEqual(1);
      expect(floor).toBeGreaterThanOrEqual(0);
      expect(floor).toBeLessThan(2e-3);
      expect(sharpness).toBeGreaterThan(0);
    }
    const { collective, elementWise } = efficiency;
    for (const share of [collective.bandwidth, collective.hostBandwidth, elementWise.memory]) {
      expect(share).toBeGreaterThan(0);
      expect(share).toBeLessThanOrEqual(1);
    }
    for (const floor of [collective.floor, collective.hostFloor, elementWise.floor]) {
      expect(floor).toBeGreaterThanOrEqual(0);
      expect(floor).toBeLessThan(1e-3);
    }
    expect(collective.sharpness).toBeGreaterThan(0);
    for (const name of gemmClasses) {
      expect(efficiency.gemm[name].quantisationPasses).toBeGreaterThanOrEqual(0);
      expect(efficiency.experts[name].activationPasses).toBeGreaterThanOrEqual(0);
    }
    for (const attention of [efficiency.prefillAttention, efficiency.latentPrefill]) {
      expect(attention.halfLength).toBeGreaterThanOrEqual(0);
    }
    for (const attention of [efficiency.decodeAttention, efficiency.latentDecode]) {
      expect(attention.contextOffset).toBeGreaterThanOrEqual(0);
      expect(attention.sharpness).toBeGreaterThanOrEqual(3);
    }
    expect(efficiency.sources.length).toBeGreaterThan(0);
    expect(Object.isFrozen(efficiency)).toBe(true);
  });

  it('never makes an operator faster than the textbook roofline', () => {
    const seconds = fc.double({ min: 1e-9, max: 10, noNaN: true });
    fc.assert(
      fc.property(fc.constantFrom(...everyTable), seconds, seconds, (key, compute, memory) => {
        for (const block of rooflines(efficiencyFor(key.architecture, key.kernels))) {
          const q = block.sharpness;
          const typical = ((compute / block.compute) ** q + (memory / block.memory) ** q) ** (1 / q) + block.floor;
          expect(typical).toBeGreaterThanOrEqual(Math.max(compute, memory) * (1 - 1e-12));
        }
      }),
    );
  });
});

describe('which constants are meant', () => {
  const families =
    'volta turing pascal ampere ampere-graphics hopper ada blackwell blackwell-graphics cdna1 cdna2 cdna3 cdna4 ' +
    'rdna1 rdna3 rdna3.5 rdna4 gaudi2 gaudi3 xe tpu neuron apple apple-tensor qualcomm-ai100 ascend groq ' +
    'tenstorrent cpu-amx cpu npu';

  it.each(families.split(' '))('%s is listed', (architecture) => {
    expect(efficiencyArchitectures).toContain(architecture);
  });

  it('says whether a family was measured, borrowed or assumed', () => {
    expect(efficiencyFor('hopper', 'vllm').evidence).toBe('measured');
    expect(efficiencyFor('ampere-graphics', 'vllm').evidence).toBe('similar');
    expect(efficiencyFor('cdna3', 'vllm').evidence).toBe('assumed');
    expect(efficiencyFor('an architecture nobody built', 'vllm').evidence).toBe('assumed');
  });

  it('tells libraries apart where they were measured apart', () => {
    expect(efficiencyFor('hopper', 'trt-llm').prefillAttention).not.toEqual(
      efficiencyFor('hopper', 'vllm').prefillAttention,
    );
    expect(efficiencyFor('hopper', 'some other engine')).toBe(efficiencyFor('hopper', 'vllm'));
    expect(efficiencyFor('hopper', 'none')).toBe(efficiencyFor('ada', 'none'));
    expect(efficiencyFor('Hopper', 'vLLM')).toBe(efficiencyFor('hopper', 'vllm'));
    expect(efficiencyFor('apple', 'mlx')).not.toEqual(efficiencyFor('apple', 'llama.cpp'));
  });

  it('knows builds before every grouping of query heads had a kernel, where there were such builds', () => {
    expect(efficiencyFor('hopper', 'trt-llm-masked').headByHead?.grouped?.except).toEqual([]);
    expect(efficiencyFor('ada', 'trt-llm-xqa8').headByHead?.grouped?.except).toEqual([8]);
    expect(efficiencyFor('hopper', 'trt-llm').headByHead).toBeUndefined();
    expect(efficiencyFor('blackwell', 'trt-llm-xqa8')).toBe(efficiencyFor('blackwell', 'trt-llm'));
    expect(efficiencyFor('blackwell', 'llama.cpp-fused')).toBe(efficiencyFor('blackwell', 'llama.cpp'));
  });

  it('is not misled by names of object members', () => {
    expect(efficiencyFor('constructor', '__proto__').evidence).toBe('assumed');
    expect(efficiencyFor('hopper', 'constructor')).toBe(efficiencyFor('hopper', 'vllm'));
  });
});
