import type { Scenario } from '../profile/scenario.ts';
import type { ChangeResult, WhatIf } from '../whatif/what-if.ts';
import { alignColumns } from './align-columns.ts';
import { clockTime, digits } from './clock-time.ts';
import { screenWidth } from './estimate-text.ts';
import { type Paint, plainPaint } from './paint.ts';
import { plainText } from './plain-text.ts';
import { deploymentTitle, workloadTitle } from './scenario-title.ts';
import { wrapText } from './wrap-text.ts';

/** Changes side by side, then the verdict on each in words. */
export function whatIfText(scenario: Scenario, { base, changes }: WhatIf, paint: Paint = plainPaint): string {
  const unsettled = base.load.stability?.verdict === 'unstable';
  const rows = [
    ['', 'TTFT', '', 'TPOT', '', 'E2E', '', 'tokens/s', 'USD/M'],
    [
      'now',
      unsettled ? 'grows' : clockTime(base.ttft.seconds),
      '',
      clockTime(base.tpot.seconds),
      '',
      unsettled ? 'grows' : clockTime(base.e2e.seconds),
      '',
      digits(base.throughput.outputTokensPerSecond),
      dollars(changes[0]?.cost.before ?? null),
    ],
    ...changes.map((change) => [
      shortLabel(change.label),
      ...waitCells(change.ttft, change.stability),
      ...clockCells(change.tpot),
      ...waitCells(change.e2e, change.stability),
      digits(change.throughput.outputTokensPerSecond.after ?? 0),
      dollars(change.cost.after),
    ]),
  ];
  const [header = '', ...body] = alignColumns(rows, [1, 2, 3, 4, 5, 6, 7, 8]);
  const lines = [
    ...wrapText(deploymentTitle(scenario.deployment), screenWidth, 2).map(paint.strong),
    workloadTitle(scenario.workload),
    '',
    paint.quiet(header),
    ...body,
    ...changes.flatMap((change) => ['', ...verdictLines(change, paint)]),
  ];
  return `${lines.join('\n')}\n`;
}

function verdictLines({ label, verdict, cautions, warnings }: ChangeResult, paint: Paint): readonly string[] {
  return [
    paint.strong(plainText(label)),
    ...indented(verdict),
    ...cautions.flatMap((caution) => indented(`Caution: ${caution}`)).map(paint.warning),
    ...warnings.flatMap((warning) => indented(`Warning: ${warning}`)).map(paint.warning),
  ];
}

const indented = (text: string): readonly string[] =>
  wrapText(plainText(text), screenWidth - 2).map((line) => `  ${line}`);

const clockCells = ({ after, ratio }: ChangeResult['ttft']): readonly string[] => [
  clockTime(after),
  signedPercent(ratio),
];

/** A clock that holds the wait: no number while the queue grows, and no ratio to a queue that grew. */
const waitCells = (clock: ChangeResult['ttft'], { before, after }: ChangeResult['stability']): readonly string[] => {
  if (after === 'unstable') return ['grows', ''];
  return before === 'unstable' ? [clockTime(clock.after), 'settles'] : clockCells(clock);
};

/** '-18 %', '+3.9 %', '0 %'. */
export function signedPercent(ratio: number): string {
  const change = (ratio - 1) * 100;
  if (!Number.isFinite(change)) return '';
  const size = Math.abs(change);
  if (size < 0.05) return '0 %';
  return `${change < 0 ? '-' : '+'}${size < 9.95 ? size.toFixed(1) : size.toFixed(0)} %`;
}

const dollars = (value: number | null): string => (value === null ? '' : digits(value));

const shortLabel = (label: string): string => {
  const plain = plainText(label);
  return plain.length <= 34 ? plain : `${plain.slice(0, 31)}...`;
};
