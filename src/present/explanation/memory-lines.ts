import type { Estimate } from '../../estimate.ts';
import { keyValueFormulas, type MemoryFormula, weightFormulas } from '../../operator/formula/memory-formula.ts';
import { deploymentPrecision } from '../../profile/precision.ts';
import type { Scenario } from '../../profile/scenario.ts';
import { appleWorkingSetShare, sequenceBytes } from '../../roofline/memory.ts';
import type { CompiledDeployment } from '../../serving/compiled.ts';
import { bytes, countLines, type DerivationLine, equation, exactBytes, plain, share } from './derivation-line.ts';

/** How the fullest device fills up: weights by part, what is left for KV, one sequence, and how many of them fit. */
export function memoryLines(
  { deployment, workload }: Scenario,
  { memory }: Estimate,
  compiled: CompiledDeployment,
): readonly DerivationLine[] {
  const precision = deploymentPrecision(deployment);
  const parts = weightFormulas(deployment.model, precision, deployment.parallelism);
  const total = parts.reduce((sum, part) => sum + part.value, 0);
  // Drafts and offloading are not part of the model's own sum.
  const follows = Math.abs(total / memory.weights - 1) < 1e-9;
  return [
    plain('Memory of the fullest device'),
    ...(follows
      ? [
          ...parts.flatMap((part) => countLines(`  ${part.part}`, part, part.value, 'bytes')),
          equation('  weights', parts.map((part) => bytes(part.value)).join(' + '), memory.weights, 'bytes'),
        ]
      : [plain(`  weights: ${bytes(memory.weights)}`)]),
    ...usableLines(deployment, memory),
    ...sequenceLines(
      { deployment, workload },
      compiled,
      keyValueFormulas(deployment.model, precision, deployment.parallelism),
    ),
    ...fitLines(workload, memory, compiled),
  ];
}

function usableLines(
  { hardware, release }: Scenario['deployment'],
  { capacity, usable, weights, workspace, reserve }: Estimate['memory'],
): readonly DerivationLine[] {
  const apple = hardware.architecture.startsWith('apple') ? ` * ${appleWorkingSetShare}` : '';
  const { fraction, basis } = release.memory;
  const whole = `${exactBytes(capacity)}${apple}`;
  const others = `${exactBytes(weights)} + ${exactBytes(workspace)} + ${exactBytes(reserve)}`;
  return [
    plain(`  workspace of activations: ${bytes(workspace)}; framework and communication: ${bytes(reserve)}`),
    equation(
      '  usable',
      basis === 'total' ? `${whole} * ${share(fraction)}` : `${others} + ${share(fraction)} * (${whole} - (${others}))`,
      usable,
      'bytes',
    ),
  ];
}

function sequenceLines(
  { workload }: Pick<Scenario, 'deployment' | 'workload'>,
  { memory: { keyValue } }: CompiledDeployment,
  formulas: readonly MemoryFormula[],
): readonly DerivationLine[] {
  const tokens = workload.prompt + workload.output;
  const terms = [
    ...(keyValue.full > 0 ? [`${exactBytes(keyValue.full)} * ${tokens}`] : []),
    ...keyValue.windowed.map(({ window, perToken }) => `${exactBytes(perToken)} * min(${tokens}, ${window})`),
    ...(keyValue.fixed > 0 ? [exactBytes(keyValue.fixed)] : []),
  ];
  return [
    ...formulas.flatMap((each) => {
      const per = each.window === 0 ? 'of a sequence' : 'of a token';
      const reach = each.window === undefined || each.window === 0 ? '' : `, window of ${each.window}`;
      return countLines(`  KV ${per}, ${each.part}${reach}`, each, each.value, 'bytes');
    }),
    ...(terms.length === 0
      ? []
      : [equation(`  one sequence of ${tokens} tokens`, terms.join(' + '), sequenceBytes(keyValue, tokens), 'bytes')]),
  ];
}

function fitLines(
  { prompt, output, load }: Scenario['workload'],
  { usable, weights, workspace, reserve, largestBatch, fits, shortBy }: Estimate['memory'],
  { memory, limits, groups }: CompiledDeployment,
): readonly DerivationLine[] {
  const each = sequenceBytes(memory.keyValue, prompt + output);
  const needed = load.kind === 'batch' ? Math.max(1, load.size / groups) : 1;
  const left = memory.keyValueCapacity;
  const others = `${exactBytes(weights)} + ${exactBytes(workspace)} + ${exactBytes(reserve)}`;
  if (left < 0) {
    return [
      equation('  missing beside the weights', `${others} - ${exactBytes(usable)}`, -left, 'bytes'),
      equation(
        '  does not fit: short by',
        `${exactBytes(-left)} + ${share(needed)} * ${exactBytes(each)}`,
        shortBy,
        'bytes',
      ),
    ];
  }
  const most = `floor(${exactBytes(left)} / (${exactBytes(each)}))`;
  const bounded = limits.maxSequences === Infinity ? most : `min(${most}, ${limits.maxSequences})`;
  return [
    equation('  left for KV', `${exactBytes(usable)} - (${others})`, left, 'bytes'),
    ...(each > 0 ? [equation('  largest batch', `${bounded} * ${groups}`, largestBatch, 'ratio')] : []),
    ...(fits
      ? []
      : [
          equation(
            '  does not fit: short by',
            `${share(needed)} * ${exactBytes(each)} - ${exactBytes(left)}`,
            shortBy,
            'bytes',
          ),
        ]),
  ];
}
