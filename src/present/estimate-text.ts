import type { Estimate } from '../estimate.ts';
import type { Scenario } from '../profile/scenario.ts';
import { formatRounded } from '../quantity/format-quantity.ts';
import type { Clock } from '../serving/clock.ts';
import { alignColumns } from './align-columns.ts';
import { bar } from './bar.ts';
import { grows, growsWords } from './grows.ts';
import { clockTime, digits, grouped, percent } from './clock-time.ts';
import { plainText } from './plain-text.ts';
import { resourceMarks, resourceWords } from './resource-words.ts';
import { deploymentTitle, gradeWords, samplingSentence, workloadTitle } from './scenario-title.ts';
import { type Paint, plainPaint } from './paint.ts';
import { poolRows } from './pool-rows.ts';
import { sharesOf, whatBinds } from './what-binds.ts';
import { wrapText } from './wrap-text.ts';

/** Columns of a screen. */
export const screenWidth = 100;
const barWidth = 60;

/** Below these both clocks are healthy, and only the third clock is left to ask about. */
const healthy = { ttft: 1, tpot: 0.05 } as const;

/**
 * An estimate as one screen of text, at most 100 columns: both clocks and the whole request, what each clock is spent
 * on, throughput, memory, what binds, warnings and grade.
 */
export function estimateText(scenario: Scenario, estimate: Estimate, paint: Paint = plainPaint): string {
  const { ttft, tpot, warnings } = estimate;
  const sampled = samplingSentence(scenario);
  const lines = [
    ...wrapText(deploymentTitle(scenario.deployment), screenWidth, 2).map(paint.strong),
    workloadTitle(scenario.workload),
    '',
    ...clockTable(estimate, paint),
    '',
    ...(grows(estimate)
      ? [`${paint.strong('TTFT')}  the queue grows as long as this load lasts`]
      : spentOn('TTFT', ttft, paint)),
    ...(scenario.workload.output > 1 ? spentOn('TPOT', tpot, paint) : []),
    '',
    ...alignColumns([
      throughputRow(scenario, estimate),
      ...loadRows(scenario, estimate),
      ...poolRows(estimate),
      ...memoryRows(scenario, estimate),
    ]),
    '',
    ...bindingLines(scenario, estimate),
    ...waitLines(estimate),
    ...warnings.flatMap((warning) => wrapText(`Warning: ${plainText(warning)}`, screenWidth, 2).map(paint.warning)),
    ...(sampled === undefined ? [] : wrapText(sampled, screenWidth, 2)),
    ...wrapText(`Grade: ${gradeWords(scenario, estimate.evidence)}.`, screenWidth, 2),
    ...(isHealthy(estimate) ? wrapText(thirdClock, screenWidth, 2) : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** Neither clock measures it; said only where nothing else is left to say. */
const thirdClock =
  'Both clocks are healthy. Neither says whether the tokens are grounded in the right context: that is the third clock.';

const isHealthy = ({ ttft, tpot, memory, load }: Estimate): boolean =>
  memory.fits && !grows({ load }) && ttft.seconds < healthy.ttft && tpot.seconds < healthy.tpot;

function clockTable(estimate: Estimate, paint: Paint): readonly string[] {
  const { ttft, tpot, e2e, grade } = estimate;
  const endless = grows(estimate);
  const rows = [
    ['TTFT', ttft],
    ['TPOT', tpot],
    ['E2E', e2e],
  ] as const;
  const table =
    grade === 'ideal'
      ? [['', 'ideal'], ...rows.map(([name, clock]) => [name, clockTime(clock.seconds)])]
      : [
          ['', grade, '80 % between', '', '', 'ideal (floor)'],
          ...rows.map(([name, { seconds, low, high, ideal }]) =>
            endless && name !== 'TPOT'
              ? [name, 'grows', '', '', '', clockTime(ideal)]
              : [name, clockTime(seconds), clockTime(low), 'and', clockTime(high), clockTime(ideal)],
          ),
        ];
  const [header = '', ...body] = alignColumns(table, [1, 2, 4, 5]);
  return [paint.quiet(header), ...body.map((line) => line.replace(/^\w+/, paint.strong))];
}

/** A bar and, under it, the shares in words. */
function spentOn(name: string, { seconds, breakdown }: Clock, paint: Paint): readonly string[] {
  const shares = sharesOf(breakdown, 0.005).map(
    ({ resource, share }) => `${resourceMarks[resource]} ${resourceWords[resource]} ${percent(share)}`,
  );
  const drawn = bar(breakdown, barWidth);
  const legend = wrapWhole(shares, screenWidth - 6).map((line) => `      ${line}`);
  return [`${paint.strong(name)}  ${drawn}  ${clockTime(seconds)}`, ...legend];
}

/** Joins phrases with two blanks, breaking lines between phrases only. */
function wrapWhole(phrases: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  for (const phrase of phrases) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 2 + phrase.length <= width) lines[lines.length - 1] = `${last}  ${phrase}`;
    else lines.push(phrase);
  }
  return lines;
}

/** Where an arrival rate stands, and Little's law with both of its sides. */
function loadRows({ workload }: Scenario, estimate: Estimate): readonly (readonly string[])[] {
  const { stability, running, waiting } = estimate.load;
  if (stability === undefined || workload.load.kind !== 'rate' || grows(estimate)) return [];
  const { requestsPerSecond: rate } = workload.load;
  const { verdict, largestRate } = stability;
  return [
    [
      'Load',
      `${verdict}: ${percent(rate / largestRate)} of ${digits(largestRate)} requests/s, the largest stable rate`,
    ],
    [
      "Little's law",
      `${digits(running + waiting)} present in the mean; rate x time in the system = ${digits(rate * estimate.e2e.seconds)}`,
    ],
  ];
}

/** By which formula the wait was worked out. */
const waitLines = ({ load: { stability } }: Estimate): readonly string[] =>
  stability === undefined || stability.verdict === 'unstable'
    ? []
    : wrapText(`Waiting by formula, not by simulation: ${stability.formula}.`, screenWidth, 2);

function throughputRow({ workload }: Scenario, { throughput, load }: Estimate): readonly string[] {
  if (grows({ load })) {
    const asked = workload.load.kind === 'rate' ? workload.load.requestsPerSecond : 0;
    return ['Throughput', `no steady state: ${growsWords(asked, { load })}`];
  }
  const { outputTokensPerSecond, outputTokensPerSecondPerDevice, requestsPerSecond, tokensPerSecondPerUser } =
    throughput;
  const each = load.devices > 1 ? ` (${digits(outputTokensPerSecondPerDevice)} per device)` : '';
  const user = Number.isFinite(tokensPerSecondPerUser) ? `, ${digits(tokensPerSecondPerUser)} tokens/s per user` : '';
  return [
    'Throughput',
    `${digits(outputTokensPerSecond)} output tokens/s${each}, ${digits(requestsPerSecond)} requests/s${user}`,
  ];
}

function memoryRows(
  { workload, deployment: { parallelism } }: Scenario,
  { memory, load }: Estimate,
): readonly (readonly string[])[] {
  const bytes = (value: number): string => formatRounded(value, 'bytes');
  const per = load.devices > 1 ? 'per device: ' : '';
  const first = `${per}weights ${bytes(memory.weights)} of ${bytes(memory.usable)} usable (${bytes(memory.capacity)}), KV ${bytes(memory.keyValuePerToken)} per token`;
  const groups = parallelism.replicas * parallelism.data;
  // Tokens are rounded down, so that one sequence less may come out than fits.
  const heldBack = memory.keyValueTokens / (workload.prompt + workload.output) >= memory.largestBatch / groups + 1;
  const fitting = memory.fits
    ? `room for ${grouped(memory.keyValueTokens)} tokens: largest batch ${grouped(memory.largestBatch)}${heldBack ? ", the engine's limit" : ''}`
    : `does not fit: ${bytes(memory.shortBy)} short${load.devices > 1 ? ' on each device' : ''}`;
  return [
    ['Memory', first],
    ['', fitting],
  ];
}

function bindingLines(scenario: Scenario, estimate: Estimate): readonly string[] {
  const { ttft, tpot, bound } = estimate;
  return [
    ...(grows(estimate) ? [] : [whatBinds('TTFT', ttft, bound.ttft.resource)]),
    ...(scenario.workload.output > 1 ? [whatBinds('TPOT', tpot, bound.tpot.resource)] : []),
  ].flatMap((sentence) => wrapText(sentence, screenWidth, 2));
}
