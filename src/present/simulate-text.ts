import type { Deployment } from '../profile/scenario.ts';
import type { SimulationResult } from '../serving/simulate/simulation-result.ts';
import type { Distribution } from '../serving/simulate/summary.ts';
import { alignColumns } from './align-columns.ts';
import { clockTime, digits, grouped, percent } from './clock-time.ts';
import { type Paint, plainPaint } from './paint.ts';
import { plainText } from './plain-text.ts';
import { deploymentTitle } from './scenario-title.ts';
import { wrapText } from './wrap-text.ts';

const screenWidth = 100;

/** A simulated run as one screen of text. */
export function simulateText(deployment: Deployment, result: SimulationResult, paint: Paint = plainPaint): string {
  const { throughput, goodput, requests, running, keyValueOccupancy, preemptions, hitRate, little } = result;
  const counted = requests.warmUp > 0 ? ` (the first ${grouped(requests.warmUp)} left out as warm-up)` : '';
  const rows = [
    [
      'Throughput',
      `${digits(throughput.requestsPerSecond)} requests/s, ${digits(throughput.outputTokensPerSecond)} output tokens/s, ${digits(throughput.totalTokensPerSecond)} tokens/s in all`,
    ],
    ...(goodput === undefined
      ? []
      : [
          [
            'Goodput',
            `${digits(goodput.requestsPerSecond)} requests/s keep every objective: ${percent(goodput.share)}`,
          ],
        ]),
    [
      'Engines',
      `busy ${percent(result.utilisation)} of the time, ${digits(running.mean)} requests running in the mean, ${running.most} at most`,
    ],
    [
      'KV cache',
      `${percent(keyValueOccupancy.mean)} held in the mean, ${percent(keyValueOccupancy.most)} at most; ${grouped(preemptions.count)} preemptions; ${percent(hitRate)} of prompt tokens found cached`,
    ],
    [
      "Little's law",
      `${digits(little.present)} present in the mean; rate x time in the system = ${digits(little.rateTimesTime)}`,
    ],
    ['Stability', `${result.stability.verdict}: ${result.stability.reason}`],
  ];
  const lines = [
    ...wrapText(deploymentTitle(deployment), screenWidth, 2).map(paint.strong),
    `Event simulation, seed ${result.seed}: ${grouped(requests.answered)} of ${grouped(requests.sent)} requests answered in ${clockTime(result.seconds)}${counted}`,
    '',
    ...distributionTable(result, paint),
    '',
    ...alignColumns(rows).flatMap((line) => wrapText(line, screenWidth, 14)),
    ...result.warnings.flatMap((warning) =>
      wrapText(`Warning: ${plainText(warning)}`, screenWidth, 2).map(paint.warning),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

function distributionTable(result: SimulationResult, paint: Paint): readonly string[] {
  const rows = distributionsOf(result).map(([name, { mean, p50, p90, p95, p99, uncertainty }]) => [
    name,
    clockTime(mean),
    uncertainty === undefined ? '' : `± ${clockTime(uncertainty.mean)}`,
    ...[p50, p90, p95, p99].map(clockTime),
  ]);
  if (rows.length === 0) return ['No request was answered.'];
  const [header = '', ...body] = alignColumns(
    [['', 'mean', '95 % sure', 'p50', 'p90', 'p95', 'p99'], ...rows],
    [1, 2, 3, 4, 5, 6],
  );
  return [paint.quiet(header), ...body];
}

/** The distributions that a run has, with their names for people. */
export const distributionsOf = (result: SimulationResult): readonly (readonly [string, Distribution])[] => {
  const named = [
    ['TTFT', result.ttft],
    ['TPOT', result.tpot],
    ['ITL', result.itl],
    ['E2E', result.e2e],
    ['Queue wait', result.queueWait],
  ] as const;
  return named.flatMap(([name, distribution]) => (distribution === undefined ? [] : [[name, distribution] as const]));
};
