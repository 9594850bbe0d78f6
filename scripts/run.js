// Runs a TypeScript script with the project's own Vite (Node 20 cannot strip types itself): node scripts/run.js FILE [ARGS].
import { resolve } from 'node:path';
import { runnerImport } from 'vite';

const [file, ...rest] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: node scripts/run.js FILE.ts [ARGUMENT...]');
  process.exit(2);
}
process.argv = [process.argv[0] ?? 'node', resolve(file), ...rest];
await runnerImport(resolve(file), { configFile: false, logLevel: 'error' });
