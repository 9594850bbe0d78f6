import { describe, expect, it } from 'vitest';
import { linear } from '../../src/operator/linear.ts';
import { joined, repeated } from '../../src/operator/operator.ts';
import { counted } from '../support/counted.ts';

// 1000 x 4000 in BF16: 4e6 elements, 8e6 FLOP a row, 8e6 bytes of weights once, (1000 + 4000) x 2 bytes of rows.

const up = { name: 'up', inputs: 1000, outputs: 4000, count: 1 } as const;
const bf16 = { name: 'bf16', bits: 16 };

describe('linear', () => {
  it('reads its weights once a step and multiplies every row', () => {
    expect(counted([linear('up', [up], bf16, 'bf16')])).toEqual({
      once: { weightBytes: 8e6 },
      tokens: { flops: 8e6, activationBytes: 10_000 },
    });
  });

  it('reads the shared input of fused matrices once', () => {
    const fused = linear('gate and up', [{ ...up, name: 'gate' }, up], bf16, 'bf16');
    expect(counted([fused])['tokens']).toEqual({ flops: 16e6, activationBytes: (1000 + 8000) * 2 });
    expect(fused.inputPass).toMatchObject({ variable: 'tokens', activationBytes: 2000 });
  });

  it('stores 4.5 bits where a format does', () => {
    const packed = linear('up', [up], { name: 'nvfp4', bits: 4.5 }, 'nvfp4');
    expect(counted([packed])['once']).toEqual({ weightBytes: 2.25e6 });
  });

  it('reads the whole input of a matrix per group of heads', () => {
    const grouped = linear('down', [{ name: 'output-down', inputs: 100, outputs: 10, count: 8 }], bf16, 'bf16');
    expect(counted([grouped])['tokens']).toEqual({ flops: 2 * 8 * 1000, activationBytes: (800 + 80) * 2 });
  });
});

describe('an operator in many layers', () => {
  const one = linear('up', [up], bf16, 'bf16');

  it('has all its counts times the layers', () => {
    const three = repeated(one, 3);
    expect(three.count).toBe(3);
    expect(counted([three])).toEqual({
      once: { weightBytes: 24e6 },
      tokens: { flops: 24e6, activationBytes: 30_000 },
    });
    expect(three.inputPass?.activationBytes).toBe(6000);
  });

  it('joins another of the same kind to the same sums', () => {
    expect(joined(repeated(one, 2), repeated(one, 41))).toEqual(repeated(one, 43));
  });
});
