import { readFileSync } from 'node:fs';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import { leanVega } from './scripts/lean-vega.ts';

const description: unknown = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const version =
  typeof description === 'object' && description !== null && 'version' in description
    ? String(description.version)
    : 'unknown';

/**
 * Parts of yargs that the command has no use for, each several milliseconds of every start: widths of emoji and East
 * Asian letters (the help is ASCII), translations (the help is English), a search for package.json.
 */
const leanModules: Readonly<Record<string, string>> = {
  'string-width': 'export default (text) => text.length;',
  y18n: `
    const filled = (text, values) => values.reduce((out, value) => out.replace('%s', value), text);
    const translate = {
      __: (text, ...values) => filled(text, values),
      __n: (one, many, count, ...values) => filled(count === 1 ? one : many, values).replace('%d', count),
      getLocale: () => 'en_US',
      setLocale: () => {},
      updateLocale: () => {},
    };
    export default () => translate;`,
  'escalade/sync': 'export default () => undefined;',
  'get-caller-file': "export default () => '';",
};

const lean: Plugin = {
  name: 'twoclocks:lean-yargs',
  enforce: 'pre',
  resolveId: (id) => (Object.hasOwn(leanModules, id) ? `\0lean:${id}` : undefined),
  load: (id) => (id.startsWith('\0lean:') ? leanModules[id.slice('\0lean:'.length)] : undefined),
  // One letter beyond Latin 1 makes V8 hold a file in two bytes a letter; written as escapes, nothing is lost.
  generateBundle: (_options, bundle) => {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk') file.code = file.code.replaceAll(/[^\0-\x7f]/g, escaped);
    }
  },
};

/** What the start runs whatever is asked, found from its imports; all of it goes into one file. */
const startModules = new Set<string>();

const findStart: Plugin = {
  name: 'twoclocks:find-start',
  buildEnd() {
    const visit = (id: string): void => {
      // Of yargs, only its parser is needed to start.
      if (startModules.has(id) || /node_modules\/(?:yargs|cliui|y18n)\/|\0lean:/.test(id)) return;
      startModules.add(id);
      this.getModuleInfo(id)?.importedIds.forEach(visit);
    };
    for (const id of this.getModuleIds()) {
      if (id.endsWith('/src/cli/run.ts')) this.getModuleInfo(id)?.importedIds.forEach(visit);
    }
  },
};

const escaped = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Bundles the command: one file to start, and one for each part that only some commands load. */
const config: UserConfig = defineConfig({
  plugins: [lean, leanVega, findStart],
  define: { __TWOCLOCKS_VERSION__: JSON.stringify(version) },
  ssr: { noExternal: true, target: 'node' },
  build: {
    ssr: 'src/cli/run.ts',
    outDir: 'dist/cli',
    target: 'node20',
    minify: true,
    rolldownOptions: {
      // Native, optional, and loaded for PNG only.
      external: ['@resvg/resvg-js'],
      // Importing one function of yargs must not run the rest of it.
      treeshake: { moduleSideEffects: (id) => !/node_modules\/(?:yargs|cliui|y18n)\//.test(id) },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        // A start costs more per file than per kilobyte.
        codeSplitting: {
          groups: [
            {
              name: 'main',
              test: (id) => startModules.has(id) || id.includes('rolldown/runtime') || id.includes('yargs-parser/'),
            },
          ],
        },
      },
    },
  },
});
export default config;
