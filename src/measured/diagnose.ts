import type { BenchmarkRun } from '../exchange/benchmark/benchmark-run.ts';
import type { Deployment } from '../profile/scenario.ts';
import type { Resource } from '../roofline/resource.ts';
import { type Advice, advise } from '../whatif/advise.ts';
import type { Choices } from '../whatif/candidates.ts';
import { time } from './doctor-words.ts';
import { examine } from './doctor.ts';
import { type Modelled, modelRun } from './doctor/against-model.ts';
import type { Finding } from './finding.ts';
import { type Scorecard, scorecards, type ScoredClock } from './scorecard.ts';
import type { Targets } from './targets.ts';

/** Which clock of a run is broken, on what, and what to try first. */
export interface RunDiagnosis {
  readonly where: string;
  readonly tool: string;
  readonly cards: readonly [Scorecard, Scorecard];
  /** The clock that misses its target by the larger factor; both where neither is much worse. */
  readonly broken: 'ttft' | 'tpot' | 'both' | 'neither' | 'unknown';
  readonly causes: readonly Cause[];
  /** Identity checks that failed: figures not to be trusted. */
  readonly findings: readonly Finding[];
  /** Why there is no prediction; absent where there is one. */
  readonly unpredicted?: string;
}

/** Why a clock is as long as it is. */
export interface Cause {
  readonly clock: ScoredClock;
  /** `network`: between client and server; `queue`: waiting; `software`: slower than this hardware typically is; `hardware`: as it typically is. */
  readonly kind: 'network' | 'queue' | 'software' | 'hardware' | 'unknown';
  /** The resource that the predicted clock reacts to most, and its share. */
  readonly resource?: Resource;
  readonly share?: number;
  /** One sentence with the figures. */
  readonly sentence: string;
  /** The first two levers, with their predicted effect on both clocks. */
  readonly levers: readonly Lever[];
}

interface Lever {
  readonly label: string;
  /** After / before, as predicted. */
  readonly ttft: number;
  readonly tpot: number;
  /** What it costs elsewhere. */
  readonly costs: readonly string[];
}

export interface DiagnoseOptions {
  readonly targets: Targets;
  readonly deployment?: Deployment;
  readonly choices?: Choices;
  readonly assumed?: { readonly prompt?: number; readonly output?: number };
}

/**
 * Diagnoses every run. Where a client's and a server's view are given together, their difference is the network.
 * @throws ScenarioError where the deployment cannot be.
 */
export function diagnose(runs: readonly BenchmarkRun[], options: DiagnoseOptions): readonly RunDiagnosis[] {
  const clients = runs.filter(({ kind }) => kind !== 'server');
  const servers = runs.filter(({ kind, clocks }) => kind === 'server' && clocks.ttft !== undefined);
  const server = clients.length === 1 && servers.length === 1 ? servers[0] : undefined;
  return (server === undefined ? runs : clients).map((run) => diagnoseRun(run, options, server));
}

function diagnoseRun(run: BenchmarkRun, options: DiagnoseOptions, server: BenchmarkRun | undefined): RunDiagnosis {
  const { targets, deployment, choices, assumed } = options;
  const attempt = deployment === undefined ? 'no model and hardware were given' : modelRun(run, deployment, assumed);
  const modelled = typeof attempt === 'string' ? undefined : attempt;
  const cards = scorecards(run, targets, modelled, server);
  const { findings } = examine([run], run.where, deployment, assumed);
  const broken = brokenClock(cards);
  const wanted: readonly ScoredClock[] =
    broken === 'both' ? ['ttft', 'tpot'] : broken === 'ttft' || broken === 'tpot' ? [broken] : [];
  return {
    where: run.where,
    tool: run.tool,
    cards,
    broken,
    causes: wanted.map((clock) => causeOf(clock, cards[clock === 'ttft' ? 0 : 1], run, modelled, choices, findings)),
    findings: findings.filter(({ severity }) => severity === 'broken'),
    ...(typeof attempt === 'string' ? { unpredicted: attempt } : {}),
  };
}

/** Within this factor of each other both clocks are named. */
const alike = 2;

function brokenClock([ttft, tpot]: readonly [Scorecard, Scorecard]): RunDiagnosis['broken'] {
  if (ttft.verdict === 'unknown' && tpot.verdict === 'unknown') return 'unknown';
  const [first, next] = [missedBy(ttft), missedBy(tpot)];
  if (first <= 1 && next <= 1) return 'neither';
  if (first > 1 && next > 1 && first / next < alike && next / first < alike) return 'both';
  return first > next ? 'ttft' : 'tpot';
}

/** The tail over the target; 0 where the clock is not in the file. */
const missedBy = ({ p99, p95, p50, mean, target }: Scorecard): number => (p99 ?? p95 ?? p50 ?? mean ?? 0) / target;

/** A queue that is this share of TTFT is its cause. */
const mostlyQueue = 0.4;

function causeOf(
  clock: ScoredClock,
  card: Scorecard,
  run: BenchmarkRun,
  modelled: Modelled | undefined,
  choices: Choices | undefined,
  findings: readonly Finding[],
): Cause {
  const levers = modelled === undefined || choices === undefined ? [] : leversFor(clock, modelled, choices);
  const bound = modelled?.estimate.bound[clock];
  const binding = bound === undefined ? {} : { resource: bound.resource, share: bound.share };
  const mean = card.mean;
  const queue = card.parts.find(({ name }) => name === 'queue')?.seconds;
  const predictedQueue = modelled?.estimate[clock].breakdown.queue;
  const common = { clock, ...binding, levers };
  const network = card.parts.find(({ name }) => name === 'network')?.seconds;
  if (clock === 'ttft' && mean !== undefined && network !== undefined && network / mean > mostlyQueue) {
    return {
      clock,
      kind: 'network',
      levers: [],
      sentence: `${share(network / mean)} of TTFT passes between client and server (${time(network)}): network, proxies, tokenisation in front, or a client that is late; nothing in the model or on the device shortens it.`,
    };
  }
  if (clock === 'ttft' && mean !== undefined && queue !== undefined && queue / mean > mostlyQueue) {
    return {
      ...common,
      kind: 'queue',
      sentence: `the server says that ${share(queue / mean)} of TTFT is waiting: prefill is not the problem, capacity is.`,
    };
  }
  if (clock === 'ttft' && findings.some(({ rule, severity }) => rule === 'overload' && severity === 'broken')) {
    return {
      ...common,
      kind: 'queue',
      sentence:
        'more was sent than was finished, so most of it is waiting, and it grows with the run: capacity is the problem, not prefill.',
    };
  }
  if (
    clock === 'ttft' &&
    mean !== undefined &&
    predictedQueue !== undefined &&
    queue === undefined &&
    predictedQueue / (modelled?.estimate.ttft.seconds ?? 1) > mostlyQueue &&
    card.against !== 'above'
  ) {
    return {
      ...common,
      kind: 'queue',
      sentence: `under this load ${share(predictedQueue / (modelled?.estimate.ttft.seconds ?? 1))} of a typical TTFT is waiting: capacity, not prefill, sets it.`,
    };
  }
  if (card.predicted === undefined || mean === undefined) {
    return { ...common, kind: 'unknown', sentence: 'give model and hardware to tell hardware from software.' };
  }
  const times = mean / card.predicted.seconds;
  if (card.against === 'above') {
    return {
      ...common,
      kind: 'software',
      sentence: `it takes ${digits(times)} times what this hardware typically takes here, outside the band: look at software, settings and load (${hint(clock, run)}) before hardware.`,
    };
  }
  return {
    ...common,
    kind: 'hardware',
    sentence: `it is what this hardware typically takes here (${digits(times)} times the prediction): only a lever on its resource shortens it.`,
  };
}

const share = (value: number): string => `${Math.round(value * 100)} %`;
const digits = (value: number): string => String(Number(value.toPrecision(3)));

function hint(clock: ScoredClock, { load, observed }: BenchmarkRun): string {
  if (clock === 'ttft') {
    if (load.kind === 'all-at-once') return 'everything was sent at once';
    return (observed.waiting ?? 0) > 0 ? 'requests wait' : 'queue, tokenisation, cold caches, chunked prefill off';
  }
  return (observed.preemptions ?? 0) > 0
    ? 'preemptions'
    : 'eager mode, CPU-bound steps, prefill in between, wrong parallelism';
}

/** The first to try, and the next best that is of another kind. */
function leversFor(clock: ScoredClock, { scenario }: Modelled, choices: Choices): readonly Lever[] {
  const advised = advise(scenario, choices);
  const first = advised.first[clock];
  const ranked = advised.ranks[clock].filter(({ asksLess }) => !asksLess);
  const next = ranked.find((advice) => advice !== first && advice.kind !== first?.kind);
  return [first, next].flatMap((advice) => (advice === undefined ? [] : [leverOf(advice)]));
}

const leverOf = ({ label, ratios, costs }: Advice): Lever => ({ label, ttft: ratios.ttft, tpot: ratios.tpot, costs });
