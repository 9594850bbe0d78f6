import type { Estimate } from '../estimate.ts';
import type { Scenario } from '../profile/scenario.ts';

/** A figure in the row's own unit, with its band and floor (the best possible value of it). */
export interface PredictedFigure {
  readonly predicted: number;
  readonly low: number;
  readonly high: number;
  readonly ideal: number;
  readonly clock: 'ttft' | 'tpot' | 'e2e';
}

const milliseconds = 1000;

/**
 * What an estimate says about a metric of docs/formats.md#measurement-csv, or undefined where only a distribution
 * could: percentiles other than the median, unless all requests are alike (one at a time, or one batch).
 */
export function predictedMetric(metric: string, estimate: Estimate, scenario: Scenario): PredictedFigure | undefined {
  const { workload, deployment } = scenario;
  const { throughput, load } = estimate;
  const time = (clock: 'ttft' | 'tpot' | 'e2e'): PredictedFigure => {
    const { seconds, low, high, ideal } = estimate[clock];
    return {
      predicted: seconds * milliseconds,
      low: low * milliseconds,
      high: high * milliseconds,
      ideal: ideal * milliseconds,
      clock,
    };
  };
  /** Work over a clock: its band turns around, its floor becomes a ceiling. */
  const rate = (work: number, clock: 'ttft' | 'tpot' | 'e2e', exclude = 0): PredictedFigure => {
    const { seconds, low, high, ideal } = estimate[clock];
    const over = (value: number): number => work / Math.max(value - exclude, value * 1e-6);
    return { predicted: over(seconds), low: over(high), high: over(low), ideal: over(ideal), clock };
  };
  const devices = load.devices;
  const inSystem = throughput.requestsPerSecond * estimate.e2e.seconds;
  const fresh = workload.prompt - workload.cached;
  const batch = workload.load.kind === 'batch' ? workload.load.size : 1;
  const alike = workload.load.kind === 'batch' || (workload.load.kind === 'concurrency' && workload.load.size <= 1);
  switch (alike ? metric.replace(/_p\d\d_ms$/, '_p50_ms') : metric) {
    case 'ttft_ms':
    case 'ttft_p50_ms':
    case 'prefill_ms':
      return time('ttft');
    case 'tpot_ms':
    case 'tpot_p50_ms':
    case 'itl_ms':
    case 'itl_p50_ms':
    case 'decode_step_ms':
      return time('tpot');
    case 'e2e_ms':
    case 'e2e_p50_ms':
      return time('e2e');
    case 'output_tok_s':
      return rate(inSystem * workload.output, 'e2e');
    case 'output_tok_s_per_gpu':
      return rate((inSystem * workload.output) / devices, 'e2e');
    case 'total_tok_s':
      return rate(inSystem * (workload.output + workload.prompt), 'e2e');
    case 'request_s':
      return rate(inSystem, 'e2e');
    case 'prefill_tok_s':
      // A rate of the model alone: no server, no request.
      return rate(batch * fresh, 'ttft', deployment.release.overhead.request);
    case 'decode_tok_s':
      return rate(workload.load.kind === 'batch' ? batch : load.running, 'tpot');
    case 'decode_tok_s_per_user':
      return rate(1, 'tpot');
    default:
      return undefined;
  }
}
