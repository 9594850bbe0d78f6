import type { AskedVersion, Engine, EngineRelease } from './engine.ts';

/**
 * The release whose rules hold for a version as people write it: '0.11.0', 'v0.15.1', 'b7948', '0.8.5 (ROCm fork)'.
 * Text without a version that names a year, as in 'backend version not stated (2024)', means the last release of it.
 * @returns the newest release that is not newer than the version; the oldest where all are; undefined where the text
 *   holds no version number.
 */
export function findRelease(engine: Engine, version: string): EngineRelease | undefined {
  const wanted = numbersOf(version, namesOf(engine));
  if (wanted === undefined) return releaseOfYear(engine, version);
  return (
    engine.releases.findLast((release) => compare(numbersOf(release.version) ?? [], wanted) <= 0) ?? engine.releases[0]
  );
}

/**
 * The same for a version that somebody chose: where no release is called so, the answer says what was asked for, and
 * whether it lies outside of all known ones.
 */
export function releaseFor(engine: Engine, version: string): EngineRelease | undefined {
  const release = findRelease(engine, version);
  const wanted = numbersOf(version, namesOf(engine));
  if (release === undefined || wanted === undefined) return release;
  const against = (other: EngineRelease | undefined): number => compare(wanted, numbersOf(other?.version ?? '') ?? []);
  if (against(release) === 0) return release;
  const beyond = against(engine.releases[0]) < 0 ? 'older' : release === engine.releases.at(-1) ? 'newer' : undefined;
  const asked: AskedVersion = { version, ...(beyond === undefined ? {} : { beyond }) };
  return Object.freeze({ ...release, asked });
}

/** Whether a version as people write it comes before another; not, where it holds no number. */
export function isOlder(engine: Engine, version: string, than: string): boolean {
  const numbers = numbersOf(version, namesOf(engine));
  return numbers !== undefined && compare(numbers, numbersOf(than) ?? []) < 0;
}

const namesOf = ({ title, name, aliases }: Engine): readonly string[] =>
  [title, name, ...aliases].map((each) => each.toLowerCase());

function releaseOfYear(engine: Engine, text: string): EngineRelease | undefined {
  const year = /\b20[12]\d\b/.exec(text.slice(0, 100))?.[0];
  return year === undefined ? undefined : engine.releases.findLast(({ since }) => since <= `${year}-12-31`);
}

/**
 * Numbers at the start of a version, after a product's own name at most: a commit such as 'f3e182816' or a driver
 * such as 'CUDA 12.2' is no version of the engine.
 */
function numbersOf(version: string, names: readonly string[] = []): number[] | undefined {
  const folded = version.slice(0, 100).trim().toLowerCase();
  const name = names.find((each) => folded.startsWith(each));
  const rest = name === undefined ? folded : folded.slice(name.length).replace(/^[\s:@-]+/, '');
  const match = /^(?:v|b)?(\d+(?:\.\d+){0,5})(?![0-9a-f]*[a-f]\d)/.exec(rest);
  return match?.[1]?.split('.').map(Number);
}

function compare(left: readonly number[], right: readonly number[]): number {
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
