/* What the notebooks share: tables as Markdown, charts as PNG (which GitHub, VS Code and Jupyter all show). */
import { bundledEngine, bundledHardware, bundledModel, findBundled, type ProfileKind } from '../src/catalog/index.ts';
import type { Measurement } from '../src/measured/measurement.ts';
import type { ProfileSource } from '../src/measured/row-scenario.ts';
import { type ChartSpec, pngOf, svgOf } from '../src/present/chart/index.ts';
import { clockTime, percent } from '../src/present/clock-time.ts';
import type { Lookups } from '../src/whatif/change.ts';

/** The part of the Deno kernel that is used. */
declare const Deno: {
  readonly jupyter: {
    readonly display: (data: object, options: { readonly raw: boolean }) => Promise<void>;
  };
};

/** Pixels of a picture per pixel of the chart: sharp enough, and small in a repository. */
const scale = 1.5;

export const milliseconds = (seconds: number): string => clockTime(seconds);
export const percentage = (share: number): string => (share < 0 ? `−${percent(-share)}` : percent(share));

/** A kernel that reports a cell as done before its output has left loses the output. */
const flushed = 150;

async function show(data: object): Promise<void> {
  await Deno.jupyter.display(data, { raw: true });
  await new Promise((resolve) => {
    setTimeout(resolve, flushed);
  });
}

/** Shows a table; the value of a cell is undefined, so that nothing else is printed. */
export async function table(headers: readonly string[], rows: readonly (readonly unknown[])[]): Promise<void> {
  const line = (cells: readonly unknown[]): string =>
    `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  const text = [line(headers), line(headers.map(() => '---')), ...rows.map(line)].join('\n');
  await show({ 'text/markdown': text });
}

/** Shows a chart as PNG, drawn with the font of the program. */
export async function showChart(spec: ChartSpec): Promise<void> {
  const png = await pngOf(await svgOf(spec), scale);
  await show({ 'image/png': Buffer.from(png).toString('base64') });
}

async function profile<T>(kind: ProfileKind, name: string, load: (name: string) => Promise<T>): Promise<T> {
  const found = await findBundled(kind, name);
  if (found.kind !== 'found') throw new RangeError(`no ${kind} profile is named ${name}`);
  return load(found.name);
}

/** Profiles by name, for changes such as 'hardware=h200'. */
export const lookups: Lookups = {
  hardware: (name) => profile('hardware', name, bundledHardware),
  model: (name) => profile('models', name, bundledModel),
  engine: async (name) => {
    const engine = await profile('engines', name, bundledEngine);
    const release = engine.releases.at(-1);
    if (release === undefined) throw new RangeError(`${name} has no release`);
    return { engine, release };
  },
};

/** The profiles that rows name. */
export async function profilesFor(rows: readonly Measurement[]): Promise<ProfileSource> {
  const all = async <T>(
    names: readonly string[],
    load: (name: string) => Promise<T>,
  ): Promise<(name: string) => T | string> => {
    const found = new Map(
      await Promise.all([...new Set(names)].map(async (name) => [name, await load(name)] as const)),
    );
    return (name) => found.get(name) ?? `no profile is named ${name}`;
  };
  return {
    model: await all(
      rows.map(({ model }) => model),
      lookups.model,
    ),
    hardware: await all(
      rows.map(({ hardware }) => hardware),
      lookups.hardware,
    ),
    engine: await all(
      rows.map(({ engine }) => engine),
      async (name) => (await lookups.engine(name)).engine,
    ),
  };
}
