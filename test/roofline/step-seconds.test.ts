import { describe, expect, it } from 'vitest';
import { type Breakdown, breakdownOf, resourceCount, resourceIndex } from '../../src/roofline/resource.ts';
import { addOperatorSeconds, addStepSeconds } from '../../src/roofline/step-seconds.ts';
import { secondsPerSlot, slotsPerOperator, type StepTable, variablesOf } from '../../src/roofline/step-table.ts';

// 3 s of compute and 4 s of weights at q = 2: (9 + 16)^(1/2) = 5 s, of which 9/25 x 5 = 1.8 s are compute and 3.2 s weights.

interface Costs {
  readonly seconds: readonly [
    compute: number,
    weight: number,
    keyValue: number,
    activation: number,
    link: number,
    beside: number,
  ];
  readonly sharpness: number;
  readonly floor?: number;
  readonly isCollective?: boolean;
}

/** Operators with one slot each, on the constant 1 of a step. */
function table(operators: readonly Costs[], host: Partial<StepTable> = {}): StepTable {
  const slotSeconds = new Float64Array(operators.length * slotsPerOperator * secondsPerSlot);
  for (const [index, { seconds }] of operators.entries())
    slotSeconds.set(seconds, index * slotsPerOperator * secondsPerSlot);
  return {
    operators: [],
    spans: [],
    expertGroups: [],
    variables: variablesOf(0, 0),
    slotVariables: new Int32Array(operators.length * slotsPerOperator),
    slotSeconds,
    slotEnds: Int32Array.from(operators, (_, index) => index * slotsPerOperator + 1),
    sharpness: Float64Array.from(operators, ({ sharpness }) => sharpness),
    floors: Float64Array.from(operators, ({ floor }) => floor ?? 0),
    isCollective: Uint8Array.from(operators, ({ isCollective }) => Number(isCollective ?? false)),
    rates: [],
    perStep: 0,
    perSequence: 0,
    perStreamed: 0,
    launch: 0,
    ...host,
  };
}

const step = Float64Array.from([1, 0, 0, 7, 0, 0, 0, 0]);

function parts(of: StepTable): readonly [number, Breakdown] {
  const seconds = new Float64Array(resourceCount);
  const total = addStepSeconds(of, step, seconds);
  return [total, breakdownOf(seconds)];
}

describe('an operator', () => {
  it('takes the smooth maximum, shared by elasticity', () => {
    const [total, shares] = parts(table([{ seconds: [3, 4, 0, 0, 0, 0], sharpness: 2 }]));
    expect(total).toBeCloseTo(5, 14);
    expect(shares.compute).toBeCloseTo(1.8, 14);
    expect(shares['weight-bandwidth']).toBeCloseTo(3.2, 14);
    const [turned, other] = parts(table([{ seconds: [4, 3, 0, 0, 0, 0], sharpness: 2 }]));
    expect(turned).toBeCloseTo(5, 14);
    expect(other.compute).toBeCloseTo(3.2, 14);
  });

  it('shares traffic by bytes', () => {
    const [total, shares] = parts(table([{ seconds: [3, 1, 2, 1, 0, 0], sharpness: 2 }]));
    expect(total).toBeCloseTo(5, 14);
    expect(shares['weight-bandwidth']).toBeCloseTo(0.8, 14);
    expect(shares['kv-bandwidth']).toBeCloseTo(1.6, 14);
    expect(shares['activation-bandwidth']).toBeCloseTo(0.8, 14);
  });

  it('takes the sum at q = 1 and the larger at q = infinity', () => {
    expect(parts(table([{ seconds: [3, 4, 0, 0, 0, 0], sharpness: 1 }]))[0]).toBe(7);
    const [total, shares] = parts(table([{ seconds: [3, 4, 0, 0, 0, 0], sharpness: Infinity }]));
    expect(total).toBe(4);
    expect([shares.compute, shares['weight-bandwidth']]).toEqual([0, 4]);
  });

  it('adds its floor and what runs beside', () => {
    const [total, shares] = parts(table([{ seconds: [3, 4, 0, 0, 0, 0.5], sharpness: 2, floor: 0.25 }]));
    expect(total).toBeCloseTo(5.75, 14);
    expect([shares['activation-bandwidth'], shares.overhead]).toEqual([0.5, 0.25]);
  });

  it('that has nothing to do has no floor either', () => {
    expect(parts(table([{ seconds: [0, 0, 0, 0, 0, 0], sharpness: 2, floor: 1 }]))[0]).toBe(0);
  });

  it('that communicates spends latency and link bandwidth', () => {
    const [total, shares] = parts(table([{ seconds: [3, 0, 0, 0, 4, 0], sharpness: 0.5, isCollective: true }]));
    // (3^0.5 + 4^0.5)^2 = 3 + 4 + 2 x 12^0.5
    expect(total).toBeCloseTo(7 + 2 * Math.sqrt(12), 12);
    expect(shares['link-latency']).toBeCloseTo((total * Math.sqrt(3)) / (Math.sqrt(3) + 2), 12);
    expect(shares.compute).toBe(0);
  });

  it('does not overflow where one time is far larger', () => {
    const [total, shares] = parts(table([{ seconds: [1e200, 1e-200, 0, 0, 0, 0], sharpness: 4 }]));
    expect(total).toBe(1e200);
    expect(shares['weight-bandwidth']).toBe(0);
  });
});

describe('a step', () => {
  const device: Costs = { seconds: [0, 3, 0, 0, 0, 0], sharpness: 2 };

  it('is the sum of its operators and what the host exposes per step and sequence', () => {
    const [total, shares] = parts(table([device, device], { perStep: 1, perSequence: 0.5 }));
    // 3 + 3, and 1 + 7 sequences x 0.5.
    expect(total).toBe(10.5);
    expect(shares.overhead).toBe(4.5);
  });

  it('is the smooth maximum (q = 4) of device and launches one by one', () => {
    const [total, shares] = parts(table([device], { launch: 3 }));
    expect(total).toBeCloseTo(3 * 2 ** 0.25, 14);
    expect(shares.overhead).toBeCloseTo(total / 2, 14);
    expect(shares['weight-bandwidth']).toBeCloseTo(total / 2, 14);
    expect(parts(table([device], { launch: 0.003 }))[0]).toBeCloseTo(3, 10);
  });

  it('adds to what is there, times a factor', () => {
    const seconds = new Float64Array(resourceCount).fill(1);
    expect(addStepSeconds(table([device]), step, seconds, 2)).toBe(6);
    expect(seconds[resourceIndex['weight-bandwidth']]).toBe(7);
    expect(seconds[resourceIndex.compute]).toBe(1);
  });

  it('evaluates some of its operators alone', () => {
    const two = table([device, { ...device, seconds: [0, 5, 0, 0, 0, 0] }]);
    expect(addOperatorSeconds(two, 1, 2, step, new Float64Array(resourceCount))).toBe(5);
  });
});
