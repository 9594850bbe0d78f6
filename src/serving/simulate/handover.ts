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

/**
 * Prompts on their way from one pool to another. Either engine's way carries one prompt's KV at a time, in the order in
 * which they were computed; who will answer is chosen when the first of it is sent.
 */
export class Handover {
  private readonly transfer: Transfer;
  private readonly byChunk: boolean;
  private readonly route: (request: SimulatedRequest) => Server;
  private readonly arriving = new Heap<SimulatedRequest>();
  private readonly underWay = new Map<SimulatedRequest, { readonly to: Server; tokens: number }>();
  private readonly freeAt = new Map<Server, number>();

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
    const sending = this.underWay.get(request) ?? { to: this.route(request), tokens: 0 };
    if (sending.tokens === 0) {
      sending.to.expected += 1;
      this.underWay.set(request, sending);
    }
    const { transfer, freeAt } = this;
    const seconds = transfer.seconds(tokens) - (sending.tokens === 0 ? 0 : transfer.seconds(sending.tokens));
    const end = Math.max(time, freeAt.get(from) ?? 0, freeAt.get(sending.to) ?? 0) + seconds;
    freeAt.set(from, end);
    freeAt.set(sending.to, end);
    sending.tokens = tokens;
    if (isLast) this.arriving.push(end + transfer.latency, request);
  }

  /** When the next prompt is there. */
  next(): number {
    return this.arriving.firstKey();
  }

  /** Gives the next prompt to who will answer it. */
  proceed(): void {
    const time = this.arriving.firstKey();
    const request = this.arriving.pop();
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
