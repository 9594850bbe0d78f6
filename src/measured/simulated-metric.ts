import type { Estimate } from '../estimate.ts';
import type { SimulationResult } from '../serving/simulate/simulation-result.ts';
import type { Distribution } from '../serving/simulate/summary.ts';
import type { PredictedFigure } from './predicted-metric.ts';

type ClockName = PredictedFigure['clock'];

const milliseconds = 1000;

/**
 * What a simulated run says about a metric, percentiles included, or undefined where the run did not show it. The
 * band is the closed form's for the same clock, moved to the simulated figure.
 */
export function simulatedMetric(
  metric: string,
  result: SimulationResult,
  estimate: Estimate,
): PredictedFigure | undefined {
  const time = metricParts.exec(metric);
  if (time !== null) {
    const [, name = '', statistic = 'mean'] = time;
    const distribution = distributionOf(name, result);
    const seconds = isStatistic(statistic) ? distribution?.[statistic] : undefined;
    const clock = clockOf(name);
    if (typeof seconds !== 'number') return undefined;
    const { low, high, seconds: typical, ideal } = estimate[clock];
    const scale = seconds / typical;
    return {
      predicted: seconds * milliseconds,
      low: low * scale * milliseconds,
      high: high * scale * milliseconds,
      ideal: ideal * milliseconds,
      clock,
    };
  }
  return simulatedRate(metric, result, estimate);
}

const statistics = ['mean', 'p50', 'p90', 'p95', 'p99'] as const;

const isStatistic = (name: string): name is (typeof statistics)[number] => statistics.some((each) => each === name);

const metricParts = /^(ttft|tpot|itl|e2e)(?:_(p50|p90|p95|p99))?_ms$/;

function simulatedRate(metric: string, result: SimulationResult, estimate: Estimate): PredictedFigure | undefined {
  const { requestsPerSecond, outputTokensPerSecond, totalTokensPerSecond } = result.throughput;
  const rate = (value: number, clock: ClockName = 'e2e'): PredictedFigure => {
    const { seconds, low, high } = estimate[clock];
    // A run's throughput has no floor of its own here: its clocks do.
    return { predicted: value, low: (value * seconds) / high, high: (value * seconds) / low, ideal: Infinity, clock };
  };
  switch (metric) {
    case 'output_tok_s':
      return rate(outputTokensPerSecond);
    case 'output_tok_s_per_gpu':
      return rate(outputTokensPerSecond / estimate.load.devices);
    case 'total_tok_s':
      return rate(totalTokensPerSecond);
    case 'request_s':
      return rate(requestsPerSecond);
    case 'decode_tok_s_per_user':
      return result.tpot === undefined ? undefined : rate(1 / result.tpot.mean, 'tpot');
    default:
      return undefined;
  }
}

function distributionOf(name: string, result: SimulationResult): Distribution | undefined {
  switch (name) {
    case 'ttft':
      return result.ttft;
    case 'tpot':
      return result.tpot;
    case 'itl':
      return result.itl;
    default:
      return result.e2e;
  }
}

const clockOf = (name: string): ClockName => (name === 'ttft' || name === 'e2e' ? name : 'tpot');
