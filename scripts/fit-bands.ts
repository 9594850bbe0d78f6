// Writes src/serving/band-spreads.ts: where 80 % of measurements lie around a prediction, by clock, load and what is
// known of the device family, from the residuals of measurement CSVs. node scripts/run.js scripts/fit-bands.ts FILE...
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { readMeasurements } from '../src/measured/read-measurements.ts';
import { validateRows } from '../src/measured/validate.ts';
import { isPredicted, type PredictedRow } from '../src/measured/validation-summary.ts';
import { efficiencyFor } from '../src/roofline/efficiency-table.ts';
import { shippedProfiles } from './shipped-profiles.ts';

const clocks = ['ttft', 'tpot', 'e2e'] as const;
const loads = ['batch', 'concurrency', 'rate'] as const;
const evidences = ['measured', 'similar', 'assumed'] as const;

/** Rows and sources that a regime needs to stand for itself. */
const least = { rows: 40, sources: 2 };

/** Sources, devices and models that nobody fitted lie further off than those at hand: logarithms by a twentieth. */
const unseen = 1.05;

/** Nothing is claimed better than this, whatever the rows at hand say. */
const narrowest = Math.log(1.06);

interface Residual {
  readonly source: string;
  readonly clock: string;
  readonly load: string;
  readonly evidence: string;
  /** ln(measured time / predicted time). */
  readonly distance: number;
}

const profiles = await shippedProfiles();
const rows = process.argv.slice(2).flatMap((path) => readMeasurements(readFileSync(path, 'utf8'), basename(path)));
const residuals = validateRows(rows, profiles)
  .filter(isPredicted)
  .filter(({ beatsFloor }) => !beatsFloor)
  .map(residualOf);

function residualOf({ row, figure, scenario }: PredictedRow): Residual {
  const { hardware, engine } = scenario.deployment;
  const distance = Math.log(row.value / figure.predicted);
  const isRate = row.metric.includes('tok_s') || row.metric === 'request_s';
  return {
    source: row.sourceId,
    clock: figure.clock,
    load: scenario.workload.load.kind,
    evidence: efficiencyFor(hardware.architecture, engine.kernels).evidence,
    distance: isRate ? -distance : distance,
  };
}

/** Quantile in which a source counts as the root of its rows, so that the largest does not decide alone. */
function weightedQuantile(list: readonly Residual[], share: number): number {
  const counts = new Map<string, number>();
  for (const { source } of list) counts.set(source, (counts.get(source) ?? 0) + 1);
  const weightOf = ({ source }: Residual): number => 1 / Math.sqrt(counts.get(source) ?? 1);
  const sorted = list.toSorted((a, b) => a.distance - b.distance);
  const whole = sorted.reduce((sum, each) => sum + weightOf(each), 0);
  let seen = 0;
  for (const each of sorted) {
    seen += weightOf(each);
    if (seen >= share * whole) return each.distance;
  }
  return sorted.at(-1)?.distance ?? 0;
}

const enough = (list: readonly Residual[]): boolean =>
  list.length >= least.rows && new Set(list.map(({ source }) => source)).size >= least.sources;

interface Spread {
  readonly low: number;
  readonly high: number;
}

function spreadOf(from: readonly Residual[], clock: string, load: string, evidence: string): Spread {
  const ofClock = from.filter((each) => each.clock === clock);
  const choices = [
    ofClock.filter((each) => each.load === load && each.evidence === evidence),
    ofClock.filter((each) => each.evidence === evidence),
    ofClock,
  ];
  const list = choices.find(enough) ?? ofClock;
  const own = {
    low: Math.exp(Math.min(-narrowest, weightedQuantile(list, 0.1) * unseen)),
    high: Math.exp(Math.max(narrowest, weightedQuantile(list, 0.9) * unseen)),
  };
  // Less knowledge is never a narrower band.
  const best = evidence === 'measured' ? own : spreadOf(from, clock, load, 'measured');
  const rounded = (value: number): number => Number(value.toFixed(2));
  return { low: rounded(Math.min(own.low, best.low)), high: rounded(Math.max(own.high, best.high)) };
}

const spreads = Object.fromEntries(
  clocks.map((clock) => [
    clock,
    Object.fromEntries(
      loads.map((load) => [
        load,
        Object.fromEntries(evidences.map((evidence) => [evidence, spreadOf(residuals, clock, load, evidence)])),
      ]),
    ),
  ]),
);

const text = `import type { Efficiency } from '../roofline/efficiency.ts';

/** Measured over predicted time, as the 10 % and 90 % quantiles of a regime's residuals. */
export interface Spread {
  readonly low: number;
  readonly high: number;
}

type Spreads = Readonly<
  Record<
    'ttft' | 'tpot' | 'e2e',
    Readonly<Record<'batch' | 'concurrency' | 'rate', Readonly<Record<Efficiency['evidence'], Spread>>>>
  >
>;

/**
 * Residuals of zero-configuration predictions on ${residuals.length} public rows of ${new Set(residuals.map(({ source }) => source)).size} sources, by clock, load and what is known
 * of the device family. Written by scripts/fit-bands.ts on ${new Date().toISOString().slice(0, 10)}; a regime with few rows has those of its clock.
 */
export const bandSpreads: Spreads = ${JSON.stringify(spreads)};
`;
writeFileSync(new URL('../src/serving/band-spreads.ts', import.meta.url), text);

/** Share of the rows of a source that bands fitted to all other sources hold: what a source nobody has seen may expect. */
function heldOut(source: string): { readonly rows: number; readonly held: number } {
  const others = residuals.filter((each) => each.source !== source);
  const known = new Map<string, Spread>();
  const own = residuals.filter((each) => each.source === source);
  const held = own.filter(({ clock, load, evidence, distance }) => {
    const regime = `${clock} ${load} ${evidence}`;
    const spread = known.get(regime) ?? spreadOf(others, clock, load, evidence);
    known.set(regime, spread);
    return distance >= Math.log(spread.low) && distance <= Math.log(spread.high);
  });
  return { rows: own.length, held: held.length };
}

const sources = [...new Set(residuals.map(({ source }) => source))].map(heldOut);
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const rowsHeld = sources.reduce((sum, { held }) => sum + held, 0) / residuals.length;
const shares = sources.map(({ rows: count, held }) => held / count).toSorted((a, b) => a - b);
const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
console.log(
  `Bands fitted without a source hold ${percent(rowsHeld)} of all rows; by source ${percent(mean)} in the mean, ${percent(shares[Math.floor(shares.length / 2)] ?? 0)} in the median.`,
);
