import { badMetricLine, BenchmarkError } from './messages.ts';

/** One sample of the Prometheus text format 0.0.4 (prometheus.io/docs/instrumenting/exposition_formats). */
export interface MetricSample {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

const namePattern = /[a-zA-Z_:][a-zA-Z0-9_:]*/y;
const labelPattern = /\s*([a-zA-Z_][a-zA-Z0-9_]*)\s*=\s*"((?:[^"\\\n]|\\.)*)"\s*(,?)/y;

/** A line of a sample; undefined for comments and blank lines. @throws BenchmarkError for anything else. */
export function metricSample(line: string, where: string, number: number): MetricSample | undefined {
  const text = line.trim();
  if (text === '' || text.startsWith('#')) return undefined;
  namePattern.lastIndex = 0;
  const name = namePattern.exec(text)?.[0];
  if (name === undefined) throw new BenchmarkError(badMetricLine(where, number, 'a metric name'));
  let next = name.length;
  const labels = new Map<string, string>();
  if (text[next] === '{') {
    next += 1;
    for (;;) {
      labelPattern.lastIndex = next;
      const match = labelPattern.exec(text);
      if (match === null) break;
      labels.set(match[1] ?? '', unescaped(match[2] ?? ''));
      next = labelPattern.lastIndex;
    }
    while (text[next] === ' ') next += 1;
    if (text[next] !== '}') throw new BenchmarkError(badMetricLine(where, number, 'labels as {name="value"}'));
    next += 1;
  }
  const [written = '', stamp, ...rest] = text.slice(next).trim().split(/\s+/);
  const value = valueOf(written);
  if (value === undefined || rest.length > 0 || (stamp !== undefined && !/^-?\d+$/.test(stamp))) {
    // Exemplars of OpenMetrics follow a hash.
    if (value === undefined || stamp !== '#')
      throw new BenchmarkError(badMetricLine(where, number, 'a number behind the name'));
  }
  return { name, labels, value };
}

function valueOf(text: string): number | undefined {
  if (text === '+Inf' || text === 'Inf') return Infinity;
  if (text === '-Inf') return -Infinity;
  if (text === 'NaN') return Number.NaN;
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : undefined;
}

const unescaped = (text: string): string =>
  text.replace(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter));

/** The name of a metric without what its type adds. */
export const familyOf = (name: string): string => name.replace(/_(?:bucket|sum|count|total)$/, '');
