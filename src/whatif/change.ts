import { distance } from 'fastest-levenshtein';
import type { Engine, EngineRelease } from '../profile/engine.ts';
import type { Hardware } from '../profile/hardware.ts';
import type { Model } from '../profile/model.ts';
import { samplings } from '../profile/sampling.ts';
import { hardwareLever } from './levers/hardware.ts';
import { engineLever, graphsLever, sequencesLever, tokenBudgetLever } from './levers/engine.ts';
import { lengthLever, loadLever } from './levers/load.ts';
import { devicesLever, ranksLever } from './levers/parallelism.ts';
import { powerLever } from './levers/power.ts';
import { precisionLever } from './levers/precision.ts';
import { cachedLever, hitRateLever } from './levers/prefix-cache.ts';
import { samplingLever } from './levers/sampling.ts';
import { type Lever, LeverError } from './lever.ts';
import { contradiction, notAChange, tooLong, unknownLever } from './messages.ts';
import { readChoice, readCount, readPositive, readShare, readSwitch } from './read-value.ts';
import { readDisaggregation, readField, readOffload, readSpeculation } from './read-lever.ts';

/** Looks up profiles by the names that people write. They throw a sentence where there is none. */
export interface Lookups {
  readonly hardware: (name: string) => Promise<Hardware>;
  readonly engine: (name: string) => Promise<{ readonly engine: Engine; readonly release: EngineRelease }>;
  readonly model: (name: string) => Promise<Model>;
}

/** One `--change`: levers that are pulled together. */
export interface Change {
  /** As it was written, or the levers' own texts. */
  readonly label: string;
  readonly levers: readonly Lever[];
}

type Reader = (value: string, lookups: Lookups, key: string) => Lever | Promise<Lever>;

const ranks =
  (name: Parameters<typeof ranksLever>[0]): Reader =>
  (value) =>
    ranksLever(name, readCount(name, value));

/** What may stand before the equals sign, with other spellings of it. */
const readers: readonly { readonly names: readonly string[]; readonly read: Reader }[] = [
  { names: ['hardware', 'gpu', 'device'], read: async (value, { hardware }) => hardwareLever(await hardware(value)) },
  { names: ['devices', 'gpus'], read: (value) => devicesLever(readCount('devices', value)) },
  { names: ['tp', 'tensor'], read: ranks('tp') },
  { names: ['pp', 'pipeline'], read: ranks('pp') },
  { names: ['dp', 'data'], read: ranks('dp') },
  { names: ['ep', 'expert'], read: ranks('ep') },
  { names: ['replicas'], read: ranks('replicas') },
  { names: ['weights'], read: (value) => precisionLever('weights', value) },
  { names: ['activations'], read: (value) => precisionLever('activations', value) },
  { names: ['kv', 'kv-cache'], read: (value) => precisionLever('kv', value) },
  { names: ['batch'], read: (value) => loadLever({ kind: 'batch', size: readCount('batch', value) }) },
  {
    names: ['concurrency'],
    read: (value) => loadLever({ kind: 'concurrency', size: readCount('concurrency', value) }),
  },
  {
    names: ['rate'],
    read: (value) =>
      loadLever({ kind: 'rate', requestsPerSecond: readPositive('rate', value, 'requests/s such as 4') }),
  },
  { names: ['prompt', 'input'], read: (value) => lengthLever('prompt', readCount('prompt', value)) },
  { names: ['output'], read: (value) => lengthLever('output', readCount('output', value)) },
  { names: ['cached'], read: (value) => cachedLever(value.trim() === '0' ? 0 : readCount('cached', value)) },
  { names: ['hit', 'hit-rate'], read: (value) => hitRateLever(readShare('hit', value)) },
  { names: ['budget', 'token-budget'], read: (value) => tokenBudgetLever(readCount('budget', value)) },
  { names: ['sequences'], read: (value) => sequencesLever(readCount('sequences', value)) },
  { names: ['speculation', 'speculate'], read: (value, { model }) => readSpeculation(value, model) },
  { names: ['disaggregate', 'disaggregation'], read: (value) => readDisaggregation(value) },
  {
    names: ['engine'],
    read: async (value, { engine }) => {
      const found = await engine(value);
      return engineLever(found.engine, found.release);
    },
  },
  { names: ['graphs', 'cuda-graphs'], read: (value) => graphsLever(readSwitch('graphs', value)) },
  { names: ['sampling'], read: (value) => samplingLever(readChoice('sampling', value, samplings)) },
  {
    names: ['power', 'power-cap'],
    read: (value) => powerLever(readPositive('power', value.replace(/\s*W$/i, ''), 'watts such as 350 W')),
  },
  { names: ['offload'], read: (value) => readOffload(value) },
];

const byName: ReadonlyMap<string, Reader> = new Map(
  readers.flatMap(({ names, read }) => names.map((name): [string, Reader] => [name, read])),
);

/** Names of levers, one spelling each, for help and completion. */
export const leverNames: readonly string[] = readers.map(({ names: [name = ''] }) => name);

const longestChange = 1000;

/**
 * Reads 'weights=int4,kv=fp8', 'hardware=h200', 'hardware.memory.bandwidth=*1.5' ...: levers with commas between them.
 * @throws LeverError with one sentence for what is no lever, a wrong value, or levers that contradict each other; the
 *   errors of `lookups`.
 */
export async function parseChange(text: string, lookups: Lookups): Promise<Change> {
  if (text.length > longestChange) throw new LeverError(tooLong(text.length, longestChange));
  const levers: Lever[] = [];
  for (const part of partsOf(text)) levers.push(await parseLever(part, lookups));
  refuseContradictions(levers);
  return { label: text.trim(), levers };
}

/** A change of levers made in the program. @throws LeverError where they contradict each other. */
export function changeOf(...levers: readonly Lever[]): Change {
  refuseContradictions(levers);
  return { label: levers.map(({ text }) => text).join(','), levers };
}

async function parseLever(text: string, lookups: Lookups): Promise<Lever> {
  const at = text.indexOf('=');
  const name = text.slice(0, Math.max(0, at)).trim();
  const value = text.slice(at + 1).trim();
  if (at < 0 || name === '' || value === '') throw new LeverError(notAChange(text));
  const reader = byName.get(name.toLowerCase());
  if (reader !== undefined) return reader(value, lookups, name);
  if (name.includes('.')) return readField(name, value);
  throw new LeverError(unknownLever(name, nearestOf(name, [...byName.keys()]), leverNames));
}

/** Splits at commas outside brackets. */
function partsOf(text: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim());
}

/**
 * Two levers on the same part, or one on a whole after one on a part of it: the first would have no effect. A part
 * changed after its whole ('hardware=h200,hardware.memory.bandwidth=*1.5') is no contradiction.
 */
function refuseContradictions(levers: readonly Lever[]): void {
  for (const [index, later] of levers.entries()) {
    for (const earlier of levers.slice(0, index)) {
      for (const { path } of later.writes) {
        const both = earlier.writes.find((slot) => slot.path === path || slot.path.startsWith(`${path}.`));
        const isRelative = later.reads.includes(path);
        if (both !== undefined && !isRelative) throw new LeverError(contradiction(earlier.text, later.text, path));
      }
    }
  }
}

/** The known word with the fewest edits, where at most half of it differs. */
function nearestOf(word: string, known: readonly string[]): string | undefined {
  const folded = word.slice(0, 64).toLowerCase();
  const [best] = known
    .map((candidate) => ({ candidate, edits: distance(folded, candidate) }))
    .sort((a, b) => a.edits - b.edits);
  return best !== undefined && best.edits <= Math.max(2, Math.ceil(folded.length / 2)) ? best.candidate : undefined;
}
