import type { SimulationResult } from '../serving/simulate/simulation-result.ts';
import type { Table } from './estimate-rows.ts';
import { distributionsOf } from './simulate-text.ts';

/** The distributions of a run as a table; seconds. */
export const simulateRows = (result: SimulationResult): Table => ({
  headers: ['clock', 'mean_s', 'p50_s', 'p90_s', 'p95_s', 'p99_s', 'mean_uncertainty_s'],
  rows: distributionsOf(result).map(([name, { mean, p50, p90, p95, p99, uncertainty }]) => [
    name,
    mean,
    p50,
    p90,
    p95,
    p99,
    uncertainty?.mean ?? '',
  ]),
});
