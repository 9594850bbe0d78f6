import { describe, expect, it } from 'vitest';
import { estimate } from '../../src/estimate.ts';
import { acceptanceThatPays } from '../../src/whatif/break-even.ts';
import { changed, question } from '../support/what-if.ts';

// vllm-project/vllm#16937: Llama-3.1-8B, H100, batch 1: 133 tok/s; EAGLE with k = 2, 4, 7: 201.7, 198, 169.9; EAGLE-3 with
// k = 2: 220.2. Gain (1 + a + ... + a^k) / (1 + k c): with a = 0.7, 2.19 / (1 + 2 c) = 1.51 gives c = 0.225,
// 2.77 / (1 + 4 c) = 1.49 gives 0.215, 3.14 / (1 + 7 c) = 1.277 gives 0.208: one acceptance explains all three. Its benchmark sends
// temperature 0.

const lengths = { prompt: 300, output: 300 };
const asked = question('llama-3.1-8b', 'h100-sxm5-80gb', 'vllm@0.8.4', lengths, { sampling: 'greedy' });

const drafting = (k: number, acceptance = 0.7) => changed(asked, `speculation=eagle:k=${k}:acceptance=${acceptance}`);

describe('Q10: more drafted tokens are not better (vllm-project/vllm#16937)', () => {
  it('starts from 133 tokens/s', () => {
    expect(1 / estimate(asked).tpot.seconds / 133).toBeGreaterThan(0.95);
    expect(1 / estimate(asked).tpot.seconds / 133).toBeLessThan(1.05);
  });

  it('has each gain within 4 %, with one acceptance and the cost of drafting from its shape', async () => {
    const measured = { 2: 201.7, 4: 198, 7: 169.9 };
    for (const [k, tokens] of Object.entries(measured)) {
      const { tpot } = await drafting(Number(k));
      expect(1 / tpot.ratio / (tokens / 133)).toBeGreaterThan(0.96);
      expect(1 / tpot.ratio / (tokens / 133)).toBeLessThan(1.04);
    }
  });

  it('is best with few drafted tokens', async () => {
    const gains = await Promise.all(
      [1, 2, 3, 4, 5, 7].map(async (k) => ({ k, ratio: (await drafting(k)).tpot.ratio })),
    );
    const [best] = gains.toSorted((a, b) => a.ratio - b.ratio);
    expect([2, 3]).toContain(best?.k);
  });

  it('moves TPOT alone, and with seven tokens the drafting itself is what it is on', async () => {
    const { moved, tpot, verdict } = await drafting(7);
    expect(moved).toBe('tpot');
    expect(tpot.bound).toEqual({ before: 'memory', after: 'overhead' });
    expect(verdict).toMatch(/^Moves TPOT, not TTFT/);
  });

  it('needs a better acceptance for the gain of EAGLE-3, and some acceptance to pay at all', async () => {
    const { tpot } = await drafting(2, 0.78);
    expect(1 / tpot.ratio / (220.2 / 133)).toBeGreaterThan(0.97);
    expect(1 / tpot.ratio / (220.2 / 133)).toBeLessThan(1.03);
    const { value } = acceptanceThatPays(asked, { method: 'eagle', tokens: 4, acceptance: 0.7 });
    expect(value).toBeGreaterThan(0.4);
    expect(value).toBeLessThan(0.6);
  });
});
