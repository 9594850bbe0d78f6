// Runs a TypeScript file as a bundler ships it: compiled to one plain module first, so that what is timed is the engine
// and not the module loader of scripts/run.js, which routes every call between modules through a proxy.
//
//     node scripts/run-bundled.js FILE.ts [ARGUMENT...]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';

const [file, ...rest] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: node scripts/run-bundled.js FILE.ts [ARGUMENT...]');
  process.exit(2);
}
process.argv = [process.argv[0] ?? 'node', resolve(file), ...rest];
const folder = mkdtempSync(join(tmpdir(), 'twoclocks-'));
try {
  await build({
    configFile: false,
    logLevel: 'error',
    build: { ssr: resolve(file), outDir: folder, target: 'es2022', minify: false },
    ssr: { noExternal: true },
  });
  await import(pathToFileURL(join(folder, basename(file).replace(/\.ts$/, '.js'))).href);
} finally {
  rmSync(folder, { recursive: true });
}
