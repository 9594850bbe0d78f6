import { type Estimate, estimate } from '../../../estimate.ts';
import type { Hardware } from '../../../profile/hardware.ts';
import type { Prices } from '../../../profile/price.ts';
import type { Scenario } from '../../../profile/scenario.ts';
import type { Change } from '../../../whatif/change.ts';
import { costPerMillion, deviceRate } from '../../../whatif/cost.ts';
import { applyLevers } from '../../../whatif/lever.ts';
import { percent } from '../../clock-time.ts';
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

function compared(
  title: string,
  base: NamedScenario,
  others: readonly NamedScenario[],
  prices: Prices | undefined,
): ComparisonData {
  const now = estimate(base.scenario);
  const rows = [
    { label: base.label, of: now, scenario: base.scenario, isBase: true },
    ...others.map(({ label, scenario }) => ({ label, of: estimate(scenario), scenario, isBase: false })),
  ];
  const bars = (clock: 'ttft' | 'tpot'): readonly ClockBar[] =>
    rows.map(({ label, of, isBase }) => barOf(label, of, now, clock, isBase));
  const remarks = [
    ...(now.grade === 'ideal' ? [] : [lines]),
    ...(prices === undefined ? [] : [pricesOf(prices, base)]),
  ];
  const heading = headingOf(title, base.scenario, now.evidence);
  return {
    heading: { ...heading, lines: [...heading.lines, ...remarks] },
    ttft: bars('ttft'),
    tpot: base.scenario.workload.output > 1 ? bars('tpot') : [],
    costs:
      prices === undefined
        ? []
        : rows.map(({ label, of, scenario, isBase }) => ({
            label,
            dollars: costPerMillion(prices, scenario.deployment.hardware.name, {
              devices: of.load.devices,
              outputTokensPerSecond: of.throughput.outputTokensPerSecond,
            }),
            isBase,
          })),
  };
}

function barOf(label: string, of: Estimate, now: Estimate, clock: 'ttft' | 'tpot', isBase: boolean): ClockBar {
  const { seconds, low, high } = of[clock];
  const remarks = [
    ...(isBase ? [] : [changeWords(seconds / now[clock].seconds - 1)]),
    ...(of.memory.fits ? [] : ['does not fit']),
    ...(of.load.stability?.verdict === 'unstable' ? ['unstable'] : []),
  ];
  return {
    label,
    seconds,
    ...(of.grade === 'ideal' ? {} : { band: { low, high } }),
    ...(remarks.length === 0 ? {} : { remark: remarks.join(', ') }),
    isBase,
  };
}

/** '+12 %', '−40 %', '±0 %'. */
export function changeWords(share: number): string {
  if (Math.abs(share) < 0.005) return '±0 %';
  return `${share > 0 ? '+' : '−'}${percent(Math.abs(share))}`;
}

function pricesOf(prices: Prices, { scenario }: NamedScenario): string {
  const rate = deviceRate(prices, scenario.deployment.hardware.name);
  return `Prices of ${prices.date}${rate === undefined ? '' : `, this device: ${rate.basis}`}.`;
}

export const shortTitle = ({ title, vendor }: Hardware): string =>
  title.startsWith(`${vendor} `) ? title.slice(vendor.length + 1) : title;
