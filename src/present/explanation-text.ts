import type { Estimate } from '../estimate.ts';
import type { Scenario } from '../profile/scenario.ts';
import type { CompiledDeployment } from '../serving/compiled.ts';
import type { StepExplanation } from '../serving/explanation.ts';
import { withFormulas } from '../serving/step-formulas.ts';
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
      : firstTokenLines(estimate, prefill, compiled.requestSeconds)),
    ...(answers
      ? [plain(''), ...phaseLines(decode, 'Decode, mean over the output'), plain(''), ...tokenLines(estimate, decode)]
      : []),
    plain(''),
    ...(grows ? [] : [...requestLines(scenario, estimate), plain('')]),
    ...memoryLines(scenario, estimate, compiled),
  ];
}
