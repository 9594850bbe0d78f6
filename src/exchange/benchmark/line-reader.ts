import type { BenchmarkRun } from './benchmark-run.ts';

/** Takes a file line by line and ends with its runs; holds no more than it needs for them. */
export interface LineReader<Line> {
  /** @param at File and line, for messages. */
  readonly line: (line: Line, at: string) => void;
  readonly end: () => readonly BenchmarkRun[];
}
