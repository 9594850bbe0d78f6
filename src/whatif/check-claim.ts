import { explainWith, prepare, estimateWith } from '../estimate.ts';
import { deviceCount, type Scenario } from '../profile/scenario.ts';
import { formatRounded } from '../quantity/format-quantity.ts';
import { brent } from '../quantity/brent.ts';
import type { StepExplanation } from '../serving/explanation.ts';

/** What somebody says that a scenario reaches. Seconds and tokens per second of the whole deployment. */
export interface Claim {
  readonly ttft?: number;
  readonly tpot?: number;
  readonly outputTokensPerSecond?: number;
  /** Said of an empty cache, and of one token a step: then nothing but the hardware can explain it. */
  readonly plain?: boolean;
}

export type ClaimVerdict = 'possible' | 'needs speculation or caching' | 'impossible';

export interface ClaimResult {
  readonly quantity: 'TTFT' | 'TPOT' | 'output tokens/s';
  readonly verdict: ClaimVerdict;
  /** Whether such systems usually measure it; `implausible`: so near the floor that the measurement is to be doubted. */
  readonly plausibility: 'usual' | 'faster than usual' | 'slower than usual' | 'implausible' | 'no';
  readonly claimed: number;
  /** The textbook bound: seconds at least, or tokens per second at most. */
  readonly bound: number;
  /** Share of the bound that the claim is: above 1 it is beyond it. */
  readonly ofBound: number;
  readonly typical: number;
  readonly between: readonly [low: number, high: number];
  /** The bound in numbers, on one line. */
  readonly inequality: string;
  readonly sentence: string;
}

/**
 * Largest speed-up of a single stream by speculation that is published: 6.5 times (EAGLE-3,
 * https://arxiv.org/abs/2503.01840, abstract).
 */
const largestSpeculation = 6.5;

/** Kernels reach up to about 95 % of peak bandwidth and less of peak FLOP/s (measured operators of ten accelerators). */
const mostOfPeak = 0.95;

/**
 * Holds a claim against the textbook bound and against what such systems reach.
 * @throws ScenarioError where the scenario cannot be.
 */
export function checkClaim(scenario: Scenario, claim: Claim): readonly ClaimResult[] {
  const { deployment, workload } = scenario;
  const ideal = prepare(deployment, 'ideal');
  const floor = estimateWith(ideal, workload);
  const typical = estimateWith(prepare(deployment, 'typical'), workload);
  const [prefill, decode] = explainWith(ideal, workload);
  const results: ClaimResult[] = [];
  if (claim.ttft !== undefined) {
    const { seconds, low, high } = typical.ttft;
    const bound = floor.ttft.seconds;
    const missing = beyond(bound, claim.ttft) ? shareToCompute(scenario, claim.ttft) : 1;
    const isCacheable = missing !== undefined && claim.plain !== true;
    results.push(
      result('TTFT', claim.ttft, bound, seconds, [low, high], {
        inequality: secondsInequality('TTFT', claim.ttft, bound, prefill, deployment),
        isHelped: isCacheable,
        help:
          missing === undefined
            ? ''
            : `only a prefix cache that holds at least ${Math.ceil((1 - missing) * 100)} % of the prompt explains it`,
      }),
    );
  }
  if (claim.tpot !== undefined) {
    const { seconds, low, high } = typical.tpot;
    const bound = floor.tpot.seconds;
    const tokens = bound / claim.tpot;
    results.push(
      result('TPOT', claim.tpot, bound, seconds, [low, high], {
        inequality: secondsInequality('TPOT', claim.tpot, bound, decode, deployment),
        isHelped: tokens <= largestSpeculation && claim.plain !== true,
        help: `only speculation that keeps at least ${tokens.toFixed(2)} tokens a step explains it`,
      }),
    );
  }
  if (claim.outputTokensPerSecond !== undefined) {
    const most = floor.throughput.outputTokensPerSecond;
    const now = typical.throughput.outputTokensPerSecond;
    const spread = [
      now * (typical.e2e.seconds / typical.e2e.high),
      now * (typical.e2e.seconds / typical.e2e.low),
    ] as const;
    const tokens = claim.outputTokensPerSecond / most;
    results.push(
      rateResult(claim.outputTokensPerSecond, most, now, spread, tokens <= largestSpeculation && claim.plain !== true),
    );
  }
  return results;
}

/** A claim at most a hair beyond a bound is at it. */
const beyond = (bound: number, claimed: number): boolean => claimed < bound * (1 - 1e-6);

interface Help {
  readonly inequality: string;
  readonly isHelped: boolean;
  readonly help: string;
}

function result(
  quantity: 'TTFT' | 'TPOT',
  claimed: number,
  bound: number,
  typical: number,
  between: readonly [number, number],
  { inequality, isHelped, help }: Help,
): ClaimResult {
  const ofBound = bound / claimed;
  const isBeyond = beyond(bound, claimed);
  const verdict: ClaimVerdict = !isBeyond ? 'possible' : isHelped ? 'needs speculation or caching' : 'impossible';
  const plausibility = isBeyond ? 'no' : plausibilityOf(ofBound, claimed < between[0], claimed > between[1]);
  return {
    quantity,
    verdict,
    plausibility,
    claimed,
    bound,
    ofBound,
    typical,
    between,
    inequality,
    sentence: sentenceOf(quantity, seconds(claimed), verdict, plausibility, ofBound, help, [
      seconds(between[0]),
      seconds(between[1]),
    ]),
  };
}

function rateResult(
  claimed: number,
  most: number,
  typical: number,
  between: readonly [number, number],
  isHelped: boolean,
): ClaimResult {
  const ofBound = claimed / most;
  const isBeyond = ofBound > 1 + 1e-6;
  const verdict: ClaimVerdict = !isBeyond ? 'possible' : isHelped ? 'needs speculation or caching' : 'impossible';
  const plausibility = isBeyond ? 'no' : plausibilityOf(ofBound, claimed > between[1], claimed < between[0]);
  const rate = (value: number): string => `${formatRounded(value, 'ratio')} tokens/s`;
  return {
    quantity: 'output tokens/s',
    verdict,
    plausibility,
    claimed,
    bound: most,
    ofBound,
    typical,
    between,
    inequality: `${rate(claimed)} ${isBeyond ? '>' : '<='} ${rate(most)} at full peak`,
    sentence: sentenceOf(
      'output',
      rate(claimed),
      verdict,
      plausibility,
      ofBound,
      `only speculation or caching that does ${ofBound.toFixed(2)} times the work of a step explains it`,
      [rate(between[0]), rate(between[1])],
    ),
  };
}

const plausibilityOf = (ofBound: number, fast: boolean, slow: boolean): ClaimResult['plausibility'] => {
  if (ofBound > mostOfPeak) return 'implausible';
  return fast ? 'faster than usual' : slow ? 'slower than usual' : 'usual';
};

function sentenceOf(
  quantity: string,
  claimed: string,
  verdict: ClaimVerdict,
  plausibility: ClaimResult['plausibility'],
  ofBound: number,
  help: string,
  [low, high]: readonly [string, string],
): string {
  switch (verdict) {
    case 'impossible':
      return `Impossible by a factor of ${ofBound.toFixed(2)}: ${quantity} of ${claimed} is beyond the floor of the hardware.`;
    case 'needs speculation or caching':
      return `${quantity} of ${claimed} is beyond the floor by a factor of ${ofBound.toFixed(2)}: ${help}.`;
    case 'possible':
      return plausibility === 'implausible'
        ? `Possible on paper only: ${quantity} of ${claimed} is ${percent(ofBound)} of peak, more than kernels reach; doubt the measurement.`
        : `Possible: ${quantity} of ${claimed} is ${percent(ofBound)} of the floor's pace, ${plausibility}; such systems measure ${low} to ${high}.`;
  }
}

/** '12.2 ms < 130 ms >= 35.6 GB / 273 GB/s': what has to be moved or computed, over the rate that does it. */
function secondsInequality(
  quantity: string,
  claimed: number,
  bound: number,
  { operators, steps }: StepExplanation,
  { hardware, parallelism }: Scenario['deployment'],
): string {
  const sum = (key: 'flops' | 'weightBytes' | 'keyValueBytes'): number =>
    operators.reduce((all, each) => all + each[key] * steps, 0);
  const bytes = sum('weightBytes') + sum('keyValueBytes');
  const gigabytes = (value: number): string => `${formatRounded(value / 1e9, 'ratio')} GB`;
  const peak = Math.max(...operators.map(({ rates }) => rates.peak));
  const ranks = parallelism.tensor > 1 ? ` on each of ${deviceCount(parallelism)} devices` : '';
  const byBytes = bytes / hardware.memory.bandwidth;
  const sign = beyond(bound, claimed) ? '<' : '>=';
  const why =
    byBytes > bound / 2
      ? `(${gigabytes(sum('weightBytes'))} weights + ${gigabytes(sum('keyValueBytes'))} KV) / ${formatRounded(hardware.memory.bandwidth, 'bandwidth')}${ranks}`
      : `${formatRounded(sum('flops') / 1e12, 'ratio')} TFLOP / ${formatRounded(peak, 'flop-rate')}${ranks}`;
  return `${quantity} ${seconds(claimed)} ${sign} ${seconds(bound)} = ${why}`;
}

/** Largest share of the prompt that may be left to compute for the textbook TTFT to meet a target; undefined where none does. */
function shareToCompute({ deployment, workload }: Scenario, target: number): number | undefined {
  const ideal = prepare(deployment, 'ideal');
  const { prompt } = workload;
  const over = (share: number): number => {
    const cached = Math.min(prompt - 1, Math.max(0, Math.round(prompt * (1 - share))));
    return estimateWith(ideal, { ...workload, cached }).ttft.seconds - target;
  };
  if (prompt < 2 || over(0) > 0) return undefined;
  return brent(over, 0, 1);
}

const seconds = (value: number): string => formatRounded(value, 'time');
const percent = (share: number): string => `${Math.round(share * 100)} %`;
