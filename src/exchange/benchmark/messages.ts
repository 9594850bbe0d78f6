/** Every sentence about a benchmark file. Nothing of the file reaches one unescaped or at length. */

/** Thrown where a benchmark file cannot be read; `message` is one sentence with line or JSON path. */
export class BenchmarkError extends Error {
  override readonly name: string = 'BenchmarkError';
}

/** Text of a file on one line, short, without controls, marks of direction or lone surrogates. */
export const harmless = (text: string, most = 80): string => {
  const clean = text.slice(0, most * 2).replace(/[\p{C}\u2028\u2029]/gu, ' ');
  return clean.length <= most ? clean : `${clean.slice(0, most - 3)}...`;
};

function shown(value: unknown): string {
  if (typeof value === 'string') return `'${harmless(value, 60)}'`;
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

const at = (where: string, path: string): string => (path === '' ? where : `${where}: ${harmless(path)}`);

export const wrongValue = (where: string, path: string, value: unknown, expected: string): string =>
  `${at(where, path)} is ${shown(value)}; expected ${expected}.`;

export const missingValue = (where: string, path: string, expected: string): string =>
  `${at(where, path)} is missing; expected ${expected}.`;

export const unknownUnit = (where: string, path: string, unit: string, expected: readonly string[]): string =>
  `${at(where, path)} has the unit ${shown(unit)}; expected ${expected.join(', ')}.`;

export const unevenLists = (where: string, first: string, second: string, lengths: readonly [number, number]): string =>
  `${where}: ${first} has ${lengths[0]} entries and ${second} ${lengths[1]}; expected as many, one a request.`;

export const unevenRow = (where: string, cells: number, columns: number): string =>
  `${where} has ${cells} cells under ${columns} columns; expected as many: a benchmark of which other requests failed has other columns, export it by itself or as JSON.`;

export const tooManyValues = (where: string, what: string, limit: number): string =>
  `${where}: more than ${limit.toLocaleString('en-US')} ${what}; split the file.`;

export const emptyFile = (where: string): string => `${where}: the file is empty.`;

export const binaryFile = (where: string): string =>
  `${where}: this is a binary file; expected the text that a benchmark tool or server wrote.`;

export const lineTooLong = (where: string, line: number, limit: number): string =>
  `${where}: line ${line} is longer than ${Math.round(limit / 1e6)} million characters.`;

export const textTooLong = (where: string, limit: number): string =>
  `${where}: one JSON of more than ${Math.round(limit / 1e6)} million characters; leave out per-request details, or write JSON lines.`;

export const tableTooLong = (where: string, limit: number): string =>
  `${where}: a table of more than ${Math.round(limit / 1e6)} million characters; split it.`;

export const yamlTooLong = (where: string, limit: number): string =>
  `${where}: YAML of more than ${Math.round(limit / 1e6)} million characters; write JSON, or leave out per-request details.`;

export const unknownFormat = (where: string, seen: string): string =>
  `${where}: no known benchmark, log or metrics format (${seen}); expected what vllm bench, SGLang bench_serving, GuideLLM, AIPerf, GenAI-Perf, llmperf, inference-perf, llm-d, llama-bench, llama-benchy, llama.cpp, InferenceX, MLPerf LoadGen or OpenTelemetry GenAI write, /metrics or a log of vLLM, SGLang or TGI, or a measurement CSV (docs/formats.md).`;

/** What a text or value that nobody knows looks like, in a few words. */
export function seenIn(value: unknown): string {
  if (Array.isArray(value))
    return value.length === 0 ? 'an empty list' : `a list of which the first is ${seenIn(value[0])}`;
  if (typeof value !== 'object' || value === null) return `JSON that is ${shown(value)}`;
  const keys = Object.keys(value);
  if (keys.length === 0) return 'an empty object';
  return `an object with the keys ${keys
    .slice(0, 4)
    .map((key) => harmless(key, 30))
    .join(', ')}${keys.length > 4 ? ' ...' : ''}`;
}

export const seenText = (head: string): string =>
  `its first line is ${shown(head.trimStart().split('\n', 1)[0] ?? '')}`;

export const arrivalTrace = (where: string, name: string): string =>
  `${where}: a trace of arrivals (${name}): it holds lengths and times of arrival, but no clocks to look at; give it to simulate.`;

export const mixedFormats = (where: string, line: number, first: string, second: string): string =>
  `${where}: line ${line} is of ${second}, the lines before of ${first}; expected the output of one tool in a file.`;

export const badJsonLine = (where: string, reason: string): string =>
  `${where}: ${harmless(reason.replace(/^[^:]*: /, ''), 200)}`;

export const badCsv = (where: string, reason: string): string => `${where}: not readable as CSV: ${harmless(reason)}.`;

export const badYaml = (where: string, reason: string): string =>
  `${where}: not readable as YAML: ${harmless(reason.split('\n')[0] ?? '', 120)}.`;

export const tooDeep = (where: string, limit: number): string =>
  `${where}: nests deeper than ${limit} levels; no benchmark tool writes that.`;

export const noRuns = (where: string, tool: string, expected: string): string =>
  `${where}: a file of ${tool} without ${expected}.`;

export const badMetricLine = (where: string, line: number, expected: string): string =>
  `${where}: line ${line} is not Prometheus text; expected ${expected}.`;

export const countsFall = (where: string, line: number, metric: string): string =>
  `${where}: line ${line}: the buckets of ${harmless(metric)} do not rise with le; expected cumulative counts.`;

export const unreadableFile = (where: string, reason: string): string =>
  `${where} cannot be read: ${harmless(reason)}.`;
