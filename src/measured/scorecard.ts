import type { BenchmarkRun } from '../exchange/benchmark/benchmark-run.ts';
import { type Distribution, meanOf, percentileOf } from '../exchange/benchmark/distribution.ts';
import type { Modelled } from './doctor/against-model.ts';
import type { Targets } from './targets.ts';

export type ScoredClock = 'ttft' | 'tpot';

/** One clock of a run against its target, its floor and its typical value; seconds. */
export interface Scorecard {
  readonly clock: ScoredClock;
  readonly target: number;
  readonly mean?: number;
  readonly p50?: number;
  readonly p95?: number;
  readonly p99?: number;
  /** `healthy`: the tail meets the target; `tail`: only the middle does; `broken`: not even that; `unknown`: not in the file. */
  readonly verdict: 'healthy' | 'tail' | 'broken' | 'unknown';
  /** The rank that the verdict is about, and whether the file knows a higher one. */
  readonly judged?: 'mean' | 'p50' | 'p95' | 'p99';
  readonly predicted?: {
    readonly seconds: number;
    readonly low: number;
    readonly high: number;
    readonly ideal: number;
  };
  /** Where the mean lies to the band of the prediction. */
  readonly against?: 'below' | 'within' | 'above';
  readonly parts: readonly ClockPart[];
}

/** A piece of a clock that the file tells of. */
export interface ClockPart {
  readonly name: 'queue' | 'prefill' | 'decode' | 'network';
  readonly seconds: number;
  /** `measured`: the file has it; `difference`: between a client and a server. */
  readonly from: 'measured' | 'difference';
}

/** Both clocks of a run. @param server The server's own view of the same traffic, where it was given too. */
export function scorecards(
  run: BenchmarkRun,
  targets: Targets,
  modelled?: Modelled,
  server?: BenchmarkRun,
): readonly [Scorecard, Scorecard] {
  return [
    scorecard('ttft', run, targets.ttft, modelled, firstTokenParts(run, server)),
    scorecard('tpot', run, targets.tpot, modelled, decodeParts(run)),
  ];
}

function scorecard(
  clock: ScoredClock,
  run: BenchmarkRun,
  target: number,
  modelled: Modelled | undefined,
  parts: readonly ClockPart[],
): Scorecard {
  const distribution = clock === 'ttft' ? (run.clocks.ttft ?? run.clocks.prefill) : run.clocks.tpot;
  const mean = meanOf(distribution);
  const [p50, p95, p99] = [50, 95, 99].map((rank) => percentileOf(distribution, rank));
  const prediction = modelled?.estimate[clock];
  return {
    clock,
    target,
    ...(mean === undefined ? {} : { mean }),
    ...(p50 === undefined ? {} : { p50 }),
    ...(p95 === undefined ? {} : { p95 }),
    ...(p99 === undefined ? {} : { p99 }),
    ...judge(distribution, target),
    ...(prediction === undefined
      ? {}
      : {
          predicted: {
            seconds: prediction.seconds,
            low: prediction.low,
            high: prediction.high,
            ideal: prediction.ideal,
          },
        }),
    ...(prediction === undefined || mean === undefined
      ? {}
      : { against: mean > prediction.high ? 'above' : mean < prediction.low ? 'below' : 'within' }),
    parts,
  };
}

function judge(distribution: Distribution | undefined, target: number): Pick<Scorecard, 'verdict' | 'judged'> {
  const middle = percentileOf(distribution, 50) ?? distribution?.mean;
  if (middle === undefined) return { verdict: 'unknown' };
  const [p99, p95] = [percentileOf(distribution, 99), percentileOf(distribution, 95)];
  const tail = p99 ?? p95 ?? middle;
  const judged =
    p99 !== undefined
      ? 'p99'
      : p95 !== undefined
        ? 'p95'
        : percentileOf(distribution, 50) !== undefined
          ? 'p50'
          : 'mean';
  return { verdict: middle > target ? 'broken' : tail > target ? 'tail' : 'healthy', judged };
}

/** TTFT = network + queue + prefill, as far as server and client tell. */
function firstTokenParts(run: BenchmarkRun, server: BenchmarkRun | undefined): readonly ClockPart[] {
  const source = server ?? run;
  const [queue, prefill] = [
    meanOf(source.clocks.queue),
    source.kind === 'kernel' ? undefined : meanOf(source.clocks.prefill),
  ];
  const parts: ClockPart[] = [];
  if (queue !== undefined) parts.push({ name: 'queue', seconds: queue, from: 'measured' });
  if (prefill !== undefined) parts.push({ name: 'prefill', seconds: prefill, from: 'measured' });
  const [outside, inside] = [meanOf(run.clocks.ttft), meanOf(server?.clocks.ttft)];
  if (run.kind === 'client' && outside !== undefined && inside !== undefined && outside > inside) {
    parts.push({ name: 'network', seconds: outside - inside, from: 'difference' });
  } else if (run.kind === 'server' && queue !== undefined && prefill === undefined) {
    const ttft = meanOf(run.clocks.ttft);
    if (ttft !== undefined && ttft > queue) parts.push({ name: 'prefill', seconds: ttft - queue, from: 'difference' });
  }
  return parts;
}

const decodeParts = (run: BenchmarkRun): readonly ClockPart[] => {
  const tpot = meanOf(run.clocks.tpot);
  return tpot === undefined ? [] : [{ name: 'decode', seconds: tpot, from: 'measured' }];
};
