import { describe, expect, it } from 'vitest';
import { computedSixteenBit } from '../../src/profile/lint/device-rates.ts';
import { lintHardware } from '../../src/profile/lint/lint-hardware.ts';
import { device, shippedFiles, shippedHardware } from './shipped-hardware.ts';

/** Devices as public benchmarks name them. */
const benchmarkNames = (
  'h100-sxm5-80gb h200-sxm-141gb a100-sxm4-80gb b200-sxm strix-halo-395-8060s rtx-3090 l40s h100-nvl-94gb gh200 l40 ' +
  'mi300x a100-sxm4-40gb b300-sxm radeon-ai-pro-r9700 rtx-4090 gb200 apple-m2-ultra-76c gaudi2 mi250 rtx-a6000 ' +
  'dgx-spark-gb10 ryzen-7950x mi355x apple-m5-10c rtx-3090-ti a100-pcie-80gb h20 mi325x gh200-96gb ascend-910b gb300 ' +
  'apple-m2-max-30c inf2 gb10-cpu-10xcortex-x925 rtx-pro-6000-blackwell-server rtx-4080 trn1 gaudi3 apple-m1-7c ' +
  'rtx-4000-ada ryzen-threadripper-pro-5975wx h100-pcie-80gb tpu-v6e apple-m4-max rtx-6000-ada trn2 h200-nvl-141gb ' +
  'apple-m3-ultra-60c rtx-5000-ada a40 wormhole-n150 rk3576 tpu-v5e apple-m3-max-40c 2x-xeon-gold-6138 rx-9070-xt ' +
  'tpu-v7x atlas-a3 rtx-5090 a10g apple-m1-max-32c xeon-spr-48c apple-m5-max-40c rtx-4070 wormhole-n300 ' +
  'apple-m4-max-40c rtx-3060-12gb tpu-v4 mi350x wormhole-quietbox a100-80gb-pcie-connected h800 jetson-agx-orin ' +
  'rk3588 ryzen-7-7840hs h20-3e-141gb v100-sxm2-32gb arc-pro-b60 apple-m2-max-38c rv1126b rtx-5080 gb10-dgx-spark a10 ' +
  'tesla-p40 rtx-2080-ti rx-7900-xtx apple-m1-max xeon-e5-2683-v4 wormhole-galaxy blackhole-p150 rtx-3070 rtx-3080-ti ' +
  'rtx-3080-10gb rtx-4070-ti a100 mi50-mi60 mi100 arc-b580 apple-m1-pro-14c apple-m3-pro-18c rk3562 apple-m4 apple-m2 ' +
  'apple-m2-pro h100 b200 apple-m1-ultra-64c rx-5700-xt a30 blackhole-p100 apple-m4-10c apple-m3-pro mi250x-1gcd'
).split(' ');

describe('shipped hardware profiles', () => {
  it('are many, named as their files', () => {
    expect(shippedHardware.length).toBeGreaterThanOrEqual(145);
    expect(shippedHardware.map(({ name }) => name)).toEqual([...shippedFiles.keys()]);
  });

  it('share no name or alias', () => {
    const names = shippedHardware.flatMap(({ name, aliases }) => [name, ...aliases]);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('answer to the names that benchmarks use', () => {
    const names = new Set(shippedHardware.flatMap(({ name, aliases }) => [name, ...aliases]));
    expect(benchmarkNames.filter((name) => !names.has(name))).toEqual([]);
  });

  it.each([...shippedFiles])('%s lints clean', (name, json) => {
    expect(lintHardware(json, name, shippedHardware)).toEqual([]);
  });

  it('cite at least one source that was opened, or say that confidence is low', () => {
    const rest = shippedHardware.filter(({ sources }) => sources.every(({ note }) => note?.startsWith('not opened')));
    expect(rest.map(({ confidence }) => confidence)).toEqual(rest.map(() => 'low'));
  });
});

// Other tables print other figures for these: each was read in the file and commit named.
describe('dense figures that tables in circulation miss', () => {
  const within = (value: number | undefined, expected: number): void => {
    expect(Math.abs((value ?? 0) / expected - 1)).toBeLessThan(0.02);
  };

  it('L40S FP8 is 733, not 1466 (inference-sim hardware_config.json, f90a1e3: sparse)', () => {
    within(device('l40s').matrix.fp8, 733e12);
  });

  it('GH200 BF16 is 990, not 1979 (GenZ system_configs.py, 091bdd0: FP8 or sparse in a BF16 table)', () => {
    within(device('gh200-96gb').matrix.bf16, 990e12);
  });

  it('GB200 BF16 is 2500 and B200 2250, not 4500 (GenZ, 091bdd0: sparse, and the number of B200)', () => {
    within(device('gb200').matrix.bf16, 2500e12);
    within(device('b200-sxm').matrix.bf16, 2250e12);
  });

  it('A100 FP16 is 312, not 369.6 (LLMCompass configs/GA100.json, 2e015fd: the full die of 128 SMs)', () => {
    within(device('a100-sxm4-80gb').matrix.fp16, 312e12);
    expect(device('a100-sxm4-80gb').units.count).toBe(108);
  });

  it('MI210 FP16 is 181, not 298.2 (LLMCompass configs/mi210.json, 2e015fd: twice the rate per CU)', () => {
    within(device('mi210').matrix.fp16, 181e12);
  });

  it('GB200 bandwidth is 8 TB/s, not 13.4 (InferSim hardware/gpu.py, f2293da: the capacity of the rack in TB)', () => {
    within(device('gb200').memory.bandwidth, 8e12);
  });

  it('B200 PCIe is 63 GB/s per direction, not 128 (aiconfigurator b200_sxm.yaml, 095f58a: both directions)', () => {
    within(device('b200-sxm').host.bandwidth, 63e9);
  });

  it('TPU v4 ICI is 270 GB/s per direction, not 24 (GenZ, 091bdd0)', () => {
    within(device('tpu-v4').link.bandwidth, 270e9);
  });

  it('H100 SXM bandwidth is 3.35 TB/s, not 3.072 (LLM-Viewer hardware_params.py, 472f71f: an early clock)', () => {
    within(device('h100-sxm5-80gb').memory.bandwidth, 3.35e12);
  });

  it('PCIe cards have a bridge of two, not a switch (llm-analysis gpu_configs, d841e40: 300 GB/s to all peers)', () => {
    for (const name of ['a100-pcie-80gb', 'h100-pcie-80gb']) {
      expect(device(name).link).toMatchObject({ topology: 'bridge', bandwidth: 300e9, domain: 2 });
    }
  });

  it('networks are 25 and 50 GB/s, not 200 and 400 (llm-analysis, d841e40: Gb/s written as GB/s)', () => {
    within(device('a100-sxm4-80gb').network?.bandwidth, 25e9);
    within(device('h100-sxm5-80gb').network?.bandwidth, 50e9);
  });

  it('CDNA2 runs INT8 at the FP16 rate, not twice it (llm-analysis, d841e40: 362, 724, 766)', () => {
    within(device('mi210').matrix.int8, 181e12);
    within(device('mi250').matrix.int8, 362.1e12);
    within(device('mi250x').matrix.int8, 383e12);
  });

  it('MI300X FP16 is 1307, not 383 (npm @huggingface/tasks 0.21.54: the number of MI250X)', () => {
    within(device('mi300x').matrix.fp16, 1307.4e12);
  });
});

// 1978.9 / 989.4 = 2.000; Gaudi 3, Inferentia2 and Trainium1 run FP8 at the BF16 rate; n150 262 / 74 = 3.54.
describe('ratios between formats', () => {
  const ratios = (of: 'fp8' | 'fp4' | 'int8', to: 'bf16' | 'fp8'): readonly (readonly [string, number])[] =>
    shippedHardware.flatMap(({ name, matrix }) => {
      const [value, base] = [matrix[of], matrix[to]];
      return value === undefined || base === undefined ? [] : [[name, value / base] as const];
    });

  it('FP8 is twice BF16 wherever the hardware has it', () => {
    const sameRate = new Set(['gaudi3', 'inf2', 'trn1']);
    const checked = ratios('fp8', 'bf16').map(([name, ratio]) => {
      const [least, most] = sameRate.has(name) ? [1, 1] : /hole/.test(name) ? [3.5, 4.01] : [1.9, 2.1];
      return { name, ratio, fits: ratio >= least && ratio <= most };
    });
    expect(checked.length).toBeGreaterThan(30);
    expect(checked.filter(({ fits }) => !fits)).toEqual([]);
  });

  it('FP4 is twice FP8, three times on Blackwell Ultra, four times FP8 with FP32 sums on GeForce and GB10', () => {
    const expected = (name: string): number =>
      name === 'b300-sxm' ? 3.11 : name === 'gb300' ? 3 : /^rtx-50|gb10$/.test(name) ? 4 : 2;
    const wrong = ratios('fp4', 'fp8').filter(([name, ratio]) => Math.abs(ratio / expected(name) - 1) > 0.01);
    expect(wrong).toEqual([]);
  });

  it('INT8 is FP8, a thirtieth on Blackwell Ultra, twice FP8 with FP32 sums on GeForce, twice on Neuron 2', () => {
    const expected = (name: string): number =>
      /^g?b300/.test(name) ? 0.0335 : /^rtx-(40|50)[5-9]0|^inf2|^trn1/.test(name) ? 2 : 1;
    const wrong = ratios('int8', 'fp8').filter(([name, ratio]) => Math.abs(ratio / expected(name) - 1) > 0.025);
    expect(wrong).toEqual([]);
  });

  it('GeForce doubles FP16 and FP8 with FP16 sums, and BF16 is FP16 with FP32 sums', () => {
    const narrow = shippedHardware.filter(({ matrixFp16Accumulate }) => matrixFp16Accumulate.fp16 !== undefined);
    expect(narrow.length).toBeGreaterThanOrEqual(14);
    for (const { matrix, matrixFp16Accumulate } of narrow) {
      expect((matrixFp16Accumulate.fp16 ?? 0) / (matrix.fp16 ?? 1)).toBeCloseTo(2, 2);
      if (matrixFp16Accumulate.fp8 !== undefined) {
        expect(matrixFp16Accumulate.fp8 / (matrix.fp8 ?? 1)).toBeCloseTo(2, 1);
      }
      expect(matrix.bf16 ?? matrix.fp16).toBe(matrix.fp16);
    }
  });
});

describe('links', () => {
  // NVLink as vendors print it is the sum of both directions: V100 300, A100 600, H100 900, B200 1800 GB/s.
  it.each([
    ['v100-sxm2-32gb', 300],
    ['a100-sxm4-80gb', 600],
    ['h100-sxm5-80gb', 900],
    ['h200-sxm-141gb', 900],
    ['h800', 400],
    ['b200-sxm', 1800],
    ['gb200', 1800],
    ['mi300x', 896],
    ['gaudi3', 1050],
    ['a40', 112.5],
  ])('%s has half of its printed %d GB/s per direction', (name, total) => {
    expect(device(name).link.bandwidth).toBe((total / 2) * 1e9);
  });

  // After encoding a lane carries 0.985, 1.969, 3.938, 7.563 GB/s per direction in PCIe 3, 4, 5, 6.
  it('PCIe is lanes x rate per direction', () => {
    const lane: Readonly<Record<string, number>> = { 3: 0.985e9, 4: 1.969e9, 5: 3.938e9, 6: 7.563e9 };
    const checked = shippedHardware.flatMap(({ name, host }) => {
      const match = /^PCIe (\d)\.0 x(\d+)$/.exec(host.kind);
      const expected = (lane[match?.[1] ?? ''] ?? 0) * Number(match?.[2]);
      return match === null ? [] : [{ name, off: Math.abs(host.bandwidth / expected - 1) }];
    });
    expect(checked.length).toBeGreaterThan(60);
    expect(checked.filter(({ off }) => off > 0.01)).toEqual([]);
  });

  it('join more than one device wherever there is one', () => {
    for (const { link } of shippedHardware) {
      expect(link.domain > 1).toBe(link.topology !== 'none');
      expect(link.bandwidth > 0).toBe(link.topology !== 'none');
    }
  });
});

// H100 SXM: 132 SM x 4096 FLOP x 1.83 GHz = 989.4 TFLOP/s.
describe('units x rate x clock', () => {
  /** Peaks below the formula, each with its reason. */
  const below: Readonly<Record<string, number>> = {
    // Datasheets take a clock below the maximum boost.
    'h100-pcie-80gb': 0.923,
    'h100-nvl-94gb': 0.866,
    'h200-nvl-141gb': 0.866,
    'gh200-96gb': 0.925,
    'gh200-144gb': 0.925,
    'b200-sxm': 0.944,
    // Cut on purpose.
    h20: 0.234,
    a10g: 0.5,
    l40: 0.5,
    // BF16 at half the FP16 rate.
    mi100: 0.5,
  };

  it('gives the published 16-bit peak within 3 %', () => {
    const checked = shippedHardware.flatMap((hardware) => {
      const computed = computedSixteenBit(hardware);
      const peak = hardware.matrix.bf16 ?? hardware.matrix.fp16;
      return computed === undefined || peak === undefined ? [] : [{ name: hardware.name, ratio: peak / computed }];
    });
    expect(checked.length).toBeGreaterThan(80);
    expect(checked.filter(({ name, ratio }) => Math.abs(ratio / (below[name] ?? 1) - 1) > 0.03)).toEqual([]);
  });
});
