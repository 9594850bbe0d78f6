import { describe, expect, it } from 'vitest';
import { estimate } from '../../src/estimate.ts';
import { change, changed, question, ranks } from '../support/what-if.ts';
import { whatIf } from '../../src/whatif/what-if.ts';

// vllm-project/vllm#16300: QwQ-32B BF16 on A100-80 SXM, vLLM 0.7.2, 1 in, 200 out, batch 1:
// 27.5, 19.55 and 15.75 ms a token at TP 2, 4 and 8. Half the devices' reading time is saved each time, the rest is not:
// 2 (27.5 - 19.55) = 15.9 ms of reading at TP2, so that 27.5 - 15.9 = 11.6 ms stay; at TP8 11.6 / 15.75 = 74 %.

const asked = (tensor: number) =>
  question(
    'qwen2.5-32b',
    'a100-sxm4-80gb',
    'vllm@0.7.2',
    { prompt: 1, output: 200, load: { kind: 'batch', size: 1 } },
    { parallelism: ranks({ tensor }) },
  );

describe('Q01: TP8 is hardly faster than TP4 (vllm-project/vllm#16300)', () => {
  it('has the time per token within a quarter of what was measured', () => {
    const measured = { 2: 27.5e-3, 4: 19.55e-3, 8: 15.75e-3 };
    for (const [tensor, seconds] of Object.entries(measured)) {
      const ratio = estimate(asked(Number(tensor))).tpot.seconds / seconds;
      expect(ratio).toBeGreaterThan(0.75);
      expect(ratio).toBeLessThan(1.05);
    }
  });

  it('says that at TP8 most of the time is none that bandwidth shortens', async () => {
    const { tpot } = estimate(asked(8));
    expect(tpot.elasticity.overhead + tpot.elasticity['link-latency']).toBeGreaterThan(0.5);
    const faster = await changed(asked(8), 'hardware=h100-sxm5-80gb');
    expect(faster.tpot.bound).toEqual({ before: 'overhead', after: 'overhead' });
    // 1.64 times the bandwidth, but TPOT keeps more than two thirds.
    expect(faster.tpot.ratio).toBeGreaterThan(0.66);
    expect(faster.verdict).toContain('TPOT was and stays on engine and launch overhead');
  });

  it('gives less for each doubling of the devices', async () => {
    const [first] = whatIf(asked(2), [await change('tp=4')]).changes;
    const [second] = whatIf(asked(4), [await change('tp=8')]).changes;
    expect(first?.tpot.ratio).toBeLessThan(second?.tpot.ratio ?? 0);
    expect(second?.tpot.bound).toEqual({ before: 'memory', after: 'overhead' });
  });
});
