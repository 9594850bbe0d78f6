import type { Router } from '../../profile/scenario.ts';
import type { SimulatedRequest } from './request.ts';
import type { Server } from './server.ts';
import { randomStream } from './random.ts';

/**
 * A prefix-aware router follows the cache only while the load is even: it does not where the fullest server holds
 * this many requests more than the emptiest, and this many times as many (defaults of SGLang's router,
 * balance_abs_threshold and balance_rel_threshold).
 */
const unevenBy = 64;
const unevenTimes = 1.5;

/** Apart from the streams that arrivals draw from. */
const routerStream = 6;

/** Chooses a server for each request in turn. */
export function routeWith(
  router: Router,
  servers: readonly Server[],
  seed: number,
): (request: SimulatedRequest) => Server {
  const [only] = servers;
  if (only === undefined) throw new RangeError('a deployment has at least one server');
  let turn = 0;
  const inTurn = (): Server => {
    turn = (turn + 1) % servers.length;
    return servers[turn] ?? only;
  };
  if (servers.length === 1) return () => only;
  if (router === 'round-robin') return inTurn;
  if (router === 'random') {
    const draws = randomStream(seed, routerStream);
    return () => servers[draws.below(servers.length)] ?? only;
  }
  /** Equally loaded servers take turns, so that the first is not always the one. */
  const leastLoaded = (): Server => {
    let best = inTurn();
    for (let index = 0; index < servers.length; index++) {
      const server = servers[(turn + index) % servers.length] ?? only;
      if (server.load < best.load) best = server;
    }
    return best;
  };
  if (router === 'least-loaded') return leastLoaded;
  return (request) => {
    const least = leastLoaded();
    let fullest = 0;
    let best = least;
    let most = 0;
    for (const server of servers) {
      fullest = Math.max(fullest, server.load);
      const blocks = server.blocks.cachedBlocks(request);
      if (blocks > most || (blocks === most && blocks > 0 && server.load < best.load)) {
        best = server;
        most = blocks;
      }
    }
    const isUneven = fullest - least.load > unevenBy && fullest > unevenTimes * least.load;
    return isUneven ? least : best;
  };
}
