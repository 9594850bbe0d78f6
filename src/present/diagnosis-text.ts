import type { RunComparison } from '../measured/compare-runs.ts';
import type { Cause, RunDiagnosis } from '../measured/diagnose.ts';
import type { ClockPart, Scorecard } from '../measured/scorecard.ts';
import type { Targets } from '../measured/targets.ts';
import { alignColumns } from './align-columns.ts';
import { clockTime, digits, percent } from './clock-time.ts';
import { type Paint, plainPaint } from './paint.ts';
import { plainText } from './plain-text.ts';
import { resourceWords } from './resource-words.ts';
import { wrapText } from './wrap-text.ts';

const width = 100;

/** What is left to ask where both clocks are healthy; not measured here. */
export const thirdClockAdvice =
  'Both clocks are healthy, so the complaint is probably not about token speed. Look at the third clock, which this tool does not measure: whether retrieval is fresh, whether the same question gets the same answer, and whether the context that the model saw can be replayed.';

/** The scorecard of one run: both clocks against target, floor and typical value, which is broken, and what to try. */
export function diagnosisText(diagnosis: RunDiagnosis, targets: Targets, paint: Paint = plainPaint): string {
  const { where, tool, cards, broken, causes, findings, unpredicted } = diagnosis;
  const missing = cards.find(({ verdict }) => verdict === 'unknown');
  const lines = [
    paint.strong(plainText(`${where} (${tool})`)),
    `Targets: ${targets.name}, TTFT ${clockTime(targets.ttft)}, TPOT ${clockTime(targets.tpot)}`,
    ...wrapText(`  ${plainText(targets.source)}`, width, 2),
    '',
    ...scoreTable(cards, paint),
    ...cards.flatMap(partLines),
    '',
    ...findings.flatMap(({ what, effect }) =>
      wrapText(paint.warning(plainText(`Doctor: ${what} ${effect}`)), width, 2),
    ),
    ...wrapText(verdictOf(broken, cards), width, 2).map(paint.strong),
    ...causes.flatMap(causeLines),
    ...(unpredicted === undefined || broken === 'neither'
      ? []
      : wrapText(`No prediction: ${plainText(unpredicted)}.`, width, 2)),
    ...(broken === 'neither' && missing === undefined ? wrapText(thirdClockAdvice, width, 2) : []),
  ];
  return `${lines.join('\n')}\n`;
}

function scoreTable(cards: readonly Scorecard[], paint: Paint): readonly string[] {
  const time = (seconds: number | undefined): string => (seconds === undefined ? '-' : clockTime(seconds));
  const predicted = cards.some((card) => card.predicted !== undefined);
  const rows = cards.map((card) => [
    card.clock.toUpperCase(),
    time(card.p50),
    time(card.p95),
    time(card.p99),
    time(card.mean),
    clockTime(card.target),
    card.judged === undefined ? card.verdict : `${card.verdict} (${card.judged})`,
    ...(predicted && card.predicted !== undefined
      ? [
          `${clockTime(card.predicted.seconds)} (${clockTime(card.predicted.low)} to ${clockTime(card.predicted.high)})`,
          clockTime(card.predicted.ideal),
        ]
      : []),
  ]);
  const headers = [
    '',
    'p50',
    'p95',
    'p99',
    'mean',
    'target',
    'verdict',
    ...(predicted ? ['typical mean', 'floor'] : []),
  ];
  const [head = '', ...body] = alignColumns([headers, ...rows], [1, 2, 3, 4, 5, 7, 8]);
  return [paint.quiet(head), ...body];
}

function partLines({ clock, parts, mean }: Scorecard): readonly string[] {
  if (clock !== 'ttft' || parts.length === 0) return [];
  const each = ({ name, seconds, from }: ClockPart): string =>
    `${name} ${clockTime(seconds)}${mean === undefined || mean === 0 ? '' : ` (${percent(Math.min(1, seconds / mean))})`}${from === 'difference' ? ' by difference' : ''}`;
  return wrapText(`TTFT split: ${parts.map(each).join(', ')}`, width, 2);
}

function verdictOf(broken: RunDiagnosis['broken'], cards: readonly Scorecard[]): string {
  const missed = (clock: string): string => {
    const card = cards.find((each) => each.clock === clock);
    const tail = card?.p99 ?? card?.p95 ?? card?.p50 ?? card?.mean;
    return card === undefined || tail === undefined
      ? ''
      : ` (${digits(tail / card.target)} times its target${card.verdict === 'tail' ? ', in the tail only' : ''})`;
  };
  switch (broken) {
    case 'ttft':
      return `The first clock is broken: TTFT${missed('ttft')}.`;
    case 'tpot':
      return `The second clock is broken: TPOT${missed('tpot')}.`;
    case 'both':
      return `Both clocks are broken: TTFT${missed('ttft')}, TPOT${missed('tpot')}.`;
    case 'neither': {
      const [known, unknown] = cards[0]?.verdict === 'unknown' ? ['TPOT', 'TTFT'] : ['TTFT', 'TPOT'];
      return cards.some(({ verdict }) => verdict === 'unknown')
        ? `${known} is not broken; of ${unknown} the file says nothing: measure it before looking elsewhere.`
        : 'Neither clock is broken.';
    }
    case 'unknown':
      return 'The file holds neither TTFT nor TPOT: there is nothing to diagnose.';
  }
}

function causeLines({ clock, kind, resource, share, sentence, levers }: Cause): readonly string[] {
  const bound =
    resource === undefined || share === undefined
      ? ''
      : ` It reacts most to ${resourceWords[resource]} (${percent(share)}).`;
  const change = (ratio: number): string => `${ratio < 1 ? '-' : '+'}${percent(Math.abs(ratio - 1))}`;
  return [
    ...wrapText(`${clock.toUpperCase()}: ${sentence}${bound}`, width, 2),
    ...(kind === 'software' && levers.length > 0
      ? wrapText('  On the part that the model explains, these would do:', width, 2)
      : []),
    ...levers.flatMap(({ label, ttft, tpot, costs }, index) =>
      wrapText(
        plainText(
          `  ${index + 1}. ${label}: TTFT ${change(ttft)}, TPOT ${change(tpot)}${costs.length === 0 ? '' : `; costs ${costs.join(', ')}`}`,
        ),
        width,
        5,
      ),
    ),
  ];
}

/** Two runs: how much of the change of each clock hardware, lengths and load explain, and what is left for software. */
export function comparisonText({ before, after, clocks, open }: RunComparison, paint: Paint = plainPaint): string {
  const rows = clocks.map(({ clock, before: was, after: now, measured, explained, unexplained, verdict }) => [
    clock.toUpperCase(),
    clockTime(was),
    clockTime(now),
    `x ${digits(measured)}`,
    explained === undefined ? '-' : `x ${digits(explained)}`,
    unexplained === undefined ? '-' : `x ${digits(unexplained)}`,
    verdict,
  ]);
  const table = alignColumns(
    [['', 'before', 'after', 'measured', 'hardware-explained', 'software-explained', ''], ...rows],
    [1, 2, 3, 4, 5],
  );
  return `${[
    paint.strong(plainText(`${before} -> ${after}`)),
    ...table,
    ...(open === undefined ? [] : wrapText(`Not explained: ${plainText(open)}.`, width, 2)),
  ].join('\n')}\n`;
}
