import type { Scenario } from '../profile/scenario.ts';
import { applyLevers, independent, type Lever, LeverError, whyNot } from './lever.ts';
import { tooManyLevers } from './messages.ts';
import { quickOutcome, type QuickOutcome } from './quick-outcome.ts';

const clocks = ['ttft', 'tpot', 'e2e'] as const;
type ClockName = (typeof clocks)[number];

/** Seconds that a step adds to each clock (less than 0: takes off), and what each clock is then. */
export interface WaterfallStep {
  readonly label: string;
  readonly lever: string;
  readonly added: Readonly<Record<ClockName, number>>;
  readonly after: Readonly<Record<ClockName, number>>;
}

export interface Waterfall {
  readonly base: Readonly<Record<ClockName, number>>;
  readonly steps: readonly WaterfallStep[];
  readonly end: Readonly<Record<ClockName, number>>;
  /**
   * Each lever's share of the whole change, seconds, whatever the order: the mean over all orders (Shapley). Undefined
   * where the order decides what the levers mean, or where some do not apply without others.
   */
  readonly orderFree?: readonly { readonly lever: string; readonly added: Readonly<Record<ClockName, number>> }[];
  /** Why there is no order-free attribution. */
  readonly note?: string;
}

/** 2^n scenarios are evaluated for n levers. */
const mostLevers = 10;

/**
 * Several levers in a row: what each step does to each clock, and what each lever does on the mean of all orders
 * (L. S. Shapley, A Value for n-Person Games, 1953). Both add up to the whole change.
 * @throws LeverError where a step does not apply, or for more levers than can be ordered.
 */
export function waterfall(scenario: Scenario, levers: readonly Lever[]): Waterfall {
  if (levers.length > mostLevers) throw new LeverError(tooManyLevers(levers.length, mostLevers));
  const base = clocksOf(quickOutcome(scenario));
  let before = base;
  let changed = scenario;
  const steps = levers.map((lever): WaterfallStep => {
    changed = applyLevers([lever], changed);
    const after = clocksOf(quickOutcome(changed));
    const step = { label: lever.label, lever: lever.text, added: difference(before, after), after };
    before = after;
    return step;
  });
  return { base, steps, end: before, ...orderFree(scenario, levers) };
}

function orderFree(scenario: Scenario, levers: readonly Lever[]): Pick<Waterfall, 'orderFree' | 'note'> {
  for (const [index, one] of levers.entries()) {
    const other = levers.slice(index + 1).find((each) => !independent(one, each));
    if (other !== undefined)
      return {
        note: `'${one.text}' and '${other.text}' depend on each other, so that only their order gives each a share.`,
      };
  }
  const values: Readonly<Record<ClockName, number>>[] = [];
  for (let set = 0; set < 1 << levers.length; set++) {
    const chosen = levers.filter((_, index) => (set & (1 << index)) !== 0);
    const reason = whyNot(chosen, scenario);
    if (reason !== undefined) return { note: `no order-free shares, as not every choice of levers applies: ${reason}` };
    values.push(clocksOf(quickOutcome(applyLevers(chosen, scenario))));
  }
  return {
    orderFree: levers.map(({ text }, index) => ({
      lever: text,
      added: record((clock) => shapley(index, levers.length, (set) => values[set]?.[clock] ?? Number.NaN)),
    })),
  };
}

/** Sum over sets S without the lever of |S|! (n - |S| - 1)! / n! x (value with it - value without). */
function shapley(index: number, count: number, value: (set: number) => number): number {
  const bit = 1 << index;
  let sum = 0;
  for (let set = 0; set < 1 << count; set++) {
    if ((set & bit) !== 0) continue;
    let size = 0;
    for (let rest = set; rest > 0; rest >>= 1) size += rest & 1;
    sum += ((factorial(size) * factorial(count - size - 1)) / factorial(count)) * (value(set | bit) - value(set));
  }
  return sum;
}

const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));

const clocksOf = ({ ttft, tpot, e2e }: QuickOutcome): Readonly<Record<ClockName, number>> => ({ ttft, tpot, e2e });

const record = (of: (clock: ClockName) => number): Readonly<Record<ClockName, number>> => ({
  ttft: of('ttft'),
  tpot: of('tpot'),
  e2e: of('e2e'),
});

const difference = (
  before: Readonly<Record<ClockName, number>>,
  after: Readonly<Record<ClockName, number>>,
): Readonly<Record<ClockName, number>> => record((clock) => after[clock] - before[clock]);
