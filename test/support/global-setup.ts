import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What each build writes last, and the files that it reads. */
const builds = [
  {
    script: 'build:catalog',
    result: 'dist/profiles/names.json',
    from: ['hardware-profiles', 'model-profiles', 'engine-profiles', 'prices', 'src/profile', 'src/catalog'],
  },
  { script: 'build:command', result: 'dist/cli/run.js', from: ['src'] },
];

/** Builds what tests read besides the sources, the resolved profiles and the bundled command, where it is out of date. */
export const setup = (): void => {
  for (const { script, result, from } of builds) {
    if (isCurrent(result, from)) continue;
    execFileSync('npm', ['run', '--silent', script], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  }
};

const modified = (path: string): number => statSync(`${root}/${path}`).mtimeMs;

const files = (folder: string): readonly string[] =>
  readdirSync(`${root}/${folder}`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath.slice(root.length)}/${entry.name}`);

function isCurrent(result: string, from: readonly string[]): boolean {
  if (!existsSync(`${root}/${result}`)) return false;
  const built = modified(result);
  return from.every((folder) => files(folder).every((path) => modified(path) <= built));
}
