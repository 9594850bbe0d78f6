import type { BenchmarkRun } from '../exchange/benchmark/benchmark-run.ts';

/** What a look at a server shows. */
export type Watched = Pick<BenchmarkRun, 'setting' | 'observed' | 'throughput' | 'seconds'>;
