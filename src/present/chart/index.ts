/*
 * Charts as Vega-Lite specifications: for each kind a function from a scenario to its data, and one from data and theme
 * to a specification. `svgOf` and `pngOf` draw them (Node).
 */
export type { ChartSpec, Json, JsonObject } from './chart-spec.ts';
export type { Heading } from './chart-frame.ts';
export { darkTheme, lightTheme, type Theme } from './theme.ts';
export { type ChartKind, type ChartName, chartNames } from './chart-names.ts';
export { chartOf, type ChartRequest } from './chart-of.ts';

export { type AccuracyData, accuracyChart } from './accuracy.ts';
export { type BreakEvenData, breakEvenChart } from './break-even.ts';
export { type ClockCurveData, clockCurveChart } from './clock-curve.ts';
export { type ClockPartsData, clockPartsChart } from './clock-parts.ts';
export { type ComparisonData, comparisonChart } from './comparison.ts';
export { type HeatMapData, heatMapChart } from './heat-map.ts';
export { type LeverRankingData, leverRankingChart } from './lever-ranking.ts';
export { type LoadCurveData, loadCurveChart } from './load-curve.ts';
export { type MemoryFitData, memoryFitChart } from './memory-fit.ts';
export { type ParetoData, paretoChart } from './pareto.ts';
export { type RooflineData, rooflineChart } from './roofline.ts';
export { type TornadoData, tornadoChart } from './tornado.ts';

export { accuracyData } from './data/accuracy-data.ts';
export { breakEvenData } from './data/break-even-data.ts';
export { batchCurveData, contextCurveData, promptCurveData } from './data/clock-curve-data.ts';
export { clockPartsData } from './data/clock-parts-data.ts';
export { changesData, devicesData, type NamedScenario } from './data/comparison-data.ts';
export { heatMapData } from './data/heat-map-data.ts';
export { leverRankingData } from './data/lever-ranking-data.ts';
export { loadCurveData } from './data/load-curve-data.ts';
export { memoryFitData } from './data/memory-fit-data.ts';
export { paretoData } from './data/pareto-data.ts';
export { rooflineData } from './data/roofline-data.ts';
export { tornadoData } from './data/tornado-data.ts';

export { svgOf } from '../render/svg-of.ts';
export { pngOf } from '../render/png-of.ts';
