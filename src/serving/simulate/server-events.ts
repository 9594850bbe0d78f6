import type { SimulatedRequest } from './request.ts';
import type { GapSink } from './token-gaps.ts';

/** What an engine tells of: tokens and requests as they happen, and how its time was spent. */
export interface ServerEvents extends GapSink {
  /** The first token of a request exists. */
  readonly first: (request: SimulatedRequest, time: number) => void;
  /** Its last token exists. */
  readonly finished: (request: SimulatedRequest, time: number) => void;
  /** An engine was busy from `start` to `end`: requests it held, requests that waited, blocks held, tokens computed. */
  readonly busy: (start: number, end: number, running: number, waiting: number, held: number, tokens: number) => void;
  /** So many tokens of a prompt are computed that another engine answers. */
  readonly computed: (request: SimulatedRequest, tokens: number, time: number) => void;
  readonly preempted: (request: SimulatedRequest) => void;
  /** It can never fit, and is turned away. */
  readonly refused: (request: SimulatedRequest, time: number) => void;
}

export interface ServerOptions {
  /** Prompt tokens that are cached from the start. */
  readonly hot: number;
  /** Requests may begin alike. */
  readonly shares: boolean;
  /** Computes prompts only, for other engines. */
  readonly handsOver: boolean;
}
