/* One's own measurements: `import { examine } from 'twoclocks/measured'`. */
export { type ProfileSource, rowScenario } from './row-scenario.ts';
export { type Measurement } from './measurement.ts';
export { readMeasurements } from './read-measurements.ts';
export { type ValidatedRow, validateRows } from './validate.ts';
export { type Examination, examine } from './doctor.ts';
export { type CalibrationResult, calibrate } from './calibrate.ts';
export { compareRuns, type RunComparison } from './compare-runs.ts';
export { diagnose, type RunDiagnosis } from './diagnose.ts';
export { type BenchmarkFile, readBenchmark } from '../exchange/benchmark/read-benchmark.ts';
