import { checkScenario } from '../profile/check-scenario.ts';
import type { Scenario } from '../profile/scenario.ts';
import { ScenarioError } from '../profile/scenario-messages.ts';
import { refused } from './messages.ts';
import { overlap, type Slot } from './slot.ts';

/** What kind of change a lever is; `advise` tries each kind. */
export type LeverKind =
  | 'hardware'
  | 'parallelism'
  | 'precision'
  | 'load'
  | 'length'
  | 'prefix-cache'
  | 'token-budget'
  | 'speculation'
  | 'disaggregation'
  | 'engine'
  | 'graphs'
  | 'sampling'
  | 'power'
  | 'offload'
  | 'field'
  | 'inverse';

/** One change to a scenario: says what it writes, whether it applies, and does it. */
export interface Lever {
  readonly kind: LeverKind;
  /** As `--change` takes it: 'tp=8'. */
  readonly text: string;
  /** For people: 'TP 8'. */
  readonly label: string;
  readonly writes: readonly Slot[];
  /** Paths of the parts that its effect depends on. */
  readonly reads: readonly string[];
  /** Why it does not apply, one sentence; undefined where it does. */
  readonly refusal: (scenario: Scenario) => string | undefined;
  readonly change: (scenario: Scenario) => Scenario;
  /** What it may cost that no clock shows. */
  readonly caution?: string;
}

/** Thrown where a lever cannot be read or does not apply; one sentence for the person who asked. */
export class LeverError extends Error {
  override readonly name: string = 'LeverError';
}

/** A lever without the parts that most have in common. */
export const lever = (parts: Pick<Lever, 'kind' | 'text' | 'label' | 'writes' | 'change'> & Partial<Lever>): Lever => ({
  reads: [],
  refusal: () => undefined,
  ...parts,
});

/** The scenario after levers, in their order. @throws LeverError where one does not apply. */
export function applyLevers(levers: readonly Lever[], scenario: Scenario): Scenario {
  const changed = levers.reduce((before, { text, refusal, change }) => {
    const reason = refusal(before);
    if (reason !== undefined) throw new LeverError(refused(text, reason));
    return change(before);
  }, scenario);
  // Levers of one change may need each other (TP and experts), so that only their result has to be possible.
  try {
    checkScenario(changed);
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    throw new LeverError(refused(levers.map(({ text }) => text).join(','), error.message), { cause: error });
  }
  return changed;
}

/** Why levers do not apply to a scenario together; undefined where they do. */
export function whyNot(levers: readonly Lever[], scenario: Scenario): string | undefined {
  try {
    applyLevers(levers, scenario);
    return undefined;
  } catch (error) {
    if (error instanceof Error && (error.name === 'LeverError' || error.name === 'QuantityError')) return error.message;
    throw error;
  }
}

/** The lever that undoes levers on a scenario: what they write goes back to what it was. */
export function inverseOf(levers: readonly Lever[], scenario: Scenario): Lever {
  const writes = levers.flatMap((each) => each.writes);
  return lever({
    kind: 'inverse',
    text: levers.map(({ text }) => text).join(','),
    label: `without ${levers.map(({ label }) => label).join(', ')}`,
    writes,
    change: (changed) => writes.reduceRight((to, slot) => slot.copy(scenario, to), changed),
  });
}

/** Two levers whose order makes no difference: neither writes what the other writes or reads. */
export const independent = (one: Lever, other: Lever): boolean =>
  !one.writes.some(({ path }) => touches(other, path)) && !other.writes.some(({ path }) => touches(one, path));

const touches = ({ writes, reads }: Lever, path: string): boolean =>
  writes.some((slot) => overlap(slot.path, path)) || reads.some((read) => overlap(read, path));
