import type { ChartKind, ChartNeed } from '../present/chart/chart-names.ts';
import { chartNames } from '../present/chart/chart-names.ts';
import type { ChartRequest } from '../present/chart/chart-of.ts';
import type { NamedScenario } from '../present/chart/data/comparison-data.ts';
import type { Hardware } from '../profile/hardware.ts';
import type { Scenario } from '../profile/scenario.ts';
import { type Change, parseChange } from '../whatif/change.ts';
import { whyNot } from '../whatif/lever.ts';
import type { Catalog } from './catalog.ts';
import type { Given, OptionTable } from './command.ts';
import { InputError } from './input-error.ts';
import { loadHardware } from './load-profile.ts';
import { needlessChartOption, wrongTheme } from './messages.ts';
import { readCount } from './read-number.ts';
import { readSeconds } from './read-seconds.ts';
import { allChoices, changeOption, lookupsOf, pricesOf, readChanges } from './what-if-choices.ts';

const group = 'Chart';

/** Options of a chart besides those of its scenario; they travel in the file as they were typed. */
export const chartOptions: OptionTable = {
  ...changeOption,
  device: { type: 'list', group, describe: 'devices: one to compare with, by name or profile (a usual choice)' },
  'target-ttft': { type: 'text', group, describe: "pareto, load: a target such as '500 ms' (1 s)" },
  'target-tpot': { type: 'text', group, describe: "pareto: a target such as '30 ms' (50 ms)" },
  seed: { type: 'text', group, describe: 'load: seed of the event simulation (1)' },
  measurements: {
    type: 'text',
    group,
    describe: 'accuracy: rows of docs/formats.md#measurement-csv (a public sample)',
  },
  title: { type: 'text', group, describe: 'a title of your own' },
  theme: { type: 'text', group, describe: 'light or dark (light)', choices: ['light', 'dark'] },
};

/** Which options only some kinds take. */
const optionNeeds: Readonly<Record<string, ChartNeed>> = {
  change: 'changes',
  device: 'devices',
  'target-ttft': 'objectives',
  'target-tpot': 'objectives',
  seed: 'seed',
  measurements: 'measurements',
};

/** What people compare with first: devices of several makers and sizes, and the changes that they ask about. */
const usual = {
  server: {
    devices: ['h100-sxm5-80gb', 'h200-sxm-141gb', 'b200-sxm', 'mi300x', 'a100-sxm4-80gb', 'l40s'],
    changes: ['weights=fp8', 'weights=w4a16-awq', 'kv=fp8', 'hit=50%', 'hardware=h200-sxm-141gb', 'hardware=b200-sxm'],
  },
  // What llama.cpp and its kin load, and the machines that people have at home.
  local: {
    devices: ['apple-m4-max-40c', 'apple-m3-ultra-80c', 'rtx-4090', 'rtx-5090', 'h100-sxm5-80gb'],
    changes: [
      'weights=q8_0',
      'weights=q4_k_m',
      'kv=q8_0',
      'hit=50%',
      'hardware=apple-m3-ultra-80c',
      'hardware=rtx-5090',
    ],
  },
} as const;

const usualFor = ({ deployment }: Scenario): (typeof usual)[keyof typeof usual] =>
  ['llama.cpp', 'mlx'].includes(deployment.engine.kernels) ? usual.local : usual.server;

/** Targets where nobody names any: a second until an answer begins, twenty tokens a second. */
const usualTargets = { ttft: 1, tpot: 0.05 } as const;

/**
 * What a chart of a kind is drawn from.
 * @throws InputError for an option that the kind does not take; the errors of reading its value.
 */
export async function chartRequest(
  kind: ChartKind,
  scenario: Scenario,
  others: readonly NamedScenario[],
  given: Given,
  catalog: Catalog,
): Promise<ChartRequest> {
  const needs = chartNames.find(({ name }) => name === kind)?.needs ?? [];
  for (const [option, need] of Object.entries(optionNeeds)) {
    const isGiven = given.text[option] !== undefined || given.lists[option] !== undefined;
    if (isGiven && !needs.includes(need)) {
      const fitting = chartNames.filter((each) => each.needs.includes(need)).map(({ name }) => name);
      throw new InputError(needlessChartOption(option, kind, fitting));
    }
  }
  const wants = (need: ChartNeed): boolean => needs.includes(need);
  const ttft = await readSeconds(given, 'target-ttft');
  const tpot = await readSeconds(given, 'target-tpot');
  const seed = given.text['seed'];
  return {
    scenario,
    others,
    changes: wants('changes') ? await changesFor(scenario, others, given, catalog) : [],
    devices: wants('devices') ? await devicesFor(scenario, given, catalog) : [],
    choices: wants('choices') ? await allChoices(catalog) : { devices: [], engines: [] },
    ...(wants('prices') ? { prices: await pricesOf() } : {}),
    objectives: { ttft: ttft ?? usualTargets.ttft, tpot: tpot ?? usualTargets.tpot },
    seed: seed === undefined ? 1 : readCount('seed', seed),
    measured: wants('measurements')
      ? await import('./measured-points.ts').then(({ measuredPoints }) =>
          measuredPoints(given.text['measurements'], catalog),
        )
      : [],
  };
}

async function changesFor(
  scenario: Scenario,
  others: readonly NamedScenario[],
  given: Given,
  catalog: Catalog,
): Promise<readonly Change[]> {
  if (given.lists['change'] !== undefined || others.length > 0) return readChanges(given, catalog);
  const lookups = lookupsOf(catalog);
  const { tensor } = scenario.deployment.parallelism;
  const asked = usualFor(scenario);
  const ranks = asked === usual.server ? [`tp=${tensor * 2}`] : [];
  const changes: Change[] = [];
  for (const text of [...ranks, ...asked.changes]) {
    try {
      const change = await parseChange(text, lookups);
      const [lever] = change.levers;
      const isSame = lever?.kind === 'hardware' && text === `hardware=${scenario.deployment.hardware.name}`;
      if (!isSame && whyNot(change.levers, scenario) === undefined)
        changes.push({ ...change, label: lever?.label ?? text });
    } catch (error) {
      // A catalogue of one's own need not hold the usual devices.
      if (!(error instanceof Error) || error.name !== 'InputError') throw error;
    }
  }
  return changes;
}

async function devicesFor(scenario: Scenario, { lists }: Given, catalog: Catalog): Promise<readonly Hardware[]> {
  const asked = lists['device'];
  if (asked !== undefined) {
    return Promise.all(asked.map(async (name) => (await loadHardware(name, catalog)).profile));
  }
  const known = new Set((await catalog.names()).hardware.map(({ name }) => name));
  return Promise.all(
    usualFor(scenario)
      .devices.filter((name) => known.has(name))
      .map((name) => catalog.hardware(name)),
  );
}

/** The theme by its name. @throws InputError for any other. */
export async function themeOf(name: string | undefined): Promise<import('../present/chart/theme.ts').Theme> {
  const { themes } = await import('../present/chart/theme.ts');
  const theme = themes.find((each) => each.name === (name ?? 'light'));
  if (theme === undefined)
    throw new InputError(
      wrongTheme(
        name ?? '',
        themes.map((each) => each.name),
      ),
    );
  return theme;
}
