import { readFileSync } from 'node:fs';
import { defineConfig, type UserConfig } from 'vite';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string };

/** Bundles the command: one file to start, and one for each part that only some commands load. */
const config: UserConfig = defineConfig({
  define: { __TWOCLOCKS_VERSION__: JSON.stringify(version) },
  ssr: { noExternal: true, target: 'node' },
  build: {
    ssr: 'src/cli/run.ts',
    outDir: 'dist/cli',
    target: 'node20',
    minify: true,
    rolldownOptions: { output: { chunkFileNames: '[name]-[hash].js', entryFileNames: '[name].js' } },
  },
});
export default config;
