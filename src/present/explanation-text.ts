import type { Estimate } from '../estimate.ts';
import type { Scenario } from '../profile/scenario.ts';
import { formatRounded } from '../quantity/format-quantity.ts';
import type { OperatorExplanation, StepExplanation } from '../serving/explanation.ts';
import { grouped } from './clock-time.ts';
import { deploymentTitle, gradeWords, workloadTitle } from './scenario-title.ts';

/** One line of a derivation; a formula holds numbers with units and gives a time. */
export interface DerivationLine {
  readonly text: string;
  readonly formula?: { readonly expression: string; readonly seconds: number };
}

/** Digits of printed numbers: enough for a formula to give its result again within a thousandth. */
const precision = 6;

/** Relative difference that sums of doubles may have. */
const rounding = 1e-9;

/**
 * How both clocks follow from the hardware, line by line: FLOPs / (peak x share), bytes / (bandwidth x share), their
 * smooth maximum, floors; subtotals add up to the clocks. Every formula can be evaluated as it stands.
 */
export function derivation(
  scenario: Scenario,
  estimate: Estimate,
  [prefill, decode]: readonly [StepExplanation, StepExplanation],
): readonly DerivationLine[] {
  const { ttft, tpot } = estimate;
  const request = scenario.grade === 'ideal' ? 0 : scenario.deployment.release.overhead.request;
  return [
    plain(deploymentTitle(scenario.deployment)),
    plain(workloadTitle(scenario.workload)),
    plain(`Grade: ${gradeWords(scenario, estimate.evidence)}.`),
    plain(''),
    ...phase(prefill, `Prefill: ${stepWords(prefill)}`),
    plain(''),
    ...sum(
      'TTFT',
      ttft.seconds,
      [
        [
          `${grouped(prefill.steps)} x prefill step`,
          `${prefill.steps} * ${time(prefill.seconds)}`,
          prefill.steps * prefill.seconds,
        ],
        ['request: API, tokenising, return', time(request), request],
      ],
      'steps and prompts of other requests in front',
    ),
    ...(scenario.workload.output > 1
      ? [
          plain(''),
          ...phase(decode, `Decode: ${stepWords(decode)}, mean over the output`),
          plain(''),
          ...sum(
            'TPOT',
            tpot.seconds,
            [['decode step', time(decode.seconds), decode.seconds]],
            'prompts of other requests in the same steps',
          ),
        ]
      : []),
  ];
}

const plain = (text: string): DerivationLine => ({ text });
const time = (seconds: number): string => formatRounded(seconds, 'time', precision);

function stepWords({ steps, variables }: StepExplanation): string {
  const tokens = variables['tokens'] ?? 0;
  return `${steps === 1 ? 'one step' : `${grouped(steps)} steps`} of ${grouped(Number(tokens.toPrecision(precision)))} ${tokens === 1 ? 'token' : 'tokens'}`;
}

function phase(step: StepExplanation, title: string): readonly DerivationLine[] {
  const operators = step.operators.reduce((total, { seconds }) => total + seconds, 0);
  return [
    plain(title),
    ...step.operators.flatMap(operatorLines),
    equation('  all operators', step.operators.map(({ seconds }) => time(seconds)).join(' + '), operators),
    ...(Math.abs(step.engineSeconds) < rounding * step.seconds
      ? []
      : [equation('  step with the host', `${time(operators)} + ${time(step.engineSeconds)}`, step.seconds)]),
  ];
}

function operatorLines(operator: OperatorExplanation): readonly DerivationLine[] {
  const { name, launches, kind, rates, computeSeconds, trafficSeconds } = operator;
  const isCollective = kind === 'all-reduce' || kind === 'all-to-all' || kind === 'send';
  const compute = isCollective
    ? equation('    latency', `${launches} * ${time(rates.latency)}`, computeSeconds)
    : equation(
        '    compute',
        `${flops(computeSeconds * rates.peak * rates.computeShare)} / (${formatRounded(rates.peak, 'flop-rate', precision)} * ${share(rates.computeShare)})`,
        computeSeconds,
      );
  const traffic = equation(
    isCollective ? '    transfer' : '    traffic',
    `${formatRounded(trafficSeconds * rates.bandwidth * rates.memoryShare, 'bytes', precision)} / (${formatRounded(rates.bandwidth, 'bandwidth', precision)} * ${share(rates.memoryShare)})`,
    trafficSeconds,
  );
  return [
    plain(
      `  ${name}${launches > 1 ? ` x ${grouped(launches)}` : ''}${isCollective ? '' : `, ${rates.format}`}${counted(operator)}`,
    ),
    ...(computeSeconds > 0 ? [compute] : []),
    ...(trafficSeconds > 0 ? [traffic] : []),
    equation('    time', combined(operator), operator.seconds),
  ];
}

/** Work beyond the model's own counts, in words: what a kernel does for short prompts, padding and each sequence. */
function counted({ flops: own, kind, computeSeconds, rates }: OperatorExplanation): string {
  const spent = computeSeconds * rates.peak * rates.computeShare;
  const isCollective = kind === 'all-reduce' || kind === 'all-to-all' || kind === 'send';
  return isCollective || own === 0 || Math.abs(spent / own - 1) < 1e-6
    ? ''
    : `; ${flops(own)} by the model, the rest padding, short prompts and a fixed cost of each sequence`;
}

/** ( c^q + m^q )^(1/q) + beside + floor, written so that only numbers without unit are raised to a power. */
function combined({
  computeSeconds,
  trafficSeconds,
  besideSeconds,
  floorSeconds,
  sharpness,
}: OperatorExplanation): string {
  const terms = [
    smoothMaximum(computeSeconds, trafficSeconds, sharpness),
    ...(besideSeconds > 0 ? [time(besideSeconds)] : []),
    ...(floorSeconds > 0 ? [time(floorSeconds)] : []),
  ].filter((term) => term !== '');
  return terms.length === 0 ? time(0) : terms.join(' + ');
}

function smoothMaximum(compute: number, traffic: number, q: number): string {
  if (compute === 0 && traffic === 0) return '';
  if (compute === 0 || traffic === 0) return time(Math.max(compute, traffic));
  if (q === Infinity) return `max(${time(compute)}, ${time(traffic)})`;
  const [larger, smaller] = compute >= traffic ? [compute, traffic] : [traffic, compute];
  return `${time(larger)} * (1 + (${time(smaller)} / ${time(larger)})^${share(q)})^(1/${share(q)})`;
}

function sum(
  name: string,
  seconds: number,
  terms: readonly (readonly [words: string, expression: string, seconds: number])[],
  restWords: string,
): readonly DerivationLine[] {
  const used = terms.filter(([, , part]) => part > 0);
  const rest = seconds - used.reduce((total, [, , part]) => total + part, 0);
  const shown = Math.abs(rest) < rounding * seconds ? [] : [[restWords, time(Math.abs(rest)), rest] as const];
  const all = [...used, ...shown];
  return [
    equation(
      name,
      all.map(([, expression, part], index) => `${part < 0 ? ' - ' : index === 0 ? '' : ' + '}${expression}`).join(''),
      seconds,
    ),
    ...all.map(([words, , part]) =>
      plain(`  ${part < 0 ? 'less ' : ''}${words}: ${formatRounded(Math.abs(part), 'time')}`),
    ),
  ];
}

const equation = (label: string, expression: string, seconds: number): DerivationLine => ({
  text: `${label} = ${expression} = ${formatRounded(seconds, 'time')}`,
  formula: { expression, seconds },
});

const share = (value: number): string => String(Number(value.toPrecision(precision)));
const flops = (count: number): string => formatRounded(count, 'flop-rate', precision).replace('/s', '');
