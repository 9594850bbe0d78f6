import { type BenchmarkRun, known, newRun, type RunClock, type RunClocks, runClocks } from './benchmark-run.ts';
import { type Distribution, fromHistogram, type Histogram } from './distribution.ts';
import type { LineReader } from './line-reader.ts';
import { BenchmarkError, countsFall, harmless, noRuns, tooManyValues } from './messages.ts';
import { familyOf, metricSample, type MetricSample } from './prometheus-text.ts';
import { type ServerNames, serverNames } from './server-names.ts';

/*
 * /metrics of vLLM, SGLang and TGI. Engines of one model are summed: data parallel ranks expose one series each.
 */

export const isServerMetrics = (head: string): boolean =>
  /^(?:# (?:HELP|TYPE) )?(?:vllm:|sglang:|tgi_)[a-z]/m.test(head);

/** Series that one scrape may have, to bound memory. */
const mostSeries = 100_000;

/** Reads one scrape, line by line. */
export function serverMetrics(where: string): LineReader<string> {
  const models = new Map<string, Scrape>();
  let series = 0;
  let number = 0;
  return {
    line(text) {
      number += 1;
      const sample = metricSample(text, where, number);
      if (sample === undefined) return;
      const names = serverNames.find(({ prefix }) => sample.name.startsWith(prefix));
      if (names === undefined) return;
      series += 1;
      if (series > mostSeries) throw new BenchmarkError(tooManyValues(where, 'series', mostSeries));
      const model = harmless(sample.labels.get('model_name') ?? '');
      const key = `${names.tool}\u0000${model}`;
      const scrape: Scrape = models.get(key) ?? {
        names,
        model,
        histograms: new Map(),
        sums: new Map(),
        values: new Map(),
        gauges: new Map(),
      };
      models.set(key, scrape);
      add(scrape, sample, where, number);
    },
    end() {
      const runs = [...models.values()].map((scrape) => runOf(scrape, where));
      const told = runs.filter(({ clocks, observed }) => Object.keys(clocks).length + Object.keys(observed).length > 0);
      if (told.length === 0) throw new BenchmarkError(noRuns(where, 'server metrics', 'a known clock or gauge'));
      return told;
    },
  };
}

/** Buckets of each series: bound and cumulative count. */
type BucketsOfSeries = Map<string, [number, number][]>;

interface Scrape {
  readonly names: ServerNames;
  readonly model: string;
  readonly histograms: Map<string, BucketsOfSeries>;
  /** Sums of histograms over series: some writers put them before the buckets, some behind. */
  readonly sums: Map<string, number>;
  /** Counters and gauges added over series. */
  readonly values: Map<string, number>;
  /** How many series each gauge has, for a mean of shares. */
  readonly gauges: Map<string, number>;
}

function add(scrape: Scrape, { name, labels, value }: MetricSample, where: string, number: number): void {
  const bare = name.slice(scrape.names.prefix.length);
  const family = partOf(scrape.names, familyOf(bare), labels);
  if (bare.endsWith('_bucket')) {
    const bound = boundOf(labels.get('le'));
    if (bound === undefined || !(value >= 0 && value < Infinity))
      throw new BenchmarkError(countsFall(where, number, name));
    const histogram: BucketsOfSeries = scrape.histograms.get(family) ?? new Map<string, [number, number][]>();
    scrape.histograms.set(family, histogram);
    const key = [...labels]
      .filter(([label]) => label !== 'le')
      .map((pair) => pair.join('='))
      .join();
    const buckets = histogram.get(key) ?? [];
    histogram.set(key, buckets);
    const before = buckets.at(-1);
    if (before !== undefined && (bound <= before[0] || value < before[1])) {
      throw new BenchmarkError(countsFall(where, number, name));
    }
    buckets.push([bound, value]);
    return;
  }
  if (!(value >= 0 && value < Infinity)) return;
  if (bare.endsWith('_sum')) {
    scrape.sums.set(family, (scrape.sums.get(family) ?? 0) + value);
    return;
  }
  // `_created` time stamps of the Python client are no counts.
  if (bare.endsWith('_created')) return;
  scrape.values.set(family, (scrape.values.get(family) ?? 0) + value);
  scrape.gauges.set(family, (scrape.gauges.get(family) ?? 0) + 1);
}

/** A family of which a label tells parts apart: TGI counts prefill and decode batches under one name. */
const partOf = (names: ServerNames, family: string, labels: ReadonlyMap<string, string>): string =>
  names.parts?.family === family ? `${family}.${labels.get(names.parts.label) ?? ''}` : family;

function boundOf(le: string | undefined): number | undefined {
  if (le === '+Inf' || le === 'inf' || le === 'Inf') return Infinity;
  const bound = Number(le);
  return le === undefined || le === '' || Number.isNaN(bound) ? undefined : bound;
}

/** The series of one histogram, added up. Undefined where their buckets differ or nothing was counted. */
function histogramOf(scrape: Scrape, family: string): Histogram | undefined {
  const found = scrape.histograms.get(family);
  if (found === undefined) return undefined;
  const [first] = found.values();
  if (first === undefined || first.at(-1)?.[0] !== Infinity) return undefined;
  const bounds = first.slice(0, -1).map(([bound]) => bound);
  const counts = first.map(() => 0);
  for (const buckets of found.values()) {
    if (buckets.length !== first.length || buckets.some(([bound], index) => bound !== first[index]?.[0]))
      return undefined;
    for (const [index, [, cumulative]] of buckets.entries()) {
      counts[index] = (counts[index] ?? 0) + cumulative - (buckets[index - 1]?.[1] ?? 0);
    }
  }
  const sum = scrape.sums.get(family);
  return { bounds, counts, ...(sum === undefined ? {} : { sum }) };
}

/** TTFT of a server that only exposes its parts. */
export function firstTokenOf({ queue, prefill }: RunClocks): Distribution | undefined {
  return queue?.mean === undefined || prefill?.mean === undefined
    ? undefined
    : { mean: queue.mean + prefill.mean, percentiles: [] };
}

function runOf(scrape: Scrape, where: string): BenchmarkRun {
  const { names, values, gauges } = scrape;
  const distribution = (family: string | undefined): Distribution | undefined => {
    const histogram = family === undefined ? undefined : histogramOf(scrape, family);
    return histogram === undefined ? undefined : fromHistogram(histogram);
  };
  const clocks: Partial<Record<RunClock, Distribution>> = {};
  for (const clock of runClocks) {
    const found = (names.clocks[clock] ?? []).map(distribution).find((each) => each !== undefined);
    if (found !== undefined) clocks[clock] = found;
  }
  const firstToken = clocks.ttft === undefined ? firstTokenOf(clocks) : undefined;
  if (firstToken !== undefined) clocks.ttft = firstToken;
  const value = (...families: readonly string[]): number | undefined =>
    families.map((family) => values.get(family)).find((found) => found !== undefined);
  const share = (...families: readonly string[]): number | undefined => {
    const family = families.find((each) => values.has(each));
    return family === undefined ? undefined : (values.get(family) ?? 0) / (gauges.get(family) ?? 1);
  };
  const queries = value('prefix_cache_queries');
  const hits = value('prefix_cache_hits');
  return newRun({
    tool: names.tool,
    where,
    kind: 'server',
    setting: { engine: names.engine, ...(scrape.model === '' ? {} : { model: scrape.model }) },
    requests: known({ completed: value('request_success') ?? clocks.e2e?.count }),
    tokens: known({
      input: distribution(names.input),
      output: distribution(names.output),
      inputTotal: value('prompt_tokens'),
      outputTotal: value('generation_tokens'),
      cachedTotal: value('prompt_tokens_cached', 'cached_tokens'),
    }),
    clocks,
    observed: known({
      running: value(...names.running),
      waiting: value(...names.waiting),
      keyValueShare: share(...names.keyValueShare),
      prefixHitShare:
        queries !== undefined && hits !== undefined && queries > 0 ? hits / queries : share('cache_hit_rate'),
      preemptions: value('num_preemptions', 'num_retracted_reqs'),
    }),
    notes: [
      'Histograms count since the server started, all loads mixed; scrape twice (watch) for what happens now.',
      'Percentiles are interpolated within histogram buckets.',
      'Times are taken in the server: network and client are not in them.',
      ...names.notes,
      ...(firstToken !== undefined ? ['TTFT here is the mean wait in the queue and the mean prefill together.'] : []),
    ],
  });
}
