import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { advise } from '../../src/whatif/advise.ts';
import { type Complaint, complaints } from '../../src/whatif/complaint.ts';
import { shippedDevice, shippedEngine } from '../support/shipped.ts';
import { question } from '../support/what-if.ts';

// Every lever once on the engine: what halves TPOT is first for 'the text trickles', whatever its name.

const folder = new URL('../../hardware-profiles/', import.meta.url);
const devices = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => shippedDevice(name.replace('.json', '')));
const engines = ['vllm', 'sglang', 'trt-llm'].map((name) => {
  const engine = shippedEngine(name);
  const release = engine.releases.at(-1);
  if (release === undefined) throw new Error(`${name} has no release`);
  return { engine, release };
});
const choices = { devices, engines };

const asked = question('llama-3.1-8b', 'h100-sxm5-80gb', 'vllm', {
  prompt: 2000,
  output: 300,
  load: { kind: 'concurrency', size: 16 },
});

const complaint = (name: string): Complaint => {
  const found = complaints.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no complaint ${name}`);
  return found;
};

describe('advice', () => {
  const advised = advise(asked, choices);

  it('tries every kind of lever and every device', () => {
    const kinds = new Set(advised.levers.map(({ kind }) => kind));
    const expected = [
      'hardware',
      'parallelism',
      'precision',
      'load',
      'length',
      'prefix-cache',
      'token-budget',
      'speculation',
    ];
    for (const kind of [...expected, 'disaggregation', 'engine', 'graphs', 'power', 'offload']) {
      expect(kinds).toContain(kind);
    }
    const tried = [...advised.levers.flatMap(({ levers }) => levers), ...advised.refused.map(({ lever }) => lever)];
    expect(tried.filter((text) => text.startsWith('hardware='))).toHaveLength(devices.length - 1);
    expect(devices.length).toBeGreaterThan(100);
  });

  it('ranks by ratio, and only what helps noticeably', () => {
    for (const ranking of ['ttft', 'tpot', 'e2e'] as const) {
      const ratios = advised.ranks[ranking].map(({ ratios: of }) => of[ranking]);
      expect(ratios.length).toBeGreaterThan(5);
      expect(ratios).toEqual(ratios.toSorted((a, b) => a - b));
      expect(ratios.every((ratio) => ratio < 0.97)).toBe(true);
    }
  });

  it('says what each costs elsewhere', () => {
    const of = (text: string) => advised.levers.find(({ levers }) => levers.join(',') === text);
    expect(of('tp=2')?.costs).toContain('2 devices instead of 1');
    expect(of('tp=2')?.costs.some((cost) => cost.startsWith('throughput per device -'))).toBe(true);
    expect(of('weights=w4a16-awq')?.costs.some((cost) => cost.startsWith('TTFT +'))).toBe(true);
    expect(of('weights=fp8')?.costs).toContain(
      'weights of 8 bits may answer worse: check the quality on your own prompts.',
    );
    expect(of('concurrency=8')?.asksLess).toBe(true);
  });

  it('puts first what asks for no other device and gives up little else', () => {
    for (const ranking of ['ttft', 'tpot', 'e2e'] as const) {
      const first = advised.first[ranking];
      expect(first?.kind).not.toBe('hardware');
      expect(first?.ratios.throughputPerDevice).toBeGreaterThan(0.9);
      expect(first?.ratios[ranking]).toBeLessThan(0.8);
    }
  });

  it('gives the reasons of what does not apply', () => {
    const small = advise(question('llama-3.1-70b', 'h200-sxm-141gb', 'vllm', {}), choices);
    const reason = (lever: string) => small.refused.find((each) => each.lever === lever)?.reason;
    expect(reason('hardware=l4')).toBe('it does not fit in memory.');
    const recurrent = advise(question('llama-3.1-8b', 'apple-m3-max-40c', 'mlx', {}), choices);
    expect(
      recurrent.refused.some(
        ({ lever, reason: why }) => lever.startsWith('offload=') && why.includes('offload needs a link to host memory'),
      ),
    ).toBe(true);
  });
});

describe('complaints lead to a clock', () => {
  const clockOf = (name: string, scenario = asked) =>
    advise(scenario, { devices: [], engines: [] }, { complaint: complaint(name) }).diagnosis;

  it('by their words', () => {
    expect(clockOf('slow-start')?.clock).toBe('ttft');
    expect(clockOf('trickle')?.clock).toBe('tpot');
  });

  it('by what grows: long documents before the first token, long answers after it', () => {
    const documents = clockOf('long-documents');
    expect(documents?.clock).toBe('ttft');
    expect(documents?.grows.ttft).toBeGreaterThan(4);
    expect(documents?.grows.tpot).toBeLessThan(1.3);
    const summaries = clockOf('summaries');
    expect(summaries?.clock).toBe('tpot');
    expect(summaries?.sentence).toMatch(
      /^'short answers fine, summaries slow' comes to the pace of the tokens after it \(TPOT\): 100 % of what/,
    );
  });

  it('at peak: to TPOT while the engine takes everybody in, to TTFT once more arrive than leave', () => {
    expect(clockOf('peak')?.clock).toBe('tpot');
    const arriving = question('llama-3.1-8b', 'h100-sxm5-80gb', 'vllm', {
      prompt: 2000,
      output: 300,
      load: { kind: 'rate', requestsPerSecond: 6 },
    });
    const peak = clockOf('peak', arriving);
    expect(peak?.clock).toBe('ttft');
    expect(peak?.sentence).toBe(
      "'everything slows at peak' comes to the wait for the first token (TTFT): more requests arrive than leave, so it grows without end.",
    );
  });

  it('ranks the levers on the workload that is felt', () => {
    const long = advise(asked, { devices: [], engines: [] }, { complaint: complaint('long-documents') });
    expect(long.diagnosis?.felt.workload).toMatchObject({ prompt: 16_000, load: { kind: 'concurrency', size: 1 } });
    expect(long.first.ttft?.label).toBe('prefix-cache hit rate 90 %');
  });
});
