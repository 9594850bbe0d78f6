import { type Estimate, estimate } from '../../../estimate.ts';
import type { Hardware } from '../../../profile/hardware.ts';
import type { Prices } from '../../../profile/price.ts';
import type { Scenario } from '../../../profile/scenario.ts';
import type { Change } from '../../../whatif/change.ts';
import { costPerMillion, deviceRate } from '../../../whatif/cost.ts';
import { applyLevers } from '../../../whatif/lever.ts';
import { changeWords } from '../../clock-time.ts';
import { grows } from '../../grows.ts';
import type { ClockBar } from '../clock-bars.ts';
import type { ComparisonData } from '../comparison.ts';
import { headingOf } from '../heading-of.ts';

/** A scenario with the name of its row. */
export interface NamedScenario {
  readonly label: string;
  readonly scenario: Scenario;
}

const lines = 'Lines: 80 % of measurements are expected along them. Dashed: as it is now.';

/** Both clocks before and after each change, made on its own, and of further scenarios. */
export function changesData(
  scenario: Scenario,
  changes: readonly Change[],
  others: readonly NamedScenario[],
): ComparisonData {
  const changed = changes.map(({ label, levers }) => ({ label, scenario: applyLevers(levers, scenario) }));
  const title = changes.length === 0 ? 'Both clocks of each scenario' : 'What each change does to both clocks';
  return compared(title, { label: 'as it is', scenario }, [...others, ...changed], undefined);
}

/** The same scenario on other devices: both clocks, and what a million output tokens cost. */
export function devicesData(scenario: Scenario, devices: readonly Hardware[], prices?: Prices): ComparisonData {
  const { hardware } = scenario.deployment;
  const others = devices
    .filter(({ name }) => name !== hardware.name)
    .map((device) => ({
      label: shortTitle(device),
      scenario: { ...scenario, deployment: { ...scenario.deployment, hardware: device } },
    }));
  return compared('Both clocks on other devices', { label: shortTitle(hardware), scenario }, others, prices);
}

export function compared(
  title: string,
  base: NamedScenario,
  others: readonly NamedScenario[],
  prices: Prices | undefined,
): ComparisonData {
  const now = estimate(base.scenario);
  const rows: readonly ComparedRow[] = [
    { label: base.label, of: now, scenario: base.scenario, isBase: true },
    ...others.map(({ label, scenario }) => ({ label, of: estimate(scenario), scenario, isBase: false })),
  ];
  const bars = (clock: 'ttft' | 'tpot'): readonly ClockBar[] =>
    rows.map(({ label, of, isBase }) => barOf(label, of, now, clock, isBase));
  const remarks = [
    ...(now.grade === 'ideal' ? [] : [lines]),
    ...(rows.every(({ of }) => grows(of)) ? ['TTFT grows in all of them and is not shown.'] : []),
    ...(prices === undefined ? [] : [pricesOf(prices, base)]),
    ...(prices !== undefined && termsOf(rows, prices).size > 1 ? [mixedTerms] : []),
  ];
  const heading = headingOf(title, base.scenario, now);
  return {
    heading: { ...heading, lines: [...heading.lines, ...remarks] },
    ttft: bars('ttft'),
    tpot: base.scenario.workload.output > 1 ? bars('tpot') : [],
    costs: prices === undefined ? [] : costsOf(rows, prices),
  };
}

interface ComparedRow {
  readonly label: string;
  readonly of: Estimate;
  readonly scenario: Scenario;
  readonly isBase: boolean;
}

const mixedTerms =
  'Rented is the cheapest offer by the hour, bought a price over three years without power: they do not compare.';

const deviceOf = ({ scenario }: ComparedRow): string => scenario.deployment.hardware.name;

const termsOf = (rows: readonly ComparedRow[], prices: Prices): ReadonlySet<string> =>
  new Set(rows.flatMap((row) => deviceRate(prices, deviceOf(row))?.terms ?? []));

function costsOf(rows: readonly ComparedRow[], prices: Prices): ComparisonData['costs'] {
  const isMixed = termsOf(rows, prices).size > 1;
  return rows.map((row) => {
    const { label, of, isBase } = row;
    if (!of.memory.fits) return { label, dollars: undefined, remark: noFit, isBase };
    const { load, throughput } = of;
    const work = { devices: load.devices, outputTokensPerSecond: throughput.outputTokensPerSecond };
    const terms = deviceRate(prices, deviceOf(row))?.terms;
    return {
      label,
      dollars: costPerMillion(prices, deviceOf(row), work),
      ...(isMixed && terms !== undefined ? { remark: terms } : {}),
      isBase,
    };
  });
}

function barOf(label: string, of: Estimate, now: Estimate, clock: 'ttft' | 'tpot', isBase: boolean): ClockBar {
  const { seconds, low, high } = of[clock];
  const hasWait = clock === 'ttft';
  // What nobody will ever see has no bar: the time on a device that cannot hold the model, the mean of a growing wait.
  if (!of.memory.fits && !isBase) return { label, remark: noFit, isBase };
  if (hasWait && grows(of)) return { label, remark: 'grows', isBase };
  const band = of.grade === 'ideal' ? {} : { band: { low, high } };
  if (isBase) return { label, seconds, ...band, ...(of.memory.fits ? {} : { remark: noFit }), isBase };
  const remark = hasWait && grows(now) ? 'settles' : changeWords(seconds / now[clock].seconds - 1);
  return { label, seconds, ...band, remark, isBase };
}

const noFit = 'does not fit';

function pricesOf(prices: Prices, { scenario }: NamedScenario): string {
  const rate = deviceRate(prices, scenario.deployment.hardware.name);
  return `Prices of ${prices.date}${rate === undefined ? '' : `, this device: ${rate.basis}`}.`;
}

export const shortTitle = ({ title, vendor }: Hardware): string =>
  title.startsWith(`${vendor} `) ? title.slice(vendor.length + 1) : title;
