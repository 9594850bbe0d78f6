import { countFormulas } from '../operator/formula/count-formulas.ts';
import type { CountFormula, Formula, FormulaContext } from '../operator/formula/formula.ts';
import { cachedFormula, decodeEntriesFormula, pairsFormula, visitedFormula } from '../operator/formula/span-formula.ts';
import type { Operator, Variable } from '../operator/operator.ts';
import { logitWork } from '../operator/sampling.ts';
import type { Span } from '../operator/span.ts';
import { widening } from '../phase/speculative.ts';
import { deploymentPrecision } from '../profile/precision.ts';
import type { Speculation } from '../profile/scenario.ts';
import { hostSharpness } from '../roofline/step-seconds.ts';
import type { StepTable } from '../roofline/step-table.ts';
import type { CompiledDeployment } from './compiled.ts';
import type { OperatorExplanation, StepExplanation } from './explanation.ts';

/** A step taken apart, with the formulas by which its counts follow from shapes and lengths. */
export interface StepFormulas extends StepExplanation {
  /** How the variables follow from lengths, in the order of need: pairs, cached entries, experts visited. */
  readonly amounts: readonly AmountFormula[];
  readonly operators: readonly OperatorFormulas[];
  readonly host: HostSeconds;
  readonly drafting?: DraftingSeconds;
}

/** What a decode step spends on drafting: so many passes, each of a stated share of a plain step or of a draft's own. */
export interface DraftingSeconds {
  readonly passes: number;
  readonly seconds: number;
  /** Share of a plain decode step that a pass takes, where it is stated. */
  readonly cost?: number;
}

/** A variable of the step. */
export interface AmountFormula extends Formula {
  readonly variable: string;
  readonly value: number;
}

/**
 * What the host adds to a step. Launches run ahead of the device and combine with it as a smooth maximum of exponent
 * `launchSharpness`; the rest adds. Seconds.
 */
export interface HostSeconds {
  readonly launch: number;
  readonly launchSharpness: number;
  readonly perStep: number;
  readonly perSequence: number;
  readonly sequences: number;
  readonly perStreamed: number;
  readonly streamed: number;
}

export interface OperatorFormulas extends OperatorExplanation {
  /** How its counts follow from shapes; a count without one is 0. */
  readonly formulas: readonly CountFormula[];
  /** Query-key pairs of prefill or entries read by decode, where the operator attends; else 0. */
  readonly attended: number;
  /** How many times the FLOPs are issued for the tokens that one pass checks; 1 without speculation. */
  readonly widened: number;
  /** Bytes of one pass over its activations beside the roofline. */
  readonly passBytes: number;
}

/** Adds the formulas to steps that `explainSteps` took apart: apart from it, since text takes longer than numbers. */
export function withFormulas(compiled: CompiledDeployment, step: StepExplanation): StepFormulas {
  const { deployment, table } = compiled;
  const ideal = compiled.grade === 'ideal';
  const amount = (variable: Variable): number => step.variables[variable] ?? 0;
  const context: FormulaContext = {
    model: deployment.model,
    precision: deploymentPrecision(deployment),
    parallelism: deployment.parallelism,
    fusedAttention: ideal || deployment.release.scheduling.fusedAttention,
    dividesKeyValue: ideal,
    evenRanks: ideal,
    logits: logitWork(deployment),
    amount,
  };
  const speculative = step.phase === 'decode' ? table.speculative : undefined;
  const own = speculative ?? table;
  // What the model does not do itself, a draft does.
  const checked = new Set(table.operators);
  const drafted = step.operators.filter(({ operator }) => !checked.has(operator));
  const widened = (operator: Operator): number =>
    speculative === undefined ? 1 : widening(operator, speculative.decodeWidth, compiled.grade);
  const drafting = draftingOf(deployment.speculation, drafted);
  return {
    ...step,
    amounts: amountFormulas({ ...own, spans: table.spans, expertGroups: table.expertGroups }, step, amount),
    operators: step.operators
      .filter(({ operator }) => checked.has(operator))
      .map((each) => operatorFormulas(each, context, widened(each.operator))),
    host: hostSeconds(own, amount),
    ...(drafting === undefined ? {} : { drafting }),
  };
}

function draftingOf(
  speculation: Speculation | undefined,
  drafted: readonly OperatorExplanation[],
): DraftingSeconds | undefined {
  if (speculation === undefined || drafted.length === 0) return undefined;
  const { tokens, cost } = speculation;
  return {
    passes: tokens,
    seconds: drafted.reduce((total, { seconds }) => total + seconds, 0),
    ...(cost === undefined ? {} : { cost }),
  };
}

function operatorFormulas(explained: OperatorExplanation, context: FormulaContext, widened: number): OperatorFormulas {
  const { operator } = explained;
  return {
    ...explained,
    formulas: countFormulas(operator, context).filter(({ count }) => explained[count] > 0),
    attended: operator.terms.reduce(
      (sum, { variable }) => (/^(?:pairs|decodeContext)\//.test(variable) ? sum + context.amount(variable) : sum),
      0,
    ),
    widened,
    passBytes:
      operator.inputPass === undefined
        ? explained.activationBytes
        : operator.inputPass.activationBytes * context.amount(operator.inputPass.variable),
  };
}

function amountFormulas(
  table: StepTable,
  { phase, lengths: { sequences, from, to } }: StepExplanation,
  amount: (variable: Variable) => number,
): readonly AmountFormula[] {
  const written = (span: Span, index: number): readonly (readonly [Variable, Formula])[] =>
    phase === 'prefill'
      ? [
          [`pairs/${index}`, pairsFormula(span, sequences, from, to)],
          [`prefillContext/${index}`, cachedFormula(span, sequences, from)],
        ]
      : [[`decodeContext/${index}`, decodeEntriesFormula(span, sequences, from, to)]];
  const spans = table.spans
    .flatMap(written)
    .map(([variable, formula]) => ({ ...formula, variable, value: amount(variable) }));
  const experts = table.expertGroups.map((group, index) => ({
    ...visitedFormula(group, amount('tokens')),
    variable: `touchedExperts/${index}`,
    value: amount(`touchedExperts/${index}`),
  }));
  return [...spans.filter(({ value }) => value > 0), ...experts];
}

/** As `addStepSeconds` charges the host. */
function hostSeconds(table: StepTable, amount: (variable: Variable) => number): HostSeconds {
  const eager = amount('prefillTokens') > 0 && amount('tokens') > (table.graphTokens ?? 0);
  return {
    launch: eager ? (table.prefillLaunch ?? table.launch) : table.launch,
    launchSharpness: hostSharpness,
    perStep: table.perStep,
    perSequence: table.perSequence,
    sequences: amount('sequences'),
    perStreamed: table.perStreamed,
    streamed: amount('streamed'),
  };
}
