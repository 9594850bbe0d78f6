import { checkScenario } from '../profile/check-scenario.ts';
import type { Prices } from '../profile/price.ts';
import type { Scenario } from '../profile/scenario.ts';
import { compile, type CompiledDeployment } from '../serving/compiled.ts';
import { type Candidate, candidatesFor, type Choices } from './candidates.ts';
import { type Complaint, type Diagnosis, diagnose } from './complaint.ts';
import { comparableCosts, costPerMillion } from './cost.ts';
import { applyLevers, LeverError, type LeverKind } from './lever.ts';
import { type QuickOutcome, quickOutcomeOf } from './quick-outcome.ts';
import { noticeable } from './verdict.ts';

/** Quantities that levers are ranked by; for all of them less is better. */
export const rankings = ['ttft', 'tpot', 'e2e', 'cost'] as const;
export type Ranking = (typeof rankings)[number];

/** One lever tried: after / before of everything that it may change. */
export interface Advice {
  readonly levers: readonly string[];
  readonly label: string;
  readonly kind: LeverKind;
  readonly outcome: QuickOutcome;
  /** Ratios after / before; `cost` is that of a million output tokens, absent where no price is known. */
  readonly ratios: Readonly<Record<'ttft' | 'tpot' | 'e2e' | 'throughput' | 'throughputPerDevice', number>> & {
    readonly cost?: number;
  };
  /** What it costs elsewhere, in words. */
  readonly costs: readonly string[];
  /** Asks for less work instead of doing the same work faster. */
  readonly asksLess: boolean;
}

export interface Advised {
  /** Of an unstable load `ttft` and `e2e` are Infinity, and the ratios of what settles it 0. */
  readonly base: QuickOutcome & { readonly cost?: number };
  readonly diagnosis?: Diagnosis;
  /** Everything that applies and fits. */
  readonly levers: readonly Advice[];
  /** Labels of the levers that shorten each, the most first. */
  readonly ranks: Readonly<Record<Ranking, readonly Advice[]>>;
  /** The first to try for each: the largest gain among those that give up next to nothing else. */
  readonly first: Readonly<Partial<Record<Ranking, Advice>>>;
  /** What does not apply or does not fit, and why. */
  readonly refused: readonly { readonly lever: string; readonly reason: string }[];
}

/**
 * Tries every lever that applies to a scenario, on the fast path, and ranks them by each clock, by the whole request
 * and by cost. With a complaint, on the workload that it is about.
 * @throws ScenarioError where the scenario cannot be.
 */
export function advise(
  scenario: Scenario,
  choices: Choices,
  options: { readonly prices?: Prices; readonly complaint?: Complaint } = {},
): Advised {
  checkScenario(scenario);
  const { prices, complaint } = options;
  const compiled = compile(scenario.deployment, scenario.grade);
  const diagnosis = complaint === undefined ? undefined : diagnose(complaint, compiled, scenario.workload);
  const asked = diagnosis === undefined ? scenario : { ...scenario, workload: diagnosis.felt.workload };
  const base = endless(quickOutcomeOf(compiled, asked.workload));
  const baseCost = costPerMillion(prices, scenario.deployment.hardware.name, base);
  const levers: Advice[] = [];
  const refused: { readonly lever: string; readonly reason: string }[] = [];
  for (const candidate of candidatesFor(asked, choices)) {
    const tried = attempt(candidate, asked, compiled);
    const text = candidate.map((lever) => lever.text).join(',');
    if (typeof tried === 'string') refused.push({ lever: text, reason: tried });
    else {
      const comparable = comparableCosts(prices, scenario.deployment.hardware.name, tried.device);
      levers.push(adviceOf(candidate, tried, base, baseCost, comparable ? prices : undefined));
    }
  }
  const decodes = asked.workload.output > 1;
  const ranks: Readonly<Record<Ranking, readonly Advice[]>> = {
    ttft: ranked(levers, 'ttft'),
    tpot: decodes ? ranked(levers, 'tpot') : [],
    e2e: ranked(levers, 'e2e'),
    cost: ranked(levers, 'cost'),
  };
  return {
    base: { ...base, ...(baseCost === undefined ? {} : { cost: baseCost }) },
    ...(diagnosis === undefined ? {} : { diagnosis }),
    levers,
    ranks,
    first: Object.fromEntries(
      rankings.flatMap((ranking) => {
        const best = firstToTry(ranks[ranking], ranking);
        return best === undefined ? [] : [[ranking, best]];
      }),
    ),
    refused,
  };
}

/** Where more requests arrive than leave, the wait has no end: any lever that settles it shortens it by all of it. */
const endless = (outcome: QuickOutcome): QuickOutcome =>
  outcome.stability?.verdict === 'unstable' ? { ...outcome, ttft: Infinity, e2e: Infinity } : outcome;

interface Tried {
  readonly outcome: QuickOutcome;
  readonly device: string;
}

/** The outcome of a candidate, or why there is none. */
function attempt(candidate: Candidate, scenario: Scenario, compiled: CompiledDeployment): Tried | string {
  let changed: Scenario;
  try {
    changed = applyLevers(candidate, scenario);
  } catch (error) {
    if (error instanceof LeverError) return error.message;
    throw error;
  }
  const table = changed.deployment === scenario.deployment ? compiled : compile(changed.deployment, changed.grade);
  const outcome = quickOutcomeOf(table, changed.workload);
  if (!outcome.fits) return 'it does not fit in memory.';
  if (outcome.stability?.verdict === 'unstable') {
    return `more requests arrive than it can finish (at most ${outcome.stability.largestRate.toPrecision(3)} a second).`;
  }
  return { outcome, device: changed.deployment.hardware.name };
}

function adviceOf(
  candidate: Candidate,
  { outcome, device }: Tried,
  base: QuickOutcome,
  baseCost: number | undefined,
  prices: Prices | undefined,
): Advice {
  const kind = candidate[0]?.kind ?? 'field';
  const cost = costPerMillion(prices, device, outcome);
  const perDevice = (of: QuickOutcome): number => of.outputTokensPerSecond / of.devices;
  const ratios = {
    ttft: outcome.ttft / base.ttft,
    tpot: outcome.tpot / base.tpot,
    e2e: outcome.e2e / base.e2e,
    throughput: outcome.outputTokensPerSecond / base.outputTokensPerSecond,
    throughputPerDevice: perDevice(outcome) / perDevice(base),
    ...(cost === undefined || baseCost === undefined ? {} : { cost: cost / baseCost }),
  };
  return {
    levers: candidate.map(({ text }) => text),
    label: candidate.map(({ label }) => label).join(', '),
    kind,
    outcome,
    ratios,
    costs: [...costsOf(ratios, outcome, base), ...candidate.flatMap(({ caution }) => caution ?? [])],
    asksLess: kind === 'length' || (kind === 'load' && outcome.requestsPerSecond < base.requestsPerSecond),
  };
}

/** Everything that gets worse by more than is lost between two runs. */
function costsOf(ratios: Advice['ratios'], outcome: QuickOutcome, base: QuickOutcome): readonly string[] {
  const worse = (name: string, ratio: number, better: 'less' | 'more'): readonly string[] => {
    const loss = better === 'less' ? ratio - 1 : 1 - ratio;
    return loss > noticeable ? [`${name} ${ratio > 1 ? '+' : '-'}${Math.round(Math.abs(ratio - 1) * 100)} %`] : [];
  };
  return [
    ...(outcome.stability?.verdict === 'unstable' && base.stability?.verdict !== 'unstable' ? ['unstable'] : []),
    ...worse('TTFT', ratios.ttft, 'less'),
    ...worse('TPOT', ratios.tpot, 'less'),
    ...worse('throughput', ratios.throughput, 'more'),
    ...(outcome.devices === base.devices ? [] : [`${outcome.devices} devices instead of ${base.devices}`]),
    ...worse('throughput per device', ratios.throughputPerDevice, 'more'),
    ...(ratios.cost === undefined ? [] : worse('cost per token', ratios.cost, 'less')),
  ];
}

const ranked = (levers: readonly Advice[], ranking: Ranking): readonly Advice[] =>
  levers
    .filter(({ ratios }) => (ratios[ranking] ?? 1) < 1 - noticeable)
    .toSorted(
      (a, b) =>
        (a.ratios[ranking] ?? 1) - (b.ratios[ranking] ?? 1) ||
        // Against a wait without end all ratios are 0.
        (ranking === 'cost' ? 0 : a.outcome[ranking] - b.outcome[ranking]),
    );

/** What a first attempt may give up of anything else. */
const tolerated = 0.1;

/** The largest gain that asks for no new device and gives up no more than a tenth of the other clock or of throughput per device; else the largest. */
function firstToTry(ranks: readonly Advice[], ranking: Ranking): Advice | undefined {
  const cheap = ranks.find(({ ratios, asksLess, kind, outcome }) => {
    const others = rankings.filter((each) => each !== ranking && each !== 'e2e').map((each) => ratios[each] ?? 1);
    return (
      !asksLess &&
      kind !== 'hardware' &&
      outcome.stability?.verdict !== 'unstable' &&
      ratios.throughputPerDevice > 1 - tolerated &&
      others.every((ratio) => ratio < 1 + tolerated)
    );
  });
  return cheap ?? ranks.find(({ asksLess }) => !asksLess);
}
