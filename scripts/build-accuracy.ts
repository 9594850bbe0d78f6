// Writes docs/accuracy.md and its pictures from measurement CSVs.
// node scripts/run.js scripts/build-accuracy.ts FILE... (none = validation/rows.csv, which ships).
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readMeasurements } from '../src/measured/read-measurements.ts';
import { validateRows } from '../src/measured/validate.ts';
import { summarisePairs, validationPairs } from '../src/measured/validation-pairs.ts';
import { type ErrorSummary, isPredicted, summariseValidation } from '../src/measured/validation-summary.ts';
import { accuracyChart } from '../src/present/chart/accuracy.ts';
import { chartFrame } from '../src/present/chart/chart-frame.ts';
import type { ChartSpec } from '../src/present/chart/chart-spec.ts';
import { lightTheme } from '../src/present/chart/theme.ts';
import { svgOf } from '../src/present/render/svg-of.ts';
import { shippedProfiles } from './shipped-profiles.ts';

const shipped = fileURLToPath(new URL('../validation/rows.csv', import.meta.url));
const paths = process.argv.length > 2 ? process.argv.slice(2) : [shipped];
const rows = paths.flatMap((path) => readMeasurements(readFileSync(path, 'utf8'), basename(path)));
const all = validateRows(rows, await shippedProfiles());
const summary = summariseValidation(all);
const pairs = validationPairs(all);

const percent = (share: number | undefined, places = 1): string =>
  share === undefined ? '–' : `${(100 * share).toFixed(places)} %`;

const table = (head: readonly string[], body: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const errors = (title: string, groups: readonly ErrorSummary[]): string =>
  table(
    [title, 'clock', 'rows', 'median', 'p90', 'bias', 'in band'],
    groups.map(({ key, clock, rows: count, median, p90, bias, coverage }) => [
      key,
      clock.toUpperCase(),
      String(count),
      percent(median),
      percent(p90, 0),
      percent(bias),
      percent(coverage, 0),
    ]),
  );

const { ttft, tpot, e2e } = summary.medianOverSources;
const page = `# Accuracy

<!-- Written by scripts/build-accuracy.ts on ${new Date().toISOString().slice(0, 10)}; do not edit. -->

Public measurements, predicted with no configuration beyond what each row says: model, hardware, engine and version,
precision, parallelism, lengths and load. Errors are |predicted / measured − 1|. Nothing was tuned to a row, a source or
a device name; few constants per device family, number format and engine were fitted, each with a citation where it
stands. The rows below are the ones at hand while that was done, so expect more on what nobody here has seen: bands are
a tenth wider (in logarithm) than the residuals for that reason.

- ${summary.predicted} of ${summary.rows} rows are predicted; ${percent(summary.coverage)} of measurements lie in the 80 % band.
- Median over sources of the median error: TTFT ${percent(ttft)}, TPOT ${percent(tpot)}, E2E and throughput ${percent(e2e)}.
- ${all.filter(isPredicted).filter(({ beatsFloor }) => beatsFloor).length} measurements beat the physical floor by more than 2 %: prefix-cache hits, wrong lengths or wrong precision
  in their rows. They are flagged, never fitted.

## By regime

A regime is what a prediction's band is taken from: clock, load, and what is known of the device family (\`measured\`:
operator timings; \`similar\`: those of a relative; \`assumed\`: end-to-end figures only).

${errors('Regime', summary.byRegime)}

![Predicted against measured, on logarithmic axes](accuracy.svg)

## By source

${errors('Source', summary.bySource)}

## Pairs

Two rows of one source that differ in exactly one factor: does the prediction move as the measurement does?

${table(
  ['Differ in', 'pairs', 'beyond 10 %', 'direction right', 'median error of the ratio'],
  summarisePairs(pairs).map(({ factor, pairs: count, decided, direction, ratioError }) => [
    factor,
    String(count),
    String(decided),
    percent(direction),
    percent(ratioError),
  ]),
)}

![Predicted against measured ratio of pairs](accuracy-pairs.svg)

## What limits the rest

- Clients and servers in front of the engine: tokenisation, proxies, streaming in chunks, admission rules that wait for
  company (TensorRT-LLM's batch waiting), hidden prefix caches. TTFT of a loaded server depends on them as much as on the GPU.
- How much requests of one length stay in step: a benchmark with fixed lengths may move in waves or not.
- Experts: their popularity has one spread for all models and prompts; attention data parallelism that a row does not state is not guessed.
- Kernels of releases between those in the profiles; engines on devices with end-to-end evidence only.
- Power limits and clocks below the data sheet under sustained load.

See also [what the model leaves out](model.md#not-modelled).

## Published figures of other tools

As computed from the public error records of inference-sim/sim-to-real-accuracy-validation: per load stage of vLLM
servers on H100, A100 and L40S, mean absolute percentage errors of E2E / TTFT / time between tokens. The stages differ
from tool to tool, and BLIS was trained on similar runs, so this is orientation and no ranking.

| tool | stages | E2E | TTFT | time between tokens |
| --- | --- | --- | --- | --- |
| BLIS (after training) | 68 | 6.7 % | 16.7 % | 7.4 % |
| AIConfigurator | 31 | 7.9 % | 740 % | 11.5 % |
| llm-optimizer | 64 | 51 % | 340 % | 59 % |
| Vidur | 8 | 217 % | 248 % | 176 % |
`;
writeFileSync(new URL('../docs/accuracy.md', import.meta.url), page);

const seconds = all.filter(isPredicted).filter(({ row }) => row.metric.endsWith('_ms'));
/** More points than this hide each other and swell the file. */
const mostPoints = 600;
const every = Math.max(1, Math.ceil(seconds.length / mostPoints));
const points = seconds
  .filter((_, index) => index % every === 0)
  .map(({ row, figure }) => ({
    clock: figure.clock,
    measured: row.value / 1e3,
    predicted: figure.predicted / 1e3,
    label: row.sourceId,
  }));
const write = async (name: string, spec: ChartSpec): Promise<void> => {
  writeFileSync(new URL(`../docs/${name}`, import.meta.url), await svgOf(spec));
};
const heading = { title: 'Predicted against measured', lines: [`${points.length} public figures, no configuration`] };
await write('accuracy.svg', accuracyChart({ heading, points }, lightTheme));

const everyPair = Math.max(1, Math.ceil(pairs.length / mostPoints));
const ratios = pairs
  .filter((_, index) => index % everyPair === 0)
  .map(({ measured, predicted, factor }) => ({ measured, predicted, factor }));
const scale = { type: 'log', domain: [0.05, 20], clamp: true } as const;
const axes = {
  x: { field: 'measured', type: 'quantitative', scale, title: 'measured ratio' },
  y: { field: 'predicted', type: 'quantitative', scale, title: 'predicted ratio' },
} as const;
await write(
  'accuracy-pairs.svg',
  chartFrame(
    lightTheme,
    { title: 'Two rows that differ in one factor', lines: [`${ratios.length} pairs: second over first`] },
    {
      width: 430,
      height: 430,
      layer: [
        {
          data: { values: [0.05, 20].map((value) => ({ measured: value, predicted: value })) },
          mark: { type: 'line', color: lightTheme.ink, strokeWidth: 1.3 },
          encoding: axes,
        },
        {
          data: { values: ratios },
          mark: { type: 'point', filled: true, color: lightTheme.e2e, size: 30, opacity: 0.5 },
          encoding: axes,
        },
      ],
    },
  ),
);
