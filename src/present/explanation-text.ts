import type { Estimate } from '../estimate.ts';
import type { Scenario } from '../profile/scenario.ts';
import { draftDeployment } from '../phase/speculative.ts';
import { compile, type CompiledDeployment } from '../serving/compiled.ts';
import type { StepExplanation } from '../serving/explanation.ts';
import { explainDecode } from '../serving/explain.ts';
import { engineRules } from '../serving/simulate/engine-rules.ts';
import { exposedOf, transferOf } from '../serving/transfer.ts';
import { type StepFormulas, withFormulas } from '../serving/step-formulas.ts';
import { firstTokenLines, requestLines, tokenLines } from './explanation/clock-lines.ts';
import { type DerivationLine, plain } from './explanation/derivation-line.ts';
import { memoryLines } from './explanation/memory-lines.ts';
import { phaseLines } from './explanation/phase-lines.ts';
import { deploymentTitle, gradeWords, workloadTitle } from './scenario-title.ts';

/**
 * How every number of an estimate follows from shapes and the hardware, line by line: FLOPs and bytes of each operator
 * from the architecture, FLOPs / (peak x share), bytes / (bandwidth x share), their smooth maximum, floors, the host;
 * both clocks, the whole request, throughput and memory. Every formula can be evaluated as it stands.
 */
export function derivation(
  scenario: Scenario,
  estimate: Estimate,
  steps: readonly [prefill: StepExplanation, decode: StepExplanation],
  compiled: CompiledDeployment,
): readonly DerivationLine[] {
  const [prefill, decode] = [withFormulas(compiled, steps[0]), withFormulas(compiled, steps[1])];
  const answers = scenario.workload.output > 1;
  const grows = estimate.load.stability?.verdict === 'unstable';
  return [
    plain(deploymentTitle(scenario.deployment)),
    plain(workloadTitle(scenario.workload)),
    plain(`Grade: ${gradeWords(scenario, estimate.evidence)}.`),
    plain(''),
    ...phaseLines(prefill, 'Prefill'),
    plain(''),
    ...(grows
      ? [plain('TTFT: requests arrive faster than they leave; the queue grows as long as this load lasts.')]
      : firstTokenLines(estimate, prefill, compiled.requestSeconds, transferSeconds(scenario, prefill, compiled))),
    ...(answers
      ? [
          plain(''),
          ...draftLines(scenario, decode, compiled.grade),
          ...phaseLines(decode, 'Decode, mean over the output'),
          plain(''),
          ...tokenLines(estimate, decode, scenario.deployment.speculation),
        ]
      : []),
    plain(''),
    ...(grows ? [] : [...requestLines(scenario, estimate), plain('')]),
    ...memoryLines(scenario, estimate, compiled),
  ];
}

/** Seconds by which a KV cache arrives on its decode group after its prefill; 0 without pools. */
function transferSeconds(
  { deployment, workload }: Scenario,
  { steps, seconds }: StepExplanation,
  compiled: CompiledDeployment,
): number {
  if (deployment.disaggregation === undefined || compiled.grade === 'ideal') return 0;
  const transfer = transferOf(compiled, deployment.disaggregation.link, workload.prompt);
  const { prompt, cached } = workload;
  return exposedOf(engineRules(compiled), transfer.seconds, steps * seconds, steps, prompt - cached);
}

/** One pass of the draft, derived as every step is; nothing where drafting has no model of its own. */
function draftLines(
  { deployment, workload }: Scenario,
  { lengths, drafting }: StepFormulas,
  grade: Scenario['grade'],
): readonly DerivationLine[] {
  const draft = draftDeployment(deployment);
  if (draft === undefined || drafting === undefined) return [];
  const compiled = compile({ ...draft, parallelism: { ...draft.parallelism, pipeline: 1 } }, grade);
  const step = withFormulas(compiled, explainDecode(compiled, workload, lengths.sequences));
  const { title } = deployment.speculation?.method === 'draft' ? draft.model : { title: 'one layer of the model' };
  return [...phaseLines(step, `Draft by ${title}, one pass of ${drafting.passes}`), plain('')];
}
