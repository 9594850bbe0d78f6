import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { build, type Plugin } from 'vite';
import { clockCurveChart } from '../src/present/chart/clock-curve.ts';
import { clockPartsChart } from '../src/present/chart/clock-parts.ts';
import { lightTheme } from '../src/present/chart/theme.ts';

/*
 * Vega for the bundled command: without maps, forces, trees, word clouds and regressions, without a search for a canvas,
 * in a file of its own beside the compiled code that V8 makes of it while it draws a chart. Another version of Node
 * refuses that code and compiles anew, which takes a third longer; the picture is the same to the byte.
 */
const entry = 'lean-vega-entry';

const modules: Readonly<Record<string, string>> = {
  [entry]: `
    export { compile } from 'vega-lite';
    export { View, parse, textMetrics } from 'vega';`,
  vega: `
    import { extend } from 'vega-util';
    import { transforms } from 'vega-dataflow';
    import * as data from 'vega-transforms';
    import * as view from 'vega-view-transforms';
    import * as encode from 'vega-encode';
    extend(transforms, data, view, encode);
    export { hasOwnProperty, isObject, isString, stringValue } from 'vega-util';
    export { View } from 'vega-view';
    export { parse } from 'vega-parser';
    export { textMetrics } from 'vega-scenegraph';`,
  'vega-canvas': `
    export const canvas = () => null;
    export const domCanvas = canvas;
    export const nodeCanvas = canvas;
    export const image = () => null;`,
  'topojson-client': 'export const feature = () => null; export const mesh = feature;',
  'd3-geo-projection': `
    const none = () => null;
    export { none as geoMollweide, none as geoProjection };`,
};

const prefix = '\0lean-vega:';

const leanModules: Plugin = {
  name: 'twoclocks:lean-vega-modules',
  enforce: 'pre',
  resolveId: (id) => {
    // The entry comes as a path.
    const name = id.endsWith(entry) ? entry : id;
    return Object.hasOwn(modules, name) ? `${prefix}${name}` : undefined;
  },
  load: (id) => (id.startsWith(prefix) ? modules[id.slice(prefix.length)] : undefined),
};

const wrapped = (code: string): string => `(function (exports, require) {${code}\n})`;

/** In place of src/present/render/vega-modules.ts; Vega's reader of files, which is not used, is all that it requires. */
const loader = `
  import { readFileSync } from 'node:fs';
  import { Script } from 'node:vm';

  export async function vegaModules() {
    const code = readFileSync(new URL('./vega.cjs', import.meta.url), 'utf8');
    let cachedData;
    try {
      cachedData = readFileSync(new URL('./vega.cache', import.meta.url));
    } catch {}
    const script = new Script('(function (exports, require) {' + code + '\\n})', { filename: 'vega.cjs', cachedData });
    const exports = {};
    script.runInThisContext()(exports, () => ({}));
    return exports;
  }`;

interface LeanVega {
  readonly compile: (spec: object) => { readonly spec: object };
  readonly parse: (spec: object) => object;
  readonly View: new (runtime: object, options: object) => { readonly toSVG: () => Promise<string> };
}

/** Two charts with what most charts use: bars in panels, lines, bands, points, limits and labels. */
const warmUps: readonly object[] = [
  clockPartsChart(
    {
      heading: { title: 'Clocks', lines: ['A line.'] },
      clocks: ['TTFT', 'TPOT'].map((name) => ({
        name,
        seconds: 0.5,
        band: { low: 0.3, high: 0.9 },
        ideal: 0.1,
        parts: [
          { label: 'compute', resource: 'compute', seconds: 0.3 },
          { label: 'waiting', resource: 'queue', seconds: 0.2 },
        ],
      })),
    },
    lightTheme,
  ),
  clockCurveChart(
    {
      heading: { title: 'Curve', lines: ['A line.'] },
      clock: 'ttft',
      against: { title: 'prompt tokens', kind: 'tokens', words: String },
      isLogY: true,
      points: [10, 100, 1000].map((x) => ({
        x,
        seconds: x / 1e3,
        band: { low: x / 2e3, high: x / 500 },
        ideal: x / 1e4,
      })),
      here: { x: 100, seconds: 0.1 },
      limits: [{ along: 'x', value: 500, label: 'limit' }],
    },
    lightTheme,
  ),
];

/** What V8 compiles for drawing charts, in the form that it takes back. */
async function compiledCode(code: string): Promise<Uint8Array> {
  const script = new Script(wrapped(code), { filename: 'vega.cjs' });
  const exports: Partial<LeanVega> = {};
  const run: unknown = script.runInThisContext();
  if (typeof run !== 'function') throw new TypeError('vega.cjs is no function');
  Reflect.apply(run, undefined, [exports, () => ({})]);
  const { compile, parse, View } = exports;
  if (compile === undefined || parse === undefined || View === undefined) throw new TypeError('vega.cjs lacks a part');
  for (const spec of warmUps) await new View(parse(compile(spec).spec), { renderer: 'none' }).toSVG();
  return script.createCachedData();
}

export const leanVega: Plugin = {
  name: 'twoclocks:lean-vega',
  enforce: 'pre',
  load: (id) => (id.endsWith('/src/present/render/vega-modules.ts') ? loader : undefined),
  writeBundle: async ({ dir = '' }) => {
    await build({
      configFile: false,
      logLevel: 'error',
      root: fileURLToPath(new URL('..', import.meta.url)),
      plugins: [leanModules, asciiOnly],
      ssr: { noExternal: true, target: 'node' },
      build: {
        ssr: entry,
        outDir: dir,
        emptyOutDir: false,
        target: 'node20',
        minify: true,
        rolldownOptions: { output: { format: 'cjs', entryFileNames: 'vega.cjs' } },
      },
    });
    const code = await readFile(join(dir, 'vega.cjs'), 'utf8');
    await writeFile(join(dir, 'vega.cache'), await compiledCode(code));
  },
};

const escaped = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** One letter beyond Latin 1 makes V8 hold a file in two bytes a letter. */
const asciiOnly: Plugin = {
  name: 'twoclocks:ascii',
  generateBundle: (_options, bundle) => {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk') file.code = file.code.replaceAll(/[^\0-\x7f]/g, escaped);
    }
  },
};
