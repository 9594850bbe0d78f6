import type { Examination } from '../measured/doctor.ts';
import type { Finding } from '../measured/finding.ts';
import type { Reading } from '../measured/reading.ts';
import { type Paint, plainPaint } from './paint.ts';
import { plainText } from './plain-text.ts';
import { readingText } from './reading-text.ts';
import { wrapText } from './wrap-text.ts';

/** A file as it was read. */
export interface MeasuredText {
  readonly where: string;
  readonly format: string;
  readonly runs: readonly Reading[];
}

const width = 100;
const marks: Readonly<Record<Finding['severity'], string>> = { broken: 'BROKEN', careful: 'careful', note: 'note' };

/** What the doctor found, the worst first: what, where, how sure, and what it does to conclusions. */
export function doctorText(
  file: MeasuredText,
  { findings, unchecked }: Examination,
  paint: Paint = plainPaint,
): string {
  const { runs } = file;
  const notes = [...new Set(runs.flatMap(({ notes: each }) => each))];
  const lines = [
    paint.strong(plainText(`${file.where}: ${file.format}, ${runs.length} ${runs.length === 1 ? 'run' : 'runs'}`)),
    ...runs.slice(0, mostReadings).flatMap((run) => readingLines(run, runs.length > 1)),
    ...(runs.length > mostReadings ? [`  and ${runs.length - mostReadings} more runs; --json lists all`] : []),
    ...notes.flatMap((note) => wrapText(`Read as: ${plainText(note)}`, width, 2)),
    ...(findings.length === 0 ? ['', 'No finding: the figures agree with each other as far as they go.'] : ['']),
    ...findings.flatMap((finding) => findingLines(finding, paint)),
    ...(unchecked.length === 0
      ? []
      : ['', ...unchecked.flatMap((each) => wrapText(`Not checked: ${plainText(each)}.`, width, 2))]),
    '',
    verdict(findings),
  ];
  return `${lines.join('\n')}\n`;
}

/** Runs whose figures are shown before the findings. */
const mostReadings = 12;

function readingLines(run: Reading, isOneOfMany: boolean): readonly string[] {
  const reading = readingText(run);
  if (reading === '') return [];
  return wrapText(plainText(`  ${isOneOfMany ? `${run.where}: ` : ''}${reading}`), width, 4);
}

function findingLines({ severity, where, certainty, rule, what, effect }: Finding, paint: Paint): readonly string[] {
  const mark = severity === 'note' ? paint.quiet(marks[severity]) : paint.warning(marks[severity]);
  const [first = '', ...rest] = wrapText(plainText(`${where}: ${what} [${rule}, ${certainty}]`), width - 8, 8);
  return [`${mark} ${first}`, ...rest, ...wrapText(`        ${plainText(effect)}`, width, 8)];
}

function verdict(findings: readonly Finding[]): string {
  const broken = findings.filter(({ severity }) => severity === 'broken').length;
  const careful = findings.filter(({ severity }) => severity === 'careful').length;
  if (broken > 0) return `${broken} broken: do not compare, fit or quote these figures before that is settled.`;
  return careful > 0 ? `Usable with ${careful} ${careful === 1 ? 'reservation' : 'reservations'}.` : 'Usable.';
}
