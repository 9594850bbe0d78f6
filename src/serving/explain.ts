import type { Operator } from '../operator/operator.ts';
import { addDecode, addPrefill, clearStep, newStep, finishStep } from '../phase/step.ts';
import { prefillSteps } from '../phase/prefill.ts';
import type { Workload } from '../profile/workload.ts';
import { operatorTerms } from '../roofline/operator-parts.ts';
import { breakdownOf, resourceCount } from '../roofline/resource.ts';
import { addOperatorSeconds, addStepSeconds } from '../roofline/step-seconds.ts';
import type { StepTable } from '../roofline/step-table.ts';
import type { CompiledDeployment } from './compiled.ts';
import type { OperatorExplanation, StepExplanation } from './explanation.ts';
import { decodeStages, microBatch } from './static-batch.ts';

const vector = newStep();

/**
 * Takes the prefill of one request (of the whole batch, for a static batch) and the mean decode step apart, operator
 * by operator, from the same table that the fast path evaluates. `running`: sequences that decode together.
 */
export function explainSteps(
  compiled: CompiledDeployment,
  workload: Workload,
  running: number,
): readonly [StepExplanation, StepExplanation] {
  const { table, limits, groups } = compiled;
  const { prompt, cached, load } = workload;
  const sequences = load.kind === 'batch' ? Math.max(1, load.size / groups) : 1;
  const budget = compiled.grade === 'ideal' ? Infinity : Math.min(limits.tokenBudget, table.passTokens ?? Infinity);
  const steps = prefillSteps(sequences * (prompt - cached), budget);
  const tokens = prompt - cached;
  const perStep = sequences >= steps ? sequences / steps : 1;
  const cuts = sequences >= steps ? 1 : Math.ceil(steps / sequences);
  // A prompt cut into chunks is shown by the chunk in its middle, whose pairs are the mean.
  const from = cached + (tokens - tokens / cuts) / 2;
  clearStep(table, vector);
  addPrefill(table, vector, perStep, from, from + tokens / cuts, perStep / cuts);
  finishStep(table, vector);
  const lengths = { sequences: perStep, from, to: from + tokens / cuts };
  const prefill = explainStep(table, vector, 'prefill', sequences >= steps ? steps : cuts * sequences, lengths);
  return [prefill, explainDecode(compiled, workload, running)];
}

/** The mean decode step alone. `running`: sequences that decode together. */
export function explainDecode(
  { table, deployment }: CompiledDeployment,
  { prompt, output }: Pick<Workload, 'prompt' | 'output'>,
  running: number,
): StepExplanation {
  const decoded = table.speculative ?? table;
  clearStep(decoded, vector);
  const decoding = microBatch(running, decodeStages(deployment));
  const contexts = { sequences: decoding, from: prompt + 1, to: prompt + Math.max(1, output - 1) };
  addDecode(decoded, vector, decoding, contexts.from, contexts.to);
  finishStep(decoded, vector);
  return explainStep(decoded, vector, 'decode', 1, contexts);
}

function explainStep(
  table: StepTable,
  step: Float64Array,
  phase: StepExplanation['phase'],
  steps: number,
  lengths: StepExplanation['lengths'],
): StepExplanation {
  const variables: Record<string, number> = {};
  for (const [index, variable] of table.variables.entries()) variables[variable] = step[index] ?? 0;
  const operators: OperatorExplanation[] = [];
  let device = 0;
  for (const [index, operator] of table.operators.entries()) {
    parts.fill(0);
    const seconds = addOperatorSeconds(table, index, index + 1, step, parts);
    if (seconds === 0) continue;
    device += seconds;
    operators.push(explainOperator(table, operator, index, step, variables, seconds));
  }
  parts.fill(0);
  const seconds = addStepSeconds(table, step, parts);
  return {
    phase,
    variables,
    steps,
    lengths,
    operators,
    engineSeconds: seconds - device,
    seconds,
    breakdown: breakdownOf(parts),
  };
}

/** Seconds by resource of the operator or step at hand. */
const parts = new Float64Array(resourceCount);

/** An operator that takes `seconds`, which `parts` holds by resource. */
function explainOperator(
  table: StepTable,
  operator: Operator,
  index: number,
  step: Float64Array,
  variables: Readonly<Record<string, number>>,
  seconds: number,
): OperatorExplanation {
  const { compute, traffic, beside } = operatorTerms(table, index, step);
  const counts = { flops: 0, weightBytes: 0, keyValueBytes: 0, activationBytes: 0, linkBytes: 0 };
  for (const term of operator.terms) {
    const amount = variables[term.variable] ?? 0;
    counts.flops += term.flops * amount;
    counts.weightBytes += term.weightBytes * amount;
    counts.keyValueBytes += term.keyValueBytes * amount;
    counts.activationBytes += term.activationBytes * amount;
    counts.linkBytes += term.linkBytes * amount;
  }
  const rates = table.rates[index];
  if (rates === undefined) throw new RangeError(`no rates for operator ${index} of ${table.operators.length}`);
  return {
    name: operator.name,
    kind: operator.kind,
    launches: operator.count,
    operator,
    flops: counts.flops,
    weightBytes: counts.weightBytes,
    keyValueBytes: counts.keyValueBytes,
    activationBytes: counts.activationBytes,
    linkBytes: counts.linkBytes,
    rates,
    sharpness: table.sharpness[index] ?? Infinity,
    computeSeconds: compute,
    trafficSeconds: traffic,
    besideSeconds: beside,
    floorSeconds: table.floors[index] ?? 0,
    seconds,
    breakdown: breakdownOf(parts),
  };
}
