import { describe, expect, it } from 'vitest';
import { changed, question } from '../support/what-if.ts';
import { shippedEngine } from '../support/shipped.ts';

// vllm-project/vllm#1983: Llama-13B, A100, shared prefix of 200 tokens, 30 more, 50 out. Mean TTFT without and with the
// prefix cache: 10 req/s 0.45 to 0.29 s (0.64), 15 req/s 1.02 to 0.39 s (0.38), 25 req/s 4.74 to 0.84 s (0.18).
// A hit saves 200 / 230 of prefill and of its queue, so that the gain grows with load.

const [release] = shippedEngine('vllm').releases;
if (release === undefined) throw new Error('vllm has a release');
// The pull request adds the cache to the engine of its day.
const cached = { ...release, scheduling: { ...release.scheduling, prefixCache: true } };

const asked = (requestsPerSecond: number) =>
  question(
    'llama-1-13b',
    'a100-sxm4-80gb',
    'vllm@0.2.5',
    { prompt: 230, output: 50, load: { kind: 'rate', requestsPerSecond } },
    { release: cached },
  );

describe('Q11: a prefix cache gains more the busier it is (vllm-project/vllm#1983)', () => {
  it('refuses a cache for the engine that had none', async () => {
    const before = question('llama-1-13b', 'a100-sxm4-80gb', 'vllm@0.2.5', { prompt: 230, output: 50 });
    await expect(changed(before, 'cached=200')).rejects.toThrow(
      "'cached=200' does not apply: vLLM 0.4.0 keeps no prefix cache; expected an engine or release that does.",
    );
  });

  it('takes a quarter off TTFT at 10 requests/s and a third at 15 (measured: 0.64 and 0.38 of it are left)', async () => {
    const [quiet, busy] = [await changed(asked(10), 'cached=200'), await changed(asked(15), 'cached=200')];
    expect(quiet.ttft.ratio).toBeGreaterThan(0.6);
    expect(quiet.ttft.ratio).toBeLessThan(0.8);
    expect(busy.ttft.ratio).toBeLessThan(quiet.ttft.ratio - 0.07);
    expect(busy.verdict).toContain('time on FLOP/s goes from');
  });

  it('raises the rate that the engine keeps up with', async () => {
    const full = await changed(asked(25), 'cached=200');
    expect(full.stability).toEqual({ before: 'unstable', after: 'stable' });
    expect(full.verdict).toContain('TTFT grew without end and is');
    expect(full.moved).toBe('both');
  });

  it('moves TPOT only through load: alone it stays', async () => {
    const alone = question(
      'llama-1-13b',
      'a100-sxm4-80gb',
      'vllm@0.2.5',
      { prompt: 230, output: 50 },
      { release: cached },
    );
    const { tpot, moved } = await changed(alone, 'cached=200');
    expect(tpot.ratio).toBe(1);
    expect(moved).toBe('ttft');
  });
});
