import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Builds what tests read besides the sources: the resolved profiles and the bundled command. Once per run, whatever
 * files are tested, so that no test meets yesterday's build.
 */
export const setup = (): void => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  for (const script of ['build:catalog', 'build:command']) {
    execFileSync('npm', ['run', '--silent', script], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  }
};
