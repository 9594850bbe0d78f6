import { Heap } from './heap.ts';
import { lengthDraw } from './lengths.ts';
import { randomStream } from './random.ts';
import { noParts, type PromptPart, SimulatedRequest } from './request.ts';
import type { Arrivals, SimulatedWorkload } from './workload-spec.ts';

/** Where requests come from. */
export interface ArrivalSource {
  /** When the next one is sent; Infinity where none is, unless an answer brings one. */
  readonly next: () => number;
  readonly take: () => SimulatedRequest;
  /** A request was answered (or turned away): its sender may send another. */
  readonly answered: (request: SimulatedRequest, time: number) => void;
  /** Requests that this source sends in all, as far as it is known. */
  readonly expected: number;
  /** More may come although `next` is Infinity: a trace whose next rows are not read yet. */
  readonly isHungry: () => boolean;
}

/** Streams of random numbers, one a purpose. */
const streams = { arrivals: 0, prompts: 1, outputs: 2, pauses: 3, prefixes: 4, turns: 5 } as const;

/** The arrivals of a workload, drawn from a seed. */
export function arrivalSource(workload: SimulatedWorkload, seed: number): ArrivalSource {
  const { arrivals } = workload;
  switch (arrivals.kind) {
    case 'closed':
      return closedLoop(workload, arrivals, seed);
    case 'sessions':
      return conversations(workload, arrivals, seed);
    case 'constant':
    case 'poisson':
    case 'gamma':
    case 'burst':
      return openLoop(workload, gapsOf(arrivals, seed), seed);
  }
}

/** Draws the n-th request of a workload. */
function requestDraw(workload: SimulatedWorkload, seed: number): (sent: number, user: number) => SimulatedRequest {
  const prompt = lengthDraw(workload.prompt, randomStream(seed, streams.prompts));
  const output = lengthDraw(workload.output, randomStream(seed, streams.outputs));
  const { prefix, cached } = workload;
  const groups = randomStream(seed, streams.prefixes);
  let id = 0;
  return (sent, user) => {
    const tokens = prompt();
    const parts =
      prefix === undefined ? noParts : [{ key: groups.below(prefix.groups), end: Math.min(prefix.tokens, tokens - 1) }];
    const request = new SimulatedRequest(
      id,
      sent,
      tokens,
      output(),
      Math.min(cached, tokens - 1),
      parts,
      noConversation,
      user,
    );
    id += 1;
    return request;
  };
}

const noConversation = -1;

function gapsOf(
  arrivals: Extract<Arrivals, { kind: 'constant' | 'poisson' | 'gamma' | 'burst' }>,
  seed: number,
): () => number {
  const random = randomStream(seed, streams.arrivals);
  switch (arrivals.kind) {
    case 'constant':
      return () => 1 / arrivals.rate;
    case 'poisson':
      return () => random.exponential() / arrivals.rate;
    case 'gamma':
      return () => random.gamma(arrivals.burstiness) / (arrivals.burstiness * arrivals.rate);
    case 'burst':
      return () => 0;
  }
}

function openLoop(workload: SimulatedWorkload, gap: () => number, seed: number): ArrivalSource {
  const draw = requestDraw(workload, seed);
  let left = workload.requests;
  let next = gap();
  return {
    next: () => (left > 0 ? next : Infinity),
    take: () => {
      const request = draw(next, 0);
      left -= 1;
      next += gap();
      return request;
    },
    answered: () => {},
    expected: workload.requests,
    isHungry: () => false,
  };
}

function closedLoop(
  workload: SimulatedWorkload,
  { concurrency, think }: Extract<Arrivals, { kind: 'closed' }>,
  seed: number,
): ArrivalSource {
  const draw = requestDraw(workload, seed);
  const pauses = randomStream(seed, streams.pauses);
  const pause = (): number => (think > 0 ? think * pauses.exponential() : 0);
  const pending = new Heap<number>();
  let left = workload.requests;
  for (let user = 0; user < Math.min(concurrency, workload.requests); user++) pending.push(0, user);
  return {
    next: () => (left > 0 ? pending.firstKey() : Infinity),
    take: () => {
      const sent = pending.firstKey();
      left -= 1;
      return draw(sent, pending.pop() ?? 0);
    },
    answered: ({ user }, time) => pending.push(time + pause(), user),
    expected: workload.requests,
    isHungry: () => false,
  };
}

/** A conversation between two of its turns. */
interface Conversation {
  readonly key: number;
  readonly parts: readonly PromptPart[];
  turnsLeft: number;
  /** Tokens said so far, answers included. */
  context: number;
}

/** Names of conversations, apart from those of shared prefixes. */
const firstConversation = 2 ** 40;

function conversations(
  workload: SimulatedWorkload,
  { rate, turns, think }: Extract<Arrivals, { kind: 'sessions' }>,
  seed: number,
): ArrivalSource {
  const message = lengthDraw(workload.prompt, randomStream(seed, streams.prompts));
  const output = lengthDraw(workload.output, randomStream(seed, streams.outputs));
  const turnCount = lengthDraw(turns, randomStream(seed, streams.turns));
  const starts = randomStream(seed, streams.arrivals);
  const pauses = randomStream(seed, streams.pauses);
  const prefixes = randomStream(seed, streams.prefixes);
  const { prefix } = workload;
  const pending = new Heap<Conversation | undefined>();
  const talking = new Map<number, Conversation>();
  let left = workload.requests;
  let begun = 0;
  let id = 0;
  const begin = (): Conversation => {
    begun += 1;
    return {
      key: firstConversation + begun,
      parts: prefix === undefined ? noParts : [{ key: prefixes.below(prefix.groups), end: prefix.tokens }],
      turnsLeft: turnCount(),
      context: prefix?.tokens ?? 0,
    };
  };
  pending.push(starts.exponential() / rate, undefined);
  return {
    next: () => (left > 0 ? pending.firstKey() : Infinity),
    take: () => {
      const sent = pending.firstKey();
      const waiting = pending.pop();
      if (waiting === undefined) pending.push(sent + starts.exponential() / rate, undefined);
      const conversation = waiting ?? begin();
      const { key, parts, context } = conversation;
      const own = [...parts, { key, end: context }];
      const request = new SimulatedRequest(id, sent, context + message(), output(), 0, own, key, key);
      talking.set(key, conversation);
      id += 1;
      left -= 1;
      return request;
    },
    answered: ({ conversation: key, prompt, output: tokens }, time) => {
      const conversation = talking.get(key);
      talking.delete(key);
      if (conversation === undefined) return;
      conversation.turnsLeft -= 1;
      conversation.context = prompt + tokens;
      if (conversation.turnsLeft > 0) pending.push(time + (think > 0 ? think * pauses.exponential() : 0), conversation);
    },
    expected: workload.requests,
    isHungry: () => false,
  };
}
