import { describe, expect, it } from 'vitest';
import { rowPools } from '../../src/measured/row-pools.ts';

describe('pools of a measured row', () => {
  it('are read with their own parallelism', () => {
    const text =
      'prefill 2 x (tp=8 attention_dp=1 moe_tp=8 moe_ep=1 batch=1), decode 3 x (tp=1 attention_dp=8 moe_tp=1 moe_ep=8 batch=32)';
    expect(rowPools(text)).toEqual({
      prefill: { tensor: 8, pipeline: 1, data: 1, expert: 1, replicas: 2 },
      decode: { tensor: 1, pipeline: 1, data: 8, expert: 8, replicas: 3 },
    });
  });

  it('take attention groups without spread experts for engines of their own', () => {
    const text =
      'prefill 1 x (tp=2 attention_dp=4 moe_tp=1 moe_ep=1), decode 1 x (tp=2 attention_dp=4 moe_tp=1 moe_ep=1)';
    expect(rowPools(text)?.decode).toEqual({ tensor: 2, pipeline: 1, data: 1, expert: 1, replicas: 4 });
  });

  it.each([
    '',
    'yes',
    'prefill 1 x (tp=8 attention_dp=1 moe_tp=8 moe_ep=1)',
    'prefill 1000 x (tp=1 attention_dp=1 moe_tp=1 moe_ep=1), decode 1 x (tp=1 attention_dp=1 moe_tp=1 moe_ep=1)',
    'prefill 0 x (tp=8 attention_dp=1 moe_tp=8 moe_ep=1), decode 1 x (tp=1 attention_dp=1 moe_tp=1 moe_ep=1)',
  ])('are not guessed from %j', (text) => {
    expect(rowPools(text)).toBeUndefined();
  });
});
