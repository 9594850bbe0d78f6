import { samplings } from '../profile/sampling.ts';
import {
  type Disaggregation,
  type PrecisionChoice,
  routers,
  singleDevice,
  type Speculation,
} from '../profile/scenario.ts';
import { CatalogError } from './catalog-error.ts';
import { unknownScenarioField, wrongScenarioValue } from './messages.ts';
import type { ScenarioWords } from './scenario.ts';

/** Written so that the compiler misses a field that is left out. */
const knownFields = Object.keys({
  model: true,
  hardware: true,
  engine: true,
  engineVersion: true,
  parallelism: true,
  router: true,
  sampling: true,
  precision: true,
  speculation: true,
  disaggregation: true,
  prompt: true,
  output: true,
  cached: true,
  load: true,
  grade: true,
} satisfies Record<keyof ScenarioWords, true>);

const knownFormats = Object.keys({ weights: true, activations: true, keyValue: true } satisfies Record<
  keyof PrecisionChoice,
  true
>);

const speculationFields = Object.keys({
  method: true,
  tokens: true,
  acceptance: true,
  draft: true,
  cost: true,
} satisfies Record<keyof Speculation, true>);
const speculationMethods = Object.keys({ eagle: true, mtp: true, draft: true, ngram: true } satisfies Record<
  Speculation['method'],
  true
>);

const disaggregationFields = Object.keys({ prefill: true, decode: true, link: true } satisfies Record<
  keyof Disaggregation,
  true
>);
const links = ['own', 'host', 'network'];

const loadFields = { batch: 'size', concurrency: 'size', rate: 'requestsPerSecond' } as const;
const loadKinds = Object.keys(loadFields);
const grades = ['typical', 'ideal'];

/**
 * Refuses what callers in plain JavaScript may write without a compiler to tell them: a misspelt field would be a
 * default in silence.
 * @throws CatalogError with the field, its value and the nearest that is known.
 */
export function checkWords(words: ScenarioWords): void {
  onlyKnown('', recordOf('the scenario', words), knownFields);
  for (const name of ['model', 'hardware', 'engine', 'engineVersion'] as const) {
    const value: unknown = words[name];
    if (value !== undefined && typeof value !== 'string') {
      throw new CatalogError(wrongScenarioValue(name, value, 'a name such as in `twoclocks list`'));
    }
  }
  if (words.parallelism !== undefined) {
    onlyKnown('parallelism.', recordOf('parallelism', words.parallelism), Object.keys(singleDevice));
  }
  if (words.router !== undefined && !routers.includes(words.router)) {
    throw new CatalogError(wrongScenarioValue('router', words.router, `one of ${routers.join(', ')}`));
  }
  if (words.sampling !== undefined && !samplings.includes(words.sampling)) {
    throw new CatalogError(wrongScenarioValue('sampling', words.sampling, `one of ${samplings.join(', ')}`));
  }
  if (words.precision !== undefined) onlyKnown('precision.', recordOf('precision', words.precision), knownFormats);
  if (words.speculation !== undefined) checkSpeculation(recordOf('speculation', words.speculation));
  if (words.disaggregation !== undefined) checkDisaggregation(recordOf('disaggregation', words.disaggregation));
  if (words.grade !== undefined && !grades.includes(words.grade)) {
    throw new CatalogError(wrongScenarioValue('grade', words.grade, `one of ${grades.join(', ')}`));
  }
  if (words.load !== undefined) checkLoad(recordOf('load', words.load));
}

function checkSpeculation(speculation: Readonly<Record<string, unknown>>): void {
  onlyKnown('speculation.', speculation, speculationFields);
  const { method, draft } = speculation;
  if (typeof method !== 'string' || !speculationMethods.includes(method))
    throw new CatalogError(wrongScenarioValue('speculation.method', method, `one of ${speculationMethods.join(', ')}`));
  if (draft !== undefined && typeof draft !== 'string')
    throw new CatalogError(wrongScenarioValue('speculation.draft', draft, 'the name of a model'));
}

function checkDisaggregation(disaggregation: Readonly<Record<string, unknown>>): void {
  onlyKnown('disaggregation.', disaggregation, disaggregationFields);
  const { link } = disaggregation;
  if (typeof link === 'object' && link !== null) return onlyKnown('disaggregation.link.', link, ['name', 'bandwidth']);
  if (typeof link !== 'string' || !links.includes(link))
    throw new CatalogError(
      wrongScenarioValue('disaggregation.link', link, `one of ${links.join(', ')}, or a name with a bandwidth`),
    );
}

function checkLoad(load: Readonly<Record<string, unknown>>): void {
  const { kind } = load;
  const field = Object.entries(loadFields).find(([name]) => name === kind)?.[1];
  if (field === undefined)
    throw new CatalogError(wrongScenarioValue('load.kind', kind, `one of ${loadKinds.join(', ')}`));
  onlyKnown('load.', load, ['kind', field]);
}

function onlyKnown(path: string, given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((field) => !known.includes(field));
  if (unknown !== undefined) throw new CatalogError(unknownScenarioField(path, unknown, known));
}

function recordOf(path: string, value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value));
  throw new CatalogError(wrongScenarioValue(path, value, 'an object'));
}
