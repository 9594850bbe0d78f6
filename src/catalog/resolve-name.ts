import { distance } from 'fastest-levenshtein';
import type { CatalogEntry, ProfileKind } from './catalog-entry.ts';
import { popularNames } from './popular-names.ts';
import { compactName, foldName, type WordKind, wordKind, wordsOf } from './name-words.ts';

/** How a written name led to a profile, from certain to lenient. */
export type Via = 'name' | 'alias' | 'spelling' | 'without-words' | 'part';

export type Resolution =
  | {
      readonly kind: 'found';
      readonly name: string;
      readonly via: Via;
      /** Words of the written name that the profile does not have: formats, dates, packaging. */
      readonly dropped: readonly string[];
    }
  | {
      readonly kind: 'ambiguous';
      /** The most likely of those that fit. */
      readonly candidates: readonly string[];
      /** How many more fit. */
      readonly more: number;
    }
  | { readonly kind: 'unknown'; readonly nearest: readonly string[] };

/** Words left out step by step; a later step forgets more, so it is tried only where the earlier found nothing. */
const stages: readonly (readonly WordKind[])[] = [
  ['packaging'],
  ['packaging', 'format'],
  ['packaging', 'format', 'memory'],
  ['packaging', 'format', 'memory', 'version'],
];

const longestName = 200;
const mostCandidates = 8;

/**
 * Finds the profile that a person means: by name, by alias, by another spelling, without organisation, packaging,
 * format, memory size or version, by a part that only one profile has.
 * @param text As written: 'meta-llama/Llama-3.1-70B-Instruct', 'H100-SXM', '4090'.
 */
export function resolveName(kind: ProfileKind, text: string, entries: readonly CatalogEntry[]): Resolution {
  const written = text.slice(0, longestName).trim().toLowerCase();
  const named = entries.find(({ name }) => name === written);
  if (named !== undefined) return { kind: 'found', name: named.name, via: 'name', dropped: [] };
  const aliased = entries.find(({ aliases }) => aliases.includes(written));
  if (aliased !== undefined) return { kind: 'found', name: aliased.name, via: 'alias', dropped: [] };

  const folded = foldName(written);
  if (folded === '') return { kind: 'unknown', nearest: [] };
  const known = entries.flatMap((entry) =>
    [entry.name, ...entry.aliases].map((label) => ({ entry, folded: foldName(label) })),
  );
  return (
    bySpelling(kind, folded, known) ??
    withoutWords(kind, folded, known) ??
    byPart(kind, folded, known) ??
    unknown(folded, known)
  );
}

interface Label {
  readonly entry: CatalogEntry;
  readonly folded: string;
}

function bySpelling(kind: ProfileKind, folded: string, known: readonly Label[]): Resolution | undefined {
  const compact = compactName(folded);
  return answer(
    kind,
    known.filter((label) => compactName(label.folded) === compact),
    'spelling',
    [],
  );
}

/** Compares what is left of both sides. A memory size that the written name states has to be the profile's own. */
function withoutWords(kind: ProfileKind, folded: string, known: readonly Label[]): Resolution | undefined {
  const words = wordsOf(folded);
  for (const left of stages) {
    const kept = (word: string): boolean => {
      const of = wordKind(kind, word);
      return of === undefined || !left.includes(of);
    };
    const core = words.filter(kept);
    if (core.length === 0) return undefined;
    const compact = core.join('');
    const fitting = known.filter(
      (label) =>
        wordsOf(label.folded).filter(kept).join('') === compact && sameWhereBothSay(kind, 'version', words, label),
    );
    if (fitting.length === 0) continue;
    // Of several, those that also have more of the words left out; without any difference, the ones with the fewest words.
    const best = mostShared(fitting, words);
    const own = new Set(best.flatMap(({ folded: label, entry }) => wordsOf(`${label}-${foldName(entry.name)}`)));
    const dropped = words.filter((word) => !kept(word) && !own.has(word));
    const states = (of: WordKind): string[] => dropped.filter((word) => wordKind(kind, word) === of);
    // Another memory size is another device, unless the profile's name is silent about it.
    if (states('memory').length > 0 && best.every((label) => hasWord(kind, label, 'memory'))) continue;
    return answer(kind, best, 'without-words', dropped);
  }
  return undefined;
}

/** deepseek-v2 is no deepseek-v3: a version that both sides state has to be one. */
function sameWhereBothSay(kind: ProfileKind, of: WordKind, words: readonly string[], label: Label): boolean {
  const stated = (among: readonly string[]): string[] => among.filter((word) => wordKind(kind, word) === of);
  const [mine, its] = [stated(words), stated(wordsOf(label.folded))];
  return mine.length === 0 || its.length === 0 || mine.some((word) => its.includes(word));
}

const hasWord = (kind: ProfileKind, { entry }: Label, of: WordKind): boolean =>
  wordsOf(foldName(entry.name)).some((word) => wordKind(kind, word) === of);

function mostShared(labels: readonly Label[], words: readonly string[]): Label[] {
  const scored = labels.map((label) => {
    const own = wordsOf(label.folded);
    const shared = own.filter((word) => words.includes(word)).length;
    return { label, shared, foreign: own.length - shared };
  });
  const shared = Math.max(...scored.map((each) => each.shared));
  const sharing = scored.filter((each) => each.shared === shared);
  const foreign = Math.min(...sharing.map((each) => each.foreign));
  return sharing.filter((each) => each.foreign === foreign).map(({ label }) => label);
}

/** Written words that are all in a profile's name, its first one among them, or the beginning of a name. */
function byPart(kind: ProfileKind, folded: string, known: readonly Label[]): Resolution | undefined {
  const words = wordsOf(folded).filter((word) => wordKind(kind, word) !== 'packaging');
  const first = (label: Label): string | undefined =>
    wordsOf(label.folded).find((word) => wordKind(kind, word) !== 'packaging');
  const containing = known.filter((label) => {
    const own = wordsOf(label.folded);
    const head = first(label);
    return words.length > 0 && head !== undefined && words.includes(head) && words.every((word) => own.includes(word));
  });
  const beginning = known.filter((label) => begins(label.folded, compactName(folded)));
  // Where the words alone decide nothing, the beginnings fit as well: 'qwen' is qwen-7b and qwen3-32b.
  return containing.length === 0 || namesOf(containing).length > 1
    ? answer(kind, [...containing, ...beginning], 'part', [])
    : answer(kind, containing, 'part', []);
}

/** 'mi300' begins mi300x, and 'llama3' llama-3-8b, but neither llama-30b nor llama-3.1-8b: no number is cut. */
function begins(folded: string, compact: string): boolean {
  if (compact.length < 2 || !compactName(folded).startsWith(compact)) return false;
  let at = 0;
  for (let matched = 0; matched < compact.length; at++) if (folded[at] !== '-') matched += 1;
  return !(/\d$/.test(compact) && /^[\d.]/.test(folded.slice(at)));
}

const namesOf = (labels: readonly Label[]): readonly string[] => [...new Set(labels.map(({ entry }) => entry.name))];

/** One profile is found, several are ambiguous, none is no answer. */
function answer(
  kind: ProfileKind,
  labels: readonly Label[],
  via: Via,
  dropped: readonly string[],
): Resolution | undefined {
  const names = namesOf(labels);
  const [name] = names;
  if (name === undefined) return undefined;
  if (names.length === 1) return { kind: 'found', name, via, dropped };
  const rank = (each: string): number => {
    const at = popularNames[kind].indexOf(each);
    return at < 0 ? Infinity : at;
  };
  const ordered = names.toSorted((a, b) => (rank(a) === rank(b) ? (a < b ? -1 : 1) : rank(a) - rank(b)));
  return {
    kind: 'ambiguous',
    candidates: ordered.slice(0, mostCandidates),
    more: Math.max(0, names.length - mostCandidates),
  };
}

function unknown(folded: string, known: readonly Label[]): Resolution {
  const compact = compactName(folded);
  // 'rtx-4090+rtx-3090-ti' names two.
  const words = wordsOf(folded.replaceAll('+', '-'));
  const best = new Map<string, number>();
  for (const { entry, folded: label } of known) {
    const shared = wordsOf(label).filter((word) => words.includes(word)).length;
    const score = distance(compact, compactName(label)) - 2 * shared;
    best.set(entry.name, Math.min(score, best.get(entry.name) ?? Infinity));
  }
  const nearest = [...best].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1)).slice(0, 3);
  return { kind: 'unknown', nearest: nearest.map(([name]) => name) };
}
