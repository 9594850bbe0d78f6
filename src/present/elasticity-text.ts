import type { Scenario } from '../profile/scenario.ts';
import { type Elasticities, elasticityEffects } from '../whatif/elasticity.ts';
import { alignColumns } from './align-columns.ts';
import type { Table } from './estimate-rows.ts';
import { screenWidth } from './estimate-text.ts';
import { type Paint, plainPaint } from './paint.ts';
import { deploymentTitle, workloadTitle } from './scenario-title.ts';
import { wrapText } from './wrap-text.ts';

const effectWords = { ttft: 'TTFT', tpot: 'TPOT', e2e: 'E2E', throughput: 'throughput' } as const;

/** Shades of the heat map, from nothing to one per cent for one per cent. */
const shades = [' ', '.', '░', '▒', '▓', '█'] as const;

/** Elasticities as numbers with a shade each: per cent of change per per cent of cause. */
export function elasticityText(scenario: Scenario, { rows, totals }: Elasticities, paint: Paint = plainPaint): string {
  const table = [
    ['1 % more of', ...elasticityEffects.flatMap((effect) => [effectWords[effect], '']), 'from'],
    ...rows.map(({ cause, method, effects }) => [
      cause,
      ...elasticityEffects.flatMap((effect) => [number(effects[effect]), shade(effects[effect])]),
      method === 'exact' ? 'attribution' : 'difference',
    ]),
    ['total', ...elasticityEffects.flatMap((effect) => [number(totals[effect]), '']), ''],
  ];
  const [header = '', ...body] = alignColumns(table, [1, 3, 5, 7]);
  const lines = [
    ...wrapText(deploymentTitle(scenario.deployment), screenWidth, 2).map(paint.strong),
    workloadTitle(scenario.workload),
    '',
    paint.quiet(header),
    ...body,
    '',
    ...wrapText(
      'Per cent of change for one per cent more. The total counts rates with their sign turned, and latencies and overheads: 1 where every term of a clock is a cost over a rate.',
      screenWidth,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

/** The same as a table for CSV and Markdown. */
export const elasticityRows = ({ rows, totals }: Elasticities): Table => ({
  headers: ['cause', ...elasticityEffects.map((effect) => effectWords[effect]), 'method'],
  rows: [
    ...rows.map(({ cause, method, effects }) => [cause, ...elasticityEffects.map((effect) => effects[effect]), method]),
    ['total', ...elasticityEffects.map((effect) => totals[effect]), ''],
  ],
});

const number = (value: number): string =>
  Math.abs(value) < 5e-4 ? '0' : `${value > 0 ? '+' : '-'}${Math.abs(value).toFixed(3)}`;

function shade(value: number): string {
  const size = Math.min(1, Math.abs(value));
  const step = size < 5e-4 ? 0 : 1 + Math.min(4, Math.floor(size * 5));
  return (shades[step] ?? ' ').repeat(2);
}
