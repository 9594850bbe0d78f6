import type { Engine, EngineRelease } from './engine.ts';

/**
 * The release whose rules hold for a version as people write it: '0.11.0', 'v0.15.1', 'b7948', '0.8.5 (ROCm fork)'.
 * Text without a version that names a year, as in 'backend version not stated (2024)', means the last release of it.
 * @returns the newest release that is not newer than the version; the oldest where all are; undefined where the text
 *   holds no version number.
 */
export function findRelease(engine: Engine, version: string): EngineRelease | undefined {
  const names = [engine.title, engine.name, ...engine.aliases].map((name) => name.toLowerCase());
  const wanted = numbersOf(version, names);
  if (wanted === undefined) return releaseOfYear(engine, version);
  return (
    engine.releases.findLast((release) => compare(numbersOf(release.version) ?? [], wanted) <= 0) ?? engine.releases[0]
  );
}

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
