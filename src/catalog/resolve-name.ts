import { distance } from 'fastest-levenshtein';
import type { CatalogEntry, ProfileKind } from './catalog-entry.ts';
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
  | { readonly kind: 'ambiguous'; readonly candidates: readonly string[] }
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
    bySpelling(folded, known) ??
    withoutWords(kind, folded, known) ??
    byPart(kind, folded, known) ??
    unknown(folded, known)
  );
}

interface Label {
  readonly entry: CatalogEntry;
  readonly folded: string;
}

function bySpelling(folded: string, known: readonly Label[]): Resolution | undefined {
  const compact = compactName(folded);
  return answer(
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
    return answer(best, 'without-words', dropped);
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
  return answer(containing, 'part', []) ?? answer(beginning, 'part', []);
}

/** 'mi300' begins mi300x, and 'llama3' llama-3-8b, but neither llama-30b nor llama-3.1-8b: no number is cut. */
function begins(folded: string, compact: string): boolean {
  if (compact.length < 2 || !compactName(folded).startsWith(compact)) return false;
  let at = 0;
  for (let matched = 0; matched < compact.length; at++) if (folded[at] !== '-') matched += 1;
  return !(/\d$/.test(compact) && /^[\d.]/.test(folded.slice(at)));
}

/** One profile is found, several are ambiguous, none is no answer. */
function answer(labels: readonly Label[], via: Via, dropped: readonly string[]): Resolution | undefined {
  const names = [...new Set(labels.map(({ entry }) => entry.name))];
  const [name] = names;
  if (name === undefined) return undefined;
  if (names.length === 1) return { kind: 'found', name, via, dropped };
  return { kind: 'ambiguous', candidates: names.toSorted().slice(0, mostCandidates) };
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
