import type { PrefixNode } from './key-value-blocks.ts';

/** A part of a prompt that others may begin with too: its name, and the token of the prompt at which it ends. */
export interface PromptPart {
  readonly key: number;
  readonly end: number;
}

/** A request on its way through the system. Mutable: this is the state that the simulation is about. */
export class SimulatedRequest {
  readonly id: number;
  /** When the client sent it, seconds. */
  readonly sent: number;
  readonly prompt: number;
  readonly output: number;
  /** Prompt tokens that every replica holds. */
  readonly cached: number;
  readonly parts: readonly PromptPart[];
  /** Key of the conversation whose context it extends; -1 for none. */
  readonly conversation: number;
  /** Who sent it, for the arrival process. */
  readonly user: number;

  /** When it reached the queue. */
  ready = 0;
  /** Seconds that it waited at an engine that computed its prompt for another. */
  waited = 0;
  /** Tokens to prefill: the prompt, and after a preemption what was generated too. */
  target: number;
  computed = 0;
  generated = 0;
  /** Prefilled elsewhere: it only has to decode. */
  handedOver = false;
  /** Start of the step that it first took part in; negative before. */
  admitted = -1;
  firstToken = -1;
  lastToken = 0;
  /** Prompt tokens found in a prefix cache at its first admission. */
  hits = 0;
  preemptions = 0;
  state: 'waiting' | 'prefill' | 'decode' | 'done' = 'waiting';
  /** Counts admissions, to tell entries of this one from those of earlier ones. */
  admissions = 0;
  /** Decode count of its server at which it is complete, and what to add to that count for its context. */
  finishAt = 0;
  contextOffset = 0;
  /** Blocks of its own, fixed ones and those of shared parts excluded. */
  nodes: PrefixNode[] | undefined = undefined;

  constructor(
    id: number,
    sent: number,
    prompt: number,
    output: number,
    cached: number,
    parts: readonly PromptPart[],
    conversation: number,
    user: number,
  ) {
    this.id = id;
    this.sent = sent;
    this.prompt = prompt;
    this.output = output;
    this.cached = cached;
    this.parts = parts;
    this.conversation = conversation;
    this.user = user;
    this.target = prompt;
  }
}

export const noParts: readonly PromptPart[] = Object.freeze([]);
