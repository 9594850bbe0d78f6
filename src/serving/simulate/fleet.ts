import type { CompiledDeployment } from '../compiled.ts';
import { sequenceBytes } from '../../roofline/memory.ts';
import { type EngineRules, engineRules } from './engine-rules.ts';
import { Heap } from './heap.ts';
import type { SimulatedRequest } from './request.ts';
import { routeWith } from './router.ts';
import { Server } from './server.ts';
import { type Tally, tallied } from './tally.ts';
import type { Router } from './workload-spec.ts';

/** Prompts computed by one pool of engines and answers by another. */
export interface Disaggregation {
  readonly prefill: CompiledDeployment;
  readonly decode: CompiledDeployment;
  /** Bytes per second of the way that KV takes from one engine to another, and seconds before the first byte. */
  readonly transfer: { readonly bandwidth: number; readonly latency: number };
}

/** What engines are to be simulated: one pool, or two. */
export type Fleet = CompiledDeployment | Disaggregation;

export interface FleetOptions {
  readonly router: Router;
  readonly hot: number;
  readonly shares: boolean;
  /** Rules in place of the engine's own. */
  readonly rules: Partial<EngineRules>;
}

export const isDisaggregated = (fleet: Fleet): fleet is Disaggregation => 'prefill' in fleet;

/** Engines of a deployment, and prompts on their way between two pools. */
export class Engines {
  readonly servers: readonly Server[];
  /** From a client's sending to the queue, seconds. */
  readonly ingress: number;
  /** Blocks of all engines that answer. */
  readonly blocks: number;
  private readonly route: (request: SimulatedRequest) => Server;
  private readonly routeOn: (request: SimulatedRequest) => Server;
  private readonly inTransfer = new Heap<SimulatedRequest>();
  private readonly inTurnstile = new Heap<{ readonly request: SimulatedRequest; readonly server: Server }>();
  private readonly turnstile: EngineRules['turnstile'];

  constructor(
    fleet: Fleet,
    options: FleetOptions,
    tally: Tally,
    ended: (request: SimulatedRequest, time: number, isRefused: boolean) => void,
  ) {
    const answering = isDisaggregated(fleet) ? fleet.decode : fleet;
    const rules = engineRules(answering, options.rules);
    const { hot, shares } = options;
    const refused = (request: SimulatedRequest, time: number): void => ended(request, time, true);
    const events = tallied(tally, { finished: (request, time) => ended(request, time, false), refused });
    const answerers = Array.from(
      { length: answering.groups },
      () => new Server(answering, rules, events, { hot, shares, handsOver: false }),
    );
    this.routeOn = routeWith(isDisaggregated(fleet) ? 'least-loaded' : options.router, answerers);
    this.blocks = answerers.reduce((sum, { blocks }) => sum + blocks.usable, 0);
    if (!isDisaggregated(fleet)) {
      this.servers = answerers;
      this.route = this.routeOn;
      this.ingress = rules.ingress;
      this.turnstile = rules.turnstile;
      return;
    }
    const { prefill, transfer } = fleet;
    const first = engineRules(prefill, options.rules);
    // The decode pool holds what it is sent, and prompts that it has to compute again.
    const prefillEvents = {
      ...tallied(tally, { finished: (request, time) => this.send(request, time + seconds(request)), refused }),
      busy: (): void => {},
    };
    const seconds = ({ prompt }: SimulatedRequest): number =>
      transfer.latency + (sequenceBytes(prefill.memory.keyValue, prompt) * ranks(prefill)) / transfer.bandwidth;
    const computers = Array.from(
      { length: prefill.groups },
      () => new Server(prefill, first, prefillEvents, { hot, shares, handsOver: true }),
    );
    this.servers = [...computers, ...answerers];
    this.route = routeWith(options.router, computers);
    this.ingress = first.ingress;
    this.turnstile = first.turnstile;
  }

  /** When the next thing happens by itself. */
  next(): number {
    let earliest = Math.min(this.inTransfer.firstKey(), this.inTurnstile.firstKey());
    for (const { endsAt } of this.servers) if (endsAt < earliest) earliest = endsAt;
    return earliest;
  }

  /** Lets the next thing happen. */
  proceed(): void {
    const turnstileAt = this.inTurnstile.firstKey();
    let earliest = Math.min(this.inTransfer.firstKey(), turnstileAt);
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
      passed?.server.arrive(passed.request, earliest);
      return;
    }
    const request = this.inTransfer.pop();
    if (request !== undefined) this.routeOn(request).arrive(request, earliest);
  }

  /** A request has come in; what one process does for one request after another may hold it up. */
  arrive(request: SimulatedRequest, time: number): void {
    const server = this.route(request);
    const seconds = this.turnstile.request + this.turnstile.token * request.prompt;
    if (seconds === 0) server.arrive(request, time);
    else this.inTurnstile.push(server.passTurnstile(time, seconds), { request, server });
  }

  private send(request: SimulatedRequest, arrives: number): void {
    request.handedOver = true;
    request.state = 'waiting';
    request.generated = 0;
    request.computed = 0;
    this.inTransfer.push(arrives, request);
  }
}

/** Each rank of an engine holds its share of the KV; all of it travels. */
const ranks = ({ deployment }: CompiledDeployment): number =>
  deployment.parallelism.tensor * deployment.parallelism.pipeline;
