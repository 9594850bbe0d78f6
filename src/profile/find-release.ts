import type { Engine, EngineRelease } from './engine.ts';

/**
 * The release whose rules hold for a version as people write it: '0.11.0', 'v0.15.1', 'b7948', '0.8.5 (ROCm fork)'.
 * @returns the newest release that is not newer than the version; the oldest where all are; undefined where the text
 *   holds no version number.
 */
export function findRelease(engine: Engine, version: string): EngineRelease | undefined {
  const wanted = numbersOf(version);
  if (wanted === undefined) return undefined;
  return (
    engine.releases.findLast((release) => compare(numbersOf(release.version) ?? [], wanted) <= 0) ?? engine.releases[0]
  );
}

function numbersOf(version: string): number[] | undefined {
  const match = /\d+(?:\.\d+){0,5}/.exec(version.slice(0, 100));
  return match?.[0].split('.').map(Number);
}

function compare(left: readonly number[], right: readonly number[]): number {
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
