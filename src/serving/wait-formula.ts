import type { Router } from '../profile/scenario.ts';
import type { EngineRules } from './simulate/engine-rules.ts';

/**
 * The formulas of an open loop's wait by name, and what they take for granted, for whoever reads the number. With equal
 * times n replicas of m places served in turn are exactly one queue for n m places: V. B. Iversen, Decomposition of an
 * M/D/rk queue with FIFO into k E_k/D/r queues with FIFO, Operations Research Letters 2(1), 1983. So are those of the
 * shortest queue, as answers leave in the order in which they came.
 */
export function waitFormula(batching: EngineRules['batching'], router: Router, replicas: number): string {
  const [queue, arrivals] = replicas === 1 ? alone : several(router, replicas);
  return batching === 'static'
    ? `half of the batch under way, then ${queue} for batches of m (Crommelin, Sakasegawa): ${arrivals}, equal lengths, whole batches first come first served`
    : `rest of the step under way E[T^2] / 2 E[T]; prompts ahead ${queue} (Crommelin, Sakasegawa), one a step Pollaczek-Khinchine; a place ${queue} (Sakasegawa, Hayward): ${arrivals}, equal lengths, first come first served`;
}

const alone = ['M/D/m', 'Poisson arrivals on each replica'] as const;

function several(router: Router, replicas: number): readonly [queue: string, arrivals: string] {
  switch (router) {
    case 'random':
      return ['M/D/m', 'Poisson arrivals split at random'];
    case 'round-robin':
      return [
        `M/D/${replicas}m`,
        `Poisson arrivals, one in ${replicas} to each replica (Erlang, variation 1/${replicas}), which waits as one queue for all (Iversen)`,
      ];
    case 'least-loaded':
      return [`M/D/${replicas}m`, sharedQueue];
    case 'prefix-aware':
      return [`M/D/${replicas}m`, `no prefix to follow, so the fewest requests: ${sharedQueue}`];
  }
}

const sharedQueue =
  'Poisson arrivals to the replica with the fewest requests, taken as one queue for all (Iversen), at random within a step';
