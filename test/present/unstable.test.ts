import { describe, expect, it } from 'vitest';
import { estimate } from '../../src/estimate.ts';
import { estimateJson } from '../../src/present/estimate-json.ts';
import { estimateRows } from '../../src/present/estimate-rows.ts';
import { estimateText } from '../../src/present/estimate-text.ts';
import { adviseText } from '../../src/present/advise-text.ts';
import { whatIfText } from '../../src/present/what-if-text.ts';
import { advise } from '../../src/whatif/advise.ts';
import { whatIf } from '../../src/whatif/what-if.ts';
import { change, question } from '../support/what-if.ts';
import { shippedDevice, shippedEngine } from '../support/shipped.ts';

// A hundred prompts of 2000 tokens a second: 2 * 8e9 * 2e5 = 3.2e15 FLOP/s, more than three H100s have at their peak.
const asked = question('llama-3.1-8b', 'h100-sxm5-80gb', 'vllm', {
  prompt: 2000,
  output: 300,
  load: { kind: 'rate', requestsPerSecond: 100 },
});
const answer = estimate(asked);

describe('a load that grows without end', () => {
  it('is unstable', () => {
    expect(answer.load.stability?.verdict).toBe('unstable');
  });

  it('has no number for TTFT and E2E as text', () => {
    const lines = estimateText(asked, answer).split('\n');
    for (const name of ['TTFT', 'E2E']) {
      const own = lines.filter((line) => line.startsWith(name));
      expect(own.length).toBeGreaterThan(0);
      for (const line of own) expect(line).toContain('grows');
    }
    expect(lines.find((line) => line.startsWith('TPOT'))).toMatch(/\d m?s/);
  });

  it('has none as rows and as JSON', () => {
    const [ttft, tpot, e2e] = estimateRows(answer).rows;
    expect(ttft?.slice(1, 4)).toEqual(['grows', '', '']);
    expect(e2e?.slice(1, 4)).toEqual(['grows', '', '']);
    expect(tpot?.[1]).toBeCloseTo(answer.tpot.seconds * 1e3);
    const json = estimateJson(answer);
    expect([json.ttft.seconds, json.ttft.high, json.e2e.seconds]).toEqual([null, null, null]);
    expect(json.tpot.seconds).toBe(answer.tpot.seconds);
  });

  it('is no answer that advice gives', () => {
    const engine = shippedEngine('vllm');
    const { release } = asked.deployment;
    const advised = advise(asked, { devices: [asked.deployment.hardware], engines: [{ engine, release }] });
    expect(advised.levers.every(({ outcome }) => outcome.stability?.verdict !== 'unstable')).toBe(true);
    expect(advised.refused.some(({ reason }) => reason.includes('more requests arrive'))).toBe(true);
  });
});

describe('a load that a change settles', () => {
  // One H100 finishes a dozen such requests a second; 20 arrive, and two copies take 10 each.
  const much = { ...asked, workload: { ...asked.workload, load: { kind: 'rate', requestsPerSecond: 20 } as const } };

  it('has no number and no ratio before it in what-if', async () => {
    const changes = [await change('replicas=4')];
    const lines = whatIfText(much, whatIf(much, changes)).split('\n');
    expect(lines.find((line) => line.startsWith('now'))).toMatch(/now +grows +[\d.]+ ms +grows/);
    expect(lines.find((line) => line.startsWith('replicas=4'))).toMatch(/settles.*%.*settles/);
  });

  it('is what advice ranks, the shortest wait first', () => {
    const choices = { devices: [shippedDevice('b200-sxm'), shippedDevice('h200-sxm-141gb')], engines: [] };
    const advised = advise(much, choices);
    expect(advised.base.ttft).toBe(Infinity);
    expect(advised.ranks.ttft.length).toBeGreaterThan(0);
    const waits = advised.ranks.ttft.map(({ outcome }) => outcome.ttft);
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
    const text = adviseText(much, advised, 5);
    expect(text).toContain('Unstable: 20.0 requests/s arrive');
    expect(text).toContain('settles');
    expect(text).not.toContain('Infinity');
  });
});

describe('a band of a whole request', () => {
  it('holds that of its first token', () => {
    const { ttft, e2e } = estimate({
      ...asked,
      workload: { ...asked.workload, output: 1, load: { kind: 'batch', size: 1 } },
    });
    expect(e2e.low).toBeGreaterThanOrEqual(ttft.low);
    expect(e2e.high).toBeGreaterThanOrEqual(ttft.high);
  });
});
