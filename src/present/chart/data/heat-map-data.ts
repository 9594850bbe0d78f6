import { estimateWith, prepare } from '../../../estimate.ts';
import type { Scenario } from '../../../profile/scenario.ts';
import { elasticitiesOf, type ElasticityCause } from '../../../whatif/elasticity.ts';
import type { HeatMapData } from '../heat-map.ts';
import { grows } from '../../grows.ts';
import { headingOf } from '../heading-of.ts';

const causeWords: Readonly<Record<ElasticityCause, string>> = {
  flops: 'FLOP/s',
  'memory-bandwidth': 'memory bandwidth',
  'link-bandwidth': 'link bandwidth',
  'link-latency': 'link latency',
  network: 'network',
  'overhead.device': 'kernel floors',
  'overhead.step': 'host time per step',
  'overhead.sequence': 'host time per sequence',
  'overhead.launch': 'host time per launch',
  'overhead.request': 'host time per request',
  capacity: 'memory capacity',
  load: 'load',
  prompt: 'prompt tokens',
  output: 'output tokens',
};

const effectWords = { ttft: 'TTFT', tpot: 'TPOT', e2e: 'E2E', throughput: 'throughput' } as const;

/** Rows that nothing reacts to by half a per cent are left out. */
const nothing = 0.005;

/** Elasticities of both clocks, the whole request and throughput. */
export function heatMapData(scenario: Scenario): HeatMapData {
  const prepared = prepare(scenario.deployment, scenario.grade);
  const now = estimateWith(prepared, scenario.workload);
  // A wait that grows reacts to nothing by a share of itself.
  const waits = grows(now) ? [] : (['ttft', 'e2e'] as const);
  const { rows } = elasticitiesOf(scenario, prepared.compiled);
  const shown = new Set<string>([...waits, 'throughput', ...(scenario.workload.output > 1 ? ['tpot'] : [])]);
  const effects = (['ttft', 'tpot', 'e2e', 'throughput'] as const).filter((effect) => shown.has(effect));
  const kept = rows.filter((row) => effects.some((effect) => Math.abs(row.effects[effect]) >= nothing));
  return {
    heading: headingOf(
      'What both clocks react to',
      scenario,
      now,
      'Per cent that a column changes where the row grows by one per cent.',
    ),
    causes: kept.map(({ cause }) => causeWords[cause]),
    effects: effects.map((effect) => effectWords[effect]),
    cells: kept.flatMap((row) =>
      effects.map((effect) => ({
        cause: causeWords[row.cause],
        effect: effectWords[effect],
        elasticity: Number.isFinite(row.effects[effect]) ? row.effects[effect] : 0,
      })),
    ),
  };
}
