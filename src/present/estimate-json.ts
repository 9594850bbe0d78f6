import type { Estimate } from '../estimate.ts';
import type { Breakdown } from '../roofline/resource.ts';
import type { Clock } from '../serving/clock.ts';
import type { Receipt } from './receipt.ts';

/** The documented object of `estimate --json`; see docs/formats.md. Seconds, bytes, tokens and requests per second. */
export interface EstimateJson {
  readonly schema: 'twoclocks/estimate@1';
  readonly ttft: ClockJson;
  readonly tpot: ClockJson;
  readonly e2e: ClockJson;
  readonly throughput: Estimate['throughput'];
  readonly memory: Estimate['memory'];
  readonly load: Estimate['load'];
  readonly pools?: Estimate['pools'];
  readonly bound: Estimate['bound'];
  readonly warnings: readonly string[];
  readonly grade: Estimate['grade'];
  readonly evidence: Estimate['evidence'];
  readonly sampling?: Estimate['sampling'];
  readonly receipt?: Receipt;
}

export interface ClockJson {
  /** Null where requests arrive faster than they leave, so that the wait has no mean; `low` and `high` too. */
  readonly seconds: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly ideal: number;
  readonly breakdown: Breakdown;
  readonly elasticity: Breakdown;
  readonly grade: Clock['grade'];
  readonly regime: string;
}

/** An estimate as that object, in a fixed order of keys. */
export function estimateJson(estimate: Estimate, receipt?: Receipt): EstimateJson {
  const { ttft, tpot, e2e, throughput, memory, load, pools, bound, warnings, grade, evidence, sampling } = estimate;
  const waits = (clock: Clock): ClockJson =>
    load.stability?.verdict === 'unstable'
      ? { ...clockJson(clock), seconds: null, low: null, high: null }
      : clockJson(clock);
  return {
    schema: 'twoclocks/estimate@1',
    ttft: waits(ttft),
    tpot: clockJson(tpot),
    e2e: waits(e2e),
    throughput,
    memory,
    load,
    ...(pools === undefined ? {} : { pools }),
    bound,
    warnings,
    grade,
    evidence,
    ...(sampling === undefined ? {} : { sampling }),
    ...(receipt === undefined ? {} : { receipt }),
  };
}

const clockJson = ({ seconds, low, high, ideal, breakdown, elasticity, grade, regime }: Clock): ClockJson => ({
  seconds,
  low,
  high,
  ideal,
  breakdown,
  elasticity,
  grade,
  regime,
});
