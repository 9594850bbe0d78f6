import { Heap } from './heap.ts';
import type { SimulatedRequest } from './request.ts';
import type { Server } from './server.ts';

/** How long KV takes from the engines that compute prompts to those that answer. */
export interface Transfer {
  /** Seconds that the KV of so many tokens of a prompt occupies the way of either engine. */
  readonly seconds: (tokens: number) => number;
  /** Seconds from the last byte sent to its being there. */
  readonly latency: number;
}

/** KV that an engine begins to send. */
interface Piece {
  readonly request: SimulatedRequest;
  readonly seconds: number;
  readonly isLast: boolean;
}

/**
 * Prompts on their way from one pool to another. An engine sends one prompt's KV after another, in the order in which
 * they were computed, and receives one after another, in the order in which they were sent; who will answer is chosen
 * when the first of it is computed.
 */
export class Handover {
  private readonly transfer: Transfer;
  private readonly byChunk: boolean;
  private readonly route: (request: SimulatedRequest) => Server;
  private readonly sending = new Heap<Piece>();
  private readonly arriving = new Heap<SimulatedRequest>();
  private readonly underWay = new Map<SimulatedRequest, { readonly to: Server; tokens: number }>();
  private readonly sendsFrom = new Map<Server, number>();
  private readonly receivesFrom = new Map<Server, number>();

  /** `byChunk`: each chunk is sent as soon as it is computed, else all of them after the last. */
  constructor(transfer: Transfer, byChunk: boolean, route: (request: SimulatedRequest) => Server) {
    this.transfer = transfer;
    this.byChunk = byChunk;
    this.route = route;
  }

  /** `from` has computed so many tokens of a prompt. */
  computed(from: Server, request: SimulatedRequest, tokens: number, time: number): void {
    const isLast = tokens === request.target;
    if (!this.byChunk && !isLast) return;
    const way = this.underWay.get(request) ?? { to: this.route(request), tokens: 0 };
    if (way.tokens === 0) {
      way.to.expected += 1;
      this.underWay.set(request, way);
    }
    const { seconds: of } = this.transfer;
    const seconds = of(tokens) - (way.tokens === 0 ? 0 : of(way.tokens));
    way.tokens = tokens;
    const start = Math.max(time, this.sendsFrom.get(from) ?? 0);
    this.sendsFrom.set(from, start + seconds);
    this.sending.push(start, { request, seconds, isLast });
  }

  /** When the next prompt begins its way, or is there. */
  next(): number {
    return Math.min(this.sending.firstKey(), this.arriving.firstKey());
  }

  /** Lets the next of these happen. */
  proceed(): void {
    const time = this.next();
    const piece = this.sending.firstKey() <= time ? this.sending.pop() : undefined;
    if (piece === undefined) this.arrive(time, this.arriving.pop());
    else this.receive(time, piece);
  }

  private receive(time: number, { request, seconds, isLast }: Piece): void {
    const to = this.underWay.get(request)?.to;
    if (to === undefined) return;
    // Bytes flow through: the last is received when it is sent, unless others are received before.
    const end = Math.max(time, this.receivesFrom.get(to) ?? 0) + seconds;
    this.receivesFrom.set(to, end);
    if (isLast) this.arriving.push(end + this.transfer.latency, request);
  }

  private arrive(time: number, request: SimulatedRequest | undefined): void {
    const to = request === undefined ? undefined : this.underWay.get(request)?.to;
    if (request === undefined || to === undefined) return;
    this.underWay.delete(request);
    to.expected -= 1;
    request.handedOver = true;
    request.state = 'waiting';
    request.generated = 0;
    request.computed = 0;
    request.firstToken = -1;
    request.waited += request.admitted - request.ready;
    request.admitted = -1;
    to.arrive(request, time);
  }
}
