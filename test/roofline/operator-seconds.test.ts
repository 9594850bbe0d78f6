import { describe, expect, it } from 'vitest';
import { linear } from '../../src/operator/linear.ts';
import { type Operator, term } from '../../src/operator/operator.ts';
import { efficiencyFor } from '../../src/roofline/efficiency-table.ts';
import type { Efficiency, GemmEfficiency } from '../../src/roofline/efficiency.ts';
import { idealSeconds, type TimedOperator, typicalSeconds } from '../../src/roofline/operator-seconds.ts';
import { toyHardware } from '../support/toy.ts';

// 1000 x 1000 in BF16 at half of 1 TFLOP/s and a quarter of 1 TB/s: 2e6 / 0.5e12 = 4 us a row of compute,
// 2e6 / 0.25e12 = 8 us of weights, 4000 / 0.25e12 = 16 ns a row of activations.

const half: GemmEfficiency = { compute: 0.5, memory: 0.25, floor: 3e-6, sharpness: 2, quantisationPasses: 0 };
const base = efficiencyFor('nobody-measured', 'none');
const flat: Efficiency = {
  ...base,
  gemm: { ...base.gemm, bf16: half, fp8: { ...half, quantisationPasses: 2 } },
  experts: { ...base.experts, bf16: { compute: 0.5, memory: 0.25, floor: 9e-6, sharpness: 2, activationPasses: 3 } },
  prefillAttention: { compute: 0.5, memory: 0.25, floor: 5e-6, sharpness: 1, halfLength: 100 },
  decodeAttention: { compute: 0.5, memory: 0.25, floor: 5e-6, sharpness: 4, contextOffset: 10 },
  elementWise: { memory: 0.5, floor: 1e-6 },
  collective: { floor: 2e-6, bandwidth: 0.5, sharpness: 0.6, hostFloor: 8e-6, hostBandwidth: 0.5 },
};

const square = { name: 'output', inputs: 1000, outputs: 1000, count: 1 } as const;
const kinds = ['compute', 'weight', 'keyValue', 'activation', 'link', 'beside'] as const;
const nothing = { compute: 0, weight: 0, keyValue: 0, activation: 0, link: 0, beside: 0 };
const gemm = linear('output', [square], { name: 'bf16', bits: 16 }, 'bf16');
const unused = { compute: 1, memory: 1 };

/** Seconds per unit of a variable, charged or counted. */
function secondsPer({ slots }: TimedOperator, variable: string): unknown {
  const sums = { ...nothing };
  for (const each of slots) {
    if (each.variable.replace('chargedTokens', 'tokens') !== variable) continue;
    for (const kind of kinds) sums[kind] += each[kind];
  }
  return sums;
}

const typical = (operator: Operator): TimedOperator => typicalSeconds(operator, toyHardware, flat);

describe('typical seconds', () => {
  it('of a product are its counts over what kernels reach', () => {
    const { sharpness, floor, isCollective } = typical(gemm);
    expect(secondsPer(typical(gemm), 'once')).toEqual({ ...nothing, weight: 8e-6 });
    expect(secondsPer(typical(gemm), 'tokens')).toEqual({ ...nothing, compute: 4e-6, activation: 16e-9 });
    expect([sharpness, floor, isCollective]).toEqual([2, 3e-6, false]);
  });

  it('of a quantised product read its input again, beside the roofline and at full bandwidth', () => {
    const fp8 = linear('output', [square], { name: 'fp8', bits: 8 }, 'fp8');
    // Two passes over 1000 inputs of 2 bytes at 1 TB/s; twice the FLOP/s.
    expect(secondsPer(typical(fp8), 'tokens')).toMatchObject({ beside: 4e-9, compute: 2e-6 });
  });

  it('of experts pass over the routed activations beside the roofline', () => {
    const experts: Operator = {
      name: 'experts',
      kind: 'experts',
      count: 1,
      weights: { name: 'bf16', bits: 16, activations: 'bf16' },
      terms: [term('tokens', { flops: 1e6, activationBytes: 1000 }), term('touchedExperts/0', { weightBytes: 1e6 })],
    };
    expect(secondsPer(typical(experts), 'touchedExperts/0')).toEqual({ ...nothing, weight: 4e-6 });
    expect(secondsPer(typical(experts), 'tokens')).toMatchObject({ beside: 3e-9, activation: 0 });
  });

  it('of prefill attention over an FP8 cache take its own share, where a library has one', () => {
    const operator: Operator = {
      name: 'attention (prefill)',
      kind: 'prefill-attention',
      count: 1,
      fp8Cache: true,
      terms: [term('pairs/0', { flops: 4000 })],
    };
    // 4000 FLOP at half of 1 TFLOP/s: 8 ns a pair; at the whole of it 4 ns.
    expect(secondsPer(typical(operator), 'pairs/0')).toMatchObject({ compute: 8e-9 });
    const fast = { ...flat, fp8PrefillAttention: { ...flat.prefillAttention, compute: 1 } };
    expect(secondsPer(typicalSeconds(operator, toyHardware, fast), 'pairs/0')).toMatchObject({ compute: 4e-9 });
  });

  it('of prefill attention lose half of their efficiency at the half length', () => {
    const attention: Operator = {
      name: 'attention (prefill)',
      kind: 'prefill-attention',
      count: 1,
      terms: [term('pairs/0', { flops: 4000 }), term('prefillTokens', { keyValueBytes: 4000 })],
    };
    const { slots } = typicalSeconds(attention, toyHardware, flat);
    // A prompt of S tokens: S^2 / 2 pairs and S x 100 / 2 more; twice the pairs at S = 100.
    const perPair = slots[0]?.compute ?? 0;
    const perToken = slots[1]?.compute ?? 0;
    expect(perPair).toBe(8e-9);
    expect((perPair * 100 ** 2) / 2).toBeCloseTo(perToken * 100, 15);
  });

  it('of decode attention grow with context + offset, on padded rows', () => {
    const attention: Operator = {
      name: 'attention (decode)',
      kind: 'decode-attention',
      count: 1,
      padding: 4,
      terms: [term('decodeContext/0', { flops: 4000, keyValueBytes: 4000 })],
    };
    const { slots } = typicalSeconds(attention, toyHardware, flat);
    expect(slots[0]).toMatchObject({ variable: 'decodeContext/0', compute: 32e-9, keyValue: 16e-9 });
    expect(slots[1]).toMatchObject({ variable: 'decodeSequences', compute: 320e-9, keyValue: 160e-9 });
  });

  /* 4000 FLOP an entry at a fiftieth of 1 TFLOP/s are 200 ns, whatever would be padded; at half of it 8 ns. */
  it.each([
    [4, 4, 200e-9],
    [8, 2, 16e-9],
    [1, 1, 8e-9],
  ])(
    'of decode attention of %d queries an entry run head by head where no kernel takes them',
    (queriesPerEntry, padding, compute) => {
      const masked: Efficiency = { ...flat, headByHead: { grouped: { compute: 0.02, except: [8] } } };
      const attention: Operator = {
        name: 'attention (decode)',
        kind: 'decode-attention',
        count: 1,
        padding,
        queriesPerEntry,
        terms: [term('decodeContext/0', { flops: 4000, keyValueBytes: 4000 })],
      };
      const { slots, rates } = typicalSeconds(attention, toyHardware, masked);
      expect(slots[0]).toMatchObject({ compute, keyValue: 16e-9 });
      expect(rates.headByHead).toBe(queriesPerEntry === 4 ? true : undefined);
    },
  );

  it('of an all-reduce are a latency for each doubling of ranks, and its bytes over the link', () => {
    const reduce: Operator = {
      name: 'all-reduce',
      kind: 'all-reduce',
      count: 2,
      ranks: 8,
      terms: [term('tokens', { linkBytes: 5000 })],
    };
    const { slots, isCollective } = typicalSeconds(reduce, toyHardware, flat);
    expect(isCollective).toBe(true);
    expect(slots).toEqual([
      { ...nothing, variable: 'tokens', link: 1e-7 },
      // Two launches of three stages of 2 us.
      { ...nothing, variable: 'once', compute: 12e-6 },
    ]);
  });

  it('of a hand-over are one latency for each pair of stages', () => {
    const send: Operator = {
      name: 'hand-over',
      kind: 'send',
      count: 3,
      ranks: 4,
      terms: [term('tokens', { linkBytes: 6000 })],
    };
    expect(secondsPer(typical(send), 'once')).toMatchObject({ compute: 6e-6 });
  });
});

describe('ideal seconds', () => {
  it('are the counts over full peak and bandwidth, activations on chip, the larger of the two', () => {
    const ideal = idealSeconds(gemm, toyHardware, unused);
    expect(secondsPer(ideal, 'once')).toEqual({ ...nothing, weight: 2e-6 });
    expect(secondsPer(ideal, 'tokens')).toEqual({ ...nothing, compute: 2e-6 });
    expect([ideal.sharpness, ideal.floor]).toEqual([Infinity, 0]);
  });

  it('take stated shares of peak in place of 1', () => {
    const ideal = idealSeconds(gemm, toyHardware, { compute: 0.4, memory: 0.5 });
    expect(secondsPer(ideal, 'once')).toMatchObject({ weight: 4e-6 });
    expect(secondsPer(ideal, 'tokens')).toMatchObject({ compute: 5e-6 });
  });

  it('allow the doubled rate of sums in 16 bits', () => {
    const geforce = { ...toyHardware, matrixFp16Accumulate: { fp16: 4e12 } };
    expect(secondsPer(idealSeconds(gemm, geforce, unused), 'tokens')).toMatchObject({ compute: 5e-7 });
  });
});
