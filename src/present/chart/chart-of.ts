import type { Hardware } from '../../profile/hardware.ts';
import type { Prices } from '../../profile/price.ts';
import type { Scenario } from '../../profile/scenario.ts';
import type { Choices } from '../../whatif/candidates.ts';
import type { Change } from '../../whatif/change.ts';
import type { AccuracyPoint } from './accuracy.ts';
import type { ChartKind } from './chart-names.ts';
import type { ChartSpec } from './chart-spec.ts';
import type { NamedScenario } from './data/comparison-data.ts';
import type { Theme } from './theme.ts';

/** A scenario and what a kind of chart may need besides it. */
export interface ChartRequest {
  readonly scenario: Scenario;
  readonly changes: readonly Change[];
  /** Further scenarios to compare with, by name. */
  readonly others: readonly NamedScenario[];
  readonly devices: readonly Hardware[];
  readonly choices: Choices;
  readonly prices?: Prices;
  readonly objectives: { readonly ttft?: number; readonly tpot?: number };
  readonly seed: number;
  readonly measured: readonly AccuracyPoint[];
}

/**
 * The specification of a chart of any kind. Each kind loads its own code.
 * @throws ScenarioError, LeverError or SimulationError, one sentence, where the scenario or a change cannot be.
 */
export async function chartOf(kind: ChartKind, request: ChartRequest, theme: Theme): Promise<ChartSpec> {
  const { scenario } = request;
  switch (kind) {
    case 'waterfall': {
      const [{ clockPartsChart }, { clockPartsData }] = await Promise.all([
        import('./clock-parts.ts'),
        import('./data/clock-parts-data.ts'),
      ]);
      return clockPartsChart(clockPartsData(scenario), theme);
    }
    case 'what-if':
    case 'devices': {
      const [{ comparisonChart }, { changesData, devicesData }] = await Promise.all([
        import('./comparison.ts'),
        import('./data/comparison-data.ts'),
      ]);
      const data =
        kind === 'what-if'
          ? changesData(scenario, request.changes, request.others)
          : devicesData(scenario, request.devices, request.prices);
      return comparisonChart(data, theme);
    }
    case 'elasticity': {
      const [{ heatMapChart }, { heatMapData }] = await Promise.all([
        import('./heat-map.ts'),
        import('./data/heat-map-data.ts'),
      ]);
      return heatMapChart(heatMapData(scenario), theme);
    }
    case 'roofline': {
      const [{ rooflineChart }, { rooflineData }] = await Promise.all([
        import('./roofline.ts'),
        import('./data/roofline-data.ts'),
      ]);
      return rooflineChart(rooflineData(scenario), theme);
    }
    case 'prompt':
    case 'batch':
    case 'context': {
      const [{ clockCurveChart }, { promptCurveData, batchCurveData, contextCurveData }] = await Promise.all([
        import('./clock-curve.ts'),
        import('./data/clock-curve-data.ts'),
      ]);
      const data = { prompt: promptCurveData, batch: batchCurveData, context: contextCurveData }[kind];
      return clockCurveChart(data(scenario), theme);
    }
    case 'pareto': {
      const [{ paretoChart }, { paretoData }] = await Promise.all([
        import('./pareto.ts'),
        import('./data/pareto-data.ts'),
      ]);
      return paretoChart(paretoData(scenario, request.objectives), theme);
    }
    case 'levers': {
      const [{ leverRankingChart }, { leverRankingData }] = await Promise.all([
        import('./lever-ranking.ts'),
        import('./data/lever-ranking-data.ts'),
      ]);
      return leverRankingChart(leverRankingData(scenario, request.choices, request.prices), theme);
    }
    case 'memory': {
      const [{ memoryFitChart }, { memoryFitData }] = await Promise.all([
        import('./memory-fit.ts'),
        import('./data/memory-fit-data.ts'),
      ]);
      return memoryFitChart(memoryFitData(scenario), theme);
    }
    case 'load': {
      const [{ loadCurveChart }, { loadCurveData }] = await Promise.all([
        import('./load-curve.ts'),
        import('./data/load-curve-data.ts'),
      ]);
      return loadCurveChart(loadCurveData(scenario, request.seed, request.objectives.ttft), theme);
    }
    case 'break-even': {
      const [{ breakEvenChart }, { breakEvenData }] = await Promise.all([
        import('./break-even.ts'),
        import('./data/break-even-data.ts'),
      ]);
      return breakEvenChart(breakEvenData(scenario), theme);
    }
    case 'tornado': {
      const [{ tornadoChart }, { tornadoData }] = await Promise.all([
        import('./tornado.ts'),
        import('./data/tornado-data.ts'),
      ]);
      return tornadoChart(tornadoData(scenario), theme);
    }
    case 'accuracy': {
      const [{ accuracyChart }, { accuracyData }] = await Promise.all([
        import('./accuracy.ts'),
        import('./data/accuracy-data.ts'),
      ]);
      return accuracyChart(accuracyData(request.measured), theme);
    }
  }
}
