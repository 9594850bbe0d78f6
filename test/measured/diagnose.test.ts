import { describe, expect, it } from 'vitest';
import { type BenchmarkRun, newRun } from '../../src/exchange/benchmark/benchmark-run.ts';
import { type Distribution, fromHistogram, type Histogram } from '../../src/exchange/benchmark/distribution.ts';
import { compareRuns } from '../../src/measured/compare-runs.ts';
import { diagnose } from '../../src/measured/diagnose.ts';
import { scrapeWindow } from '../../src/measured/scrape-window.ts';
import { type Targets, targetPresets } from '../../src/measured/targets.ts';
import { comparisonText, diagnosisText, thirdClockAdvice } from '../../src/present/diagnosis-text.ts';
import { shippedDeployment, shippedDevice, shippedEngine } from '../support/shipped.ts';

const exactly = (mean: number): Distribution => ({ mean, percentiles: [] });
const spread = (p50: number, p95: number, p99: number): Distribution => ({
  mean: p50,
  percentiles: [
    { rank: 50, value: p50 },
    { rank: 95, value: p95 },
    { rank: 99, value: p99 },
  ],
});

const targets: Targets = { name: 'test', ttft: 0.5, tpot: 0.04, source: 'made up' };

const run = (changes: Partial<BenchmarkRun>): BenchmarkRun =>
  newRun({
    tool: 'test',
    where: 'run',
    kind: 'client',
    load: { kind: 'concurrency', size: 1 },
    tokens: { input: exactly(1000), output: exactly(100) },
    ...changes,
  });

const only = (changes: Partial<BenchmarkRun>): ReturnType<typeof diagnose>[number] => {
  const [diagnosis] = diagnose([run(changes)], { targets });
  if (diagnosis === undefined) throw new Error('no diagnosis');
  return diagnosis;
};

describe('which clock is broken', () => {
  // p99 over target: 1 / 0.5 = 2 against 0.03 / 0.04 < 1.
  it('TTFT', () =>
    expect(only({ clocks: { ttft: spread(0.6, 0.8, 1), tpot: spread(0.02, 0.025, 0.03) } }).broken).toBe('ttft'));
  it('TPOT', () =>
    expect(only({ clocks: { ttft: spread(0.1, 0.2, 0.3), tpot: spread(0.05, 0.06, 0.08) } }).broken).toBe('tpot'));
  it('both, within a factor of two of each other', () =>
    expect(only({ clocks: { ttft: spread(0.6, 0.8, 1), tpot: spread(0.05, 0.06, 0.08) } }).broken).toBe('both'));
  it('the worse of two: 5 s / 0.5 s = 10 against 0.05 / 0.04', () =>
    expect(only({ clocks: { ttft: spread(3, 4, 5), tpot: spread(0.03, 0.04, 0.05) } }).broken).toBe('ttft'));
  it('only in the tail', () => expect(only({ clocks: { ttft: spread(0.2, 0.4, 0.9) } }).cards[0].verdict).toBe('tail'));
  it('nothing to judge', () => expect(only({}).broken).toBe('unknown'));
  it('neither: the third clock, which is not measured', () => {
    const healthy = only({ clocks: { ttft: spread(0.1, 0.2, 0.3), tpot: spread(0.02, 0.02, 0.03) } });
    expect(healthy.broken).toBe('neither');
    const text = diagnosisText(healthy, targets).replaceAll(/\s+/g, ' ');
    expect(text).toContain(thirdClockAdvice);
    expect(thirdClockAdvice).toMatch(/retrieval is fresh.*same answer.*replayed/);
  });
});

describe('the split of TTFT', () => {
  const server = run({
    where: 'server',
    kind: 'server',
    load: { kind: 'unknown' },
    clocks: { ttft: exactly(0.6), queue: exactly(0.4), prefill: exactly(0.2) },
  });
  it('a server says what is queue', () => {
    const [diagnosis] = diagnose([server], { targets });
    expect(diagnosis?.cards[0].parts).toEqual([
      { name: 'queue', seconds: 0.4, from: 'measured' },
      { name: 'prefill', seconds: 0.2, from: 'measured' },
    ]);
    expect(diagnosis?.causes[0]).toMatchObject({ clock: 'ttft', kind: 'queue' });
    expect(diagnosis?.causes[0]?.sentence).toContain('67 % of TTFT is waiting');
  });
  it('an overloaded run is a queue', () => {
    const { causes } = only({
      load: { kind: 'rate', requestsPerSecond: 20 },
      requests: { completed: 1000 },
      throughput: { requestsPerSecond: 10 },
      clocks: { ttft: spread(5, 9, 10) },
    });
    expect(causes[0]?.kind).toBe('queue');
    expect(causes[0]?.sentence).toContain('more was sent than was finished');
  });
  it('client less server is network: 1.6 - 0.6 = 1.0 s', () => {
    const diagnoses = diagnose([run({ clocks: { ttft: exactly(1.6) } }), server], { targets });
    expect(diagnoses).toHaveLength(1);
    expect(diagnoses[0]?.cards[0].parts.at(-1)).toEqual({ name: 'network', seconds: 1, from: 'difference' });
    expect(diagnoses[0]?.causes[0]?.kind).toBe('network');
  });
});

describe('against the model', () => {
  const deployment = shippedDeployment('llama-3.1-8b', 'l4', 'vllm');
  const choices = { devices: [shippedDevice('h100-sxm5-80gb')], engines: [] };
  const engineOf = shippedEngine('vllm');
  it('a slow device that does what it can: hardware, and the first two levers shorten the clock', () => {
    // 16 GB of weights at 300 GB/s: 50 ms a token.
    const [diagnosis] = diagnose([run({ clocks: { ttft: exactly(0.4), tpot: exactly(0.065) } })], {
      targets,
      deployment,
      choices,
    });
    const [cause] = diagnosis?.causes ?? [];
    expect(diagnosis?.broken).toBe('tpot');
    expect(cause).toMatchObject({ kind: 'hardware', resource: 'weight-bandwidth' });
    expect(cause?.levers).toHaveLength(2);
    for (const lever of cause?.levers ?? []) expect(lever.tpot).toBeLessThan(0.95);
    expect(diagnosisText(diagnosis ?? only({}), targets)).toContain('It reacts most to reading weights');
  });
  it('far above the band: software', () => {
    const [diagnosis] = diagnose([run({ clocks: { tpot: exactly(0.4) } })], {
      targets,
      deployment,
      choices: { devices: [], engines: engineOf.releases.map((release) => ({ engine: engineOf, release })) },
    });
    expect(diagnosis?.causes[0]?.kind).toBe('software');
  });
});

describe('two runs', () => {
  const clocks = (tpot: number): Partial<BenchmarkRun> => ({ clocks: { ttft: exactly(0.2), tpot: exactly(tpot) } });
  it('the same work on the same hardware, slower: software', () => {
    const { clocks: compared } = compareRuns(run(clocks(0.01)), run(clocks(0.012)));
    expect(compared.map(({ verdict }) => verdict)).toEqual(['same', 'software slower']);
    expect(compared[1]?.unexplained).toBeCloseTo(1.2, 12);
    expect(comparisonText(compareRuns(run(clocks(0.01)), run(clocks(0.012))))).toContain('software slower');
  });
  it('other lengths without a model: open', () => {
    const longer = run({ ...clocks(0.012), tokens: { input: exactly(9000), output: exactly(100) } });
    const compared = compareRuns(run(clocks(0.01)), longer);
    expect(compared.clocks[1]?.verdict).toBe('open');
    expect(compared.open).toContain('no model and hardware');
  });
  it('another device explains its share', () => {
    const before = shippedDeployment('llama-3.1-8b', 'h100-sxm5-80gb', 'vllm');
    const after = shippedDeployment('llama-3.1-8b', 'h200-sxm-141gb', 'vllm');
    // Bandwidth 3.35 -> 4.8 TB/s: TPOT falls to somewhere between 0.7 and 0.85 of what it was.
    const { clocks: compared } = compareRuns(run(clocks(0.007)), run(clocks(0.007)), { before, after });
    expect(compared[1]?.explained).toBeGreaterThan(0.68);
    expect(compared[1]?.explained).toBeLessThan(0.9);
    expect(compared[1]?.verdict).toBe('software slower');
  });
});

describe('two looks at a server', () => {
  const look = (histogram: Histogram, tokens: number, completed: number): BenchmarkRun => {
    const ttft = fromHistogram(histogram);
    return run({
      kind: 'server',
      clocks: ttft === undefined ? {} : { ttft },
      tokens: { outputTotal: tokens },
      requests: { completed },
    });
  };
  const bounds = [0.1, 1];
  // 100 old requests of 50 ms; 10 new ones between 0.1 and 1 s that sum to 5 s.
  const before = look({ bounds, counts: [100, 0, 0], sum: 5 }, 1000, 100);
  const after = look({ bounds, counts: [100, 10, 0], sum: 10 }, 3000, 110);

  it('shows what happened in between', () => {
    const window = scrapeWindow(before, after, 10);
    expect(window?.clocks.ttft?.mean).toBeCloseTo(0.5, 12);
    expect(window?.throughput).toEqual({ requestsPerSecond: 1, outputTokensPerSecond: 200 });
    expect(window?.requests.completed).toBe(10);
  });
  it('says nothing over a restart', () => expect(scrapeWindow(after, before, 10)).toBeUndefined());
});

it('every preset names its source', () => {
  expect(targetPresets.map(({ name }) => name)).toEqual(['chat', 'completion', 'long-form', 'voice', 'agents']);
  for (const { source } of targetPresets) expect(source).toMatch(/\d{4}/);
});
