import type { Router } from '../../profile/scenario.ts';
import type { CompiledDeployment } from '../compiled.ts';
import { transferOf } from '../transfer.ts';
import { sequenceBytes } from '../../roofline/memory.ts';
import { type EngineRules, engineRules, promptRules } from './engine-rules.ts';
import { Handover, type Transfer } from './handover.ts';
import { Heap } from './heap.ts';
import type { SimulatedRequest } from './request.ts';
import { routeWith } from './router.ts';
import { Server } from './server.ts';
import { type Tally, tallied } from './tally.ts';

/**
 * Prompts computed by one pool of engines and answers by another, of deployments of their own. Each group of a
 * deployment is an engine.
 */
export interface TwoPools {
  readonly prefill: CompiledDeployment;
  readonly decode: CompiledDeployment;
  /** Bytes per second and device of the way that KV takes, and seconds before the first byte. */
  readonly transfer: { readonly bandwidth: number; readonly latency: number };
}

/** What engines are to be simulated: a deployment (which may have pools of its own), or two of them. */
export type Fleet = CompiledDeployment | TwoPools;

/** A fleet as pools: how many engines compute prompts for others, how many answer. */
interface Pools {
  readonly prefill?: {
    readonly compiled: CompiledDeployment;
    readonly engines: number;
    readonly transfer: Transfer;
  };
  readonly answer: { readonly compiled: CompiledDeployment; readonly engines: number };
}

function poolsOf(fleet: Fleet): Pools {
  if ('prefill' in fleet) {
    const { prefill, decode, transfer } = fleet;
    const seconds = (tokens: number): number => sequenceBytes(prefill.memory.keyValue, tokens) / transfer.bandwidth;
    return {
      prefill: { compiled: prefill, engines: prefill.groups, transfer: { seconds, latency: transfer.latency } },
      answer: { compiled: decode, engines: decode.groups },
    };
  }
  const { disaggregation } = fleet.deployment;
  if (disaggregation === undefined) return { answer: { compiled: fleet, engines: fleet.groups } };
  const { prefill, decode, link } = disaggregation;
  return {
    prefill: {
      compiled: fleet,
      engines: prefill,
      transfer: { seconds: (tokens) => transferOf(fleet, link, tokens).seconds, latency: 0 },
    },
    answer: { compiled: fleet, engines: decode },
  };
}

export interface FleetOptions {
  readonly router: Router;
  readonly seed: number;
  readonly hot: number;
  readonly shares: boolean;
  /** Rules in place of the engine's own. */
  readonly rules: Partial<EngineRules>;
}

/** Engines of a deployment, and prompts on their way between two pools. */
export class Engines {
  readonly servers: readonly Server[];
  /** From a client's sending to the queue, seconds. */
  readonly ingress: number;
  /** Engines that answer, and the KV blocks of them all. */
  readonly answering: number;
  readonly blocks: number;
  private readonly route: (request: SimulatedRequest) => Server;
  private readonly handover: Handover | undefined;
  private readonly inTurnstile = new Heap<{ readonly request: SimulatedRequest; readonly server: Server }>();
  private readonly turnstile: EngineRules['turnstile'];

  constructor(
    fleet: Fleet,
    options: FleetOptions,
    tally: Tally,
    ended: (request: SimulatedRequest, time: number, isRefused: boolean) => void,
  ) {
    const { prefill, answer } = poolsOf(fleet);
    const { hot, shares, router, rules } = options;
    const refused = (request: SimulatedRequest, time: number): void => ended(request, time, true);
    const events = tallied(tally, { finished: (request, time) => ended(request, time, false), refused });
    const answerRules = engineRules(answer.compiled, rules);
    const answering = Array.from(
      { length: answer.engines },
      () => new Server(answer.compiled, answerRules, events, { hot, shares, handsOver: false }),
    );
    this.blocks = answering.reduce((sum, { blocks }) => sum + blocks.usable, 0);
    this.answering = answering.length;
    if (prefill === undefined) {
      this.servers = answering;
      this.route = routeWith(router, answering, options.seed);
      this.ingress = answerRules.ingress;
      this.turnstile = answerRules.turnstile;
      return;
    }
    const first = promptRules(prefill.compiled, rules);
    // Nothing of an answer is where it will be given: its router can only look at who has least to do.
    const handover = new Handover(
      prefill.transfer,
      first.sendsChunks,
      routeWith('least-loaded', answering, options.seed),
    );
    const computing = Array.from({ length: prefill.engines }, (): Server => {
      const told = {
        ...events,
        computed: (request: SimulatedRequest, tokens: number, time: number): void =>
          handover.computed(server, request, tokens, time),
        busy: (start: number, end: number): void => tally.busyElsewhere(start, end),
      };
      const server = new Server(prefill.compiled, first, told, { hot, shares, handsOver: true });
      return server;
    });
    this.handover = handover;
    this.servers = [...computing, ...answering];
    this.route = routeWith(router, computing, options.seed);
    this.ingress = first.ingress;
    this.turnstile = first.turnstile;
  }

  /** When the next thing happens by itself. */
  next(): number {
    let earliest = Math.min(this.handover?.next() ?? Infinity, this.inTurnstile.firstKey());
    for (const { endsAt } of this.servers) if (endsAt < earliest) earliest = endsAt;
    return earliest;
  }

  /** Lets the next thing happen. */
  proceed(): void {
    const turnstileAt = this.inTurnstile.firstKey();
    let earliest = Math.min(this.handover?.next() ?? Infinity, turnstileAt);
    let next: Server | undefined;
    for (const server of this.servers) {
      if (server.endsAt < earliest) {
        earliest = server.endsAt;
        next = server;
      }
    }
    if (next !== undefined) {
      next.proceed();
      return;
    }
    if (turnstileAt <= earliest) {
      const passed = this.inTurnstile.pop();
      passed?.server.turnstile.leave();
      passed?.server.arrive(passed.request, earliest);
      return;
    }
    this.handover?.proceed();
  }

  /** A request has come in; what one process does for one request after another may hold it up. */
  arrive(request: SimulatedRequest, time: number): void {
    const server = this.route(request);
    const seconds = this.turnstile.request + this.turnstile.token * request.prompt;
    if (seconds === 0) server.arrive(request, time);
    else this.inTurnstile.push(server.turnstile.enter(time, seconds), { request, server });
  }
}
