import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * The command's whole-process time beside that of a bare Node, as a ratio: runs alternate, so that both meet the same
 * machine, and the median of each counts.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'twoclocks-bench-'));
const estimate = ['bin/twoclocks.js', 'estimate', '-m', 'llama-3.1-70b', '-g', 'h100-sxm5-80gb', '--tp', '4'];
const subjects: readonly (readonly [string, readonly string[]])[] = [
  ['node -e 0', ['-e', '0']],
  ['estimate', estimate],
  ['whatif', ['bin/twoclocks.js', 'whatif', ...estimate.slice(2), '--change', 'hardware=h200-sxm-141gb']],
  ['advise', ['bin/twoclocks.js', 'advise', ...estimate.slice(2)]],
  // At most 4.5 and 6 times a bare Node.
  ['chart .svg', ['bin/twoclocks.js', 'chart', 'waterfall', ...estimate.slice(2), '-o', join(folder, 'clocks.svg')]],
  ['chart .png', ['bin/twoclocks.js', 'chart', 'waterfall', ...estimate.slice(2), '-o', join(folder, 'clocks.png')]],
];
const rounds = 15;

/** Wall milliseconds of one whole process. */
function wallMilliseconds(words: readonly string[]): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' });
  const wall = performance.now() - start;
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${String(status)}: ${stderr}`);
  return wall;
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

const walls = new Map<string, number[]>(subjects.map(([name]) => [name, []]));
for (let round = 0; round < rounds; round++) {
  for (const [name, words] of subjects) walls.get(name)?.push(wallMilliseconds(words));
}
const bare = median(walls.get('node -e 0') ?? []);
for (const [name, times] of walls) {
  console.log(`${name.padEnd(12)} ${median(times).toFixed(0).padStart(5)} ms  ${(median(times) / bare).toFixed(2)} x`);
}
rmSync(folder, { recursive: true });
