import { estimate } from '../../src/estimate.ts';
import type { Clock } from '../../src/serving/clock.ts';
import { goldenScenarios } from './scenarios.ts';

/** What is recorded of a clock: seconds, the floor, and the parts that are not zero. */
export type Recorded = Readonly<Record<string, number>>;

export type Predictions = Readonly<Record<string, Readonly<Record<'ttft' | 'tpot' | 'e2e' | 'memory', Recorded>>>>;

/** Digits that are kept: enough to see any change of a formula, few enough not to see another order of summation. */
const digits = 9;

const rounded = (value: number): number => Number(value.toPrecision(digits));

const recorded = ({ seconds, ideal, breakdown }: Clock): Recorded => ({
  seconds: rounded(seconds),
  ideal: rounded(ideal),
  ...Object.fromEntries(
    Object.entries(breakdown)
      .filter(([, part]) => part !== 0)
      .map(([resource, part]) => [resource, rounded(part)]),
  ),
});

/** Today's predictions of every golden scenario. */
export const currentPredictions = (): Predictions =>
  Object.fromEntries(
    [...goldenScenarios].map(([name, scenario]) => {
      const { ttft, tpot, e2e, memory } = estimate(scenario);
      const { weights, workspace, keyValuePerToken, largestBatch } = memory;
      const kept = { weights: rounded(weights), workspace: rounded(workspace), keyValuePerToken, largestBatch };
      return [name, { ttft: recorded(ttft), tpot: recorded(tpot), e2e: recorded(e2e), memory: kept }];
    }),
  );

/** The recorded file, as text. */
export const predictionsText = (predictions: Predictions): string => `${JSON.stringify(predictions, null, 2)}\n`;
