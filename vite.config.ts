import { readFileSync } from 'node:fs';
import { defineConfig, type Plugin, type UserConfig } from 'vite';

const description: unknown = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const version =
  typeof description === 'object' && description !== null && 'version' in description
    ? String(description.version)
    : 'unknown';

/** What `estimate` runs, in one file: a start costs more per file than per kilobyte. The rest loads where it is used. */
const main =
  /src\/(?:catalog|operator|roofline|phase|serving)\/|src\/estimate|src\/cli\/(?:catalog|command|commands|commands\/estimate|input-error|load-profile|main|messages|output-format|parse-arguments|read-number|read-scenario|scenario-options|system-reason|version)\.ts|src\/present\/(?:align-columns|bar|clock-time|estimate-text|paint|plain-text|resource-words|scenario-title|what-binds|wrap-text)\.ts|src\/profile\/(?:check-scenario|deep-freeze|find-release|key-value-bytes|layer-matrices|precision|scenario|scenario-messages)\.ts|src\/quantity\/(?:dimension|format-quantity|gguf-formats|gguf-mixes|gguf-types|matrix-format|number-format|packed-formats|plain-formats|quantity-error|stored-format)\.ts|rolldown\/runtime|node_modules\/(?:yargs-parser|fastest-levenshtein)/;

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

const escaped = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Bundles the command: one file to start, and one for each part that only some commands load. */
const config: UserConfig = defineConfig({
  plugins: [lean],
  define: { __TWOCLOCKS_VERSION__: JSON.stringify(version) },
  ssr: { noExternal: true, target: 'node' },
  build: {
    ssr: 'src/cli/run.ts',
    outDir: 'dist/cli',
    target: 'node20',
    minify: true,
    rolldownOptions: {
      // Importing one function of yargs must not run the rest of it.
      treeshake: { moduleSideEffects: (id) => !/node_modules\/(?:yargs|cliui|y18n)\//.test(id) },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name]-[hash].js',
        codeSplitting: { groups: [{ name: 'main', test: main }] },
      },
    },
  },
});
export default config;
