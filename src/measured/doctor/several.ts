import type { BenchmarkRun } from '../../exchange/benchmark/benchmark-run.ts';
import { meanOf } from '../../exchange/benchmark/distribution.ts';
import { digits, time } from '../doctor-words.ts';
import type { Finding } from '../finding.ts';
import { inputTokens } from '../run-workload.ts';

/** Runs of one file that should not be put into one picture. */
export function mixedRuns(runs: readonly BenchmarkRun[], where: string): readonly Finding[] {
  const different = (name: string, values: readonly (string | undefined)[]): readonly Finding[] => {
    const known = [...new Set(values.filter((value): value is string => value !== undefined))];
    if (known.length < 2) return [];
    const finding: Finding = {
      rule: 'mixed',
      where,
      severity: 'careful',
      certainty: 'certain',
      what: `The file holds runs of ${known.length} ${name}: ${known.slice(0, 4).join(', ')}${known.length > 4 ? ' ...' : ''}.`,
      effect: 'Compare within one only.',
    };
    return [finding];
  };
  return [
    ...different(
      'models',
      runs.map(({ setting }) => setting.model),
    ),
    ...different(
      'engines',
      runs.map(({ setting }) => setting.engine),
    ),
    ...different(
      'devices',
      runs.map(({ setting }) => setting.hardware),
    ),
  ];
}

/** TTFT of one request alone against its prompt. */
export interface PrefillPoint {
  readonly prompt: number;
  readonly ttft: number;
  readonly where: string;
}

/** Longer prompts cost more per token by attention: only neighbours up to this many times as long are compared. */
const comparable = 2.5;

/** Per token cheaper than neighbours on both sides by more than this. */
const dent = 0.75;

/**
 * Points that cost less per token than a shorter prompt *and* than a longer one: where compute is the limit, part of
 * such a prompt was not computed.
 */
export function dentsOf<Point extends PrefillPoint>(
  points: readonly Point[],
): readonly { readonly point: Point; readonly shorter: Point; readonly longer: Point }[] {
  const perToken = ({ prompt, ttft }: PrefillPoint): number => ttft / prompt;
  const dearest = (among: readonly Point[]): Point | undefined =>
    among.toSorted((a, b) => perToken(b) - perToken(a))[0];
  return points.flatMap((point) => {
    if (point.prompt < 512) return [];
    const near = points.filter(({ prompt }) => prompt <= point.prompt * comparable && prompt >= 512);
    const longer = dearest(near.filter(({ prompt }) => prompt > point.prompt));
    const shorter = dearest(near.filter(({ prompt }) => prompt < point.prompt));
    if (longer === undefined || shorter === undefined) return [];
    const limit = dent * Math.min(perToken(longer), perToken(shorter));
    return perToken(point) < limit ? [{ point, shorter, longer }] : [];
  });
}

/** Dents in TTFT over the runs of one request at a time. */
export function prefillCourse(runs: readonly BenchmarkRun[]): readonly Finding[] {
  const points = runs.flatMap((run): readonly PrefillPoint[] => {
    const [prompt, ttft] = [inputTokens(run), meanOf(run.clocks.ttft)];
    const single = run.load.kind === 'concurrency' && run.load.size === 1;
    return prompt === undefined || ttft === undefined || !single ? [] : [{ prompt, ttft, where: run.where }];
  });
  return dentsOf(points).map(({ point, shorter, longer }) => {
    const each = ({ prompt, ttft }: PrefillPoint): string =>
      `${digits(prompt)} tokens ${digits((ttft / prompt) * 1e6)} us each`;
    return {
      rule: 'utilisation',
      where: point.where,
      severity: 'careful',
      certainty: 'likely',
      what: `A prompt of ${digits(point.prompt)} tokens takes ${time(point.ttft)}, ${digits((point.ttft / point.prompt) * 1e6)} us a token, but one of ${each(shorter)} and one of ${each(longer)}.`,
      effect: 'Part of this prompt was probably cached or cut: leave the row out of fits.',
    };
  });
}
