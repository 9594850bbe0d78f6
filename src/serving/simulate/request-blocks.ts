import { type DeviceMemory, sequenceBytes } from '../../roofline/memory.ts';
import type { EngineRules } from './engine-rules.ts';
import { KeyValueBlocks, type PrefixMatch } from './key-value-blocks.ts';
import type { SimulatedRequest } from './request.ts';
import type { ServerOptions } from './server-events.ts';

/** How many blocks requests need, and who holds which: the KV cache of one engine as requests see it. */
export class RequestBlocks {
  readonly cache: KeyValueBlocks;
  /** Blocks that can ever be had by requests. */
  readonly usable: number;
  /** KV grows with every token; not where only recurrent states and windows are kept. */
  readonly grows: boolean;
  private readonly rules: EngineRules;
  private readonly memory: DeviceMemory;
  private readonly bytesPerBlock: number;
  private readonly handsOver: boolean;
  private readonly found: PrefixMatch = { blocks: 0, present: 0, unheld: 0 };

  constructor(memory: DeviceMemory, rules: EngineRules, { hot, shares, handsOver }: ServerOptions) {
    const { full, windowed, fixed } = memory.keyValue;
    const { blockTokens } = rules;
    this.rules = rules;
    this.handsOver = handsOver;
    this.memory = memory;
    // Without layers that remember every token, a block is what one short request keeps.
    this.bytesPerBlock = full > 0 ? full * blockTokens : Math.max(1, sequenceBytes(memory.keyValue, 1));
    const isFree = full + fixed + windowed.length === 0;
    const total = isFree ? Infinity : Math.floor(Math.max(0, memory.keyValueCapacity) / this.bytesPerBlock);
    const hotBlocks = full > 0 ? Math.min(total, Math.floor(hot / blockTokens)) : 0;
    this.cache = new KeyValueBlocks(total, blockTokens, shares && rules.prefixCache);
    this.cache.take(hotBlocks);
    this.usable = total - hotBlocks;
    this.grows = full > 0 && rules.admission !== 'whole';
  }

  /** Blocks of a request at a context, those it shares included; the whole answer's, where the engine reserves it. */
  needed(request: SimulatedRequest, context: number): number {
    const { prompt } = request;
    const { keyValue } = this.memory;
    const tokens = this.rules.admission === 'whole' ? prompt + this.outputOf(request) : context;
    const hot = Math.floor(Math.min(request.cached, prompt) / this.rules.blockTokens);
    const paged = keyValue.full > 0 ? Math.max(0, this.cache.blocksOf(tokens) - hot) : 0;
    return paged + this.fixed(request);
  }

  /** Whether a request could run if it were alone. */
  canEverHold(request: SimulatedRequest): boolean {
    return this.needed(request, request.prompt + this.outputOf(request) - 1) <= this.usable;
  }

  /** Tokens of a prompt that need not be computed; at least one always is. */
  hitTokens(request: SimulatedRequest): number {
    if (request.handedOver) return request.target - (this.rules.beginsWithLast ? 1 : 0);
    if (request.cached > 0) return Math.min(request.cached, request.target - 1);
    if (!this.shares(request)) return 0;
    const { blockTokens } = this.rules;
    this.cache.match(request.parts, Math.floor((request.target - 1) / blockTokens), this.found);
    return this.found.blocks * blockTokens;
  }

  /** Blocks of a prompt that are cached here. */
  cachedBlocks(request: SimulatedRequest): number {
    if (!this.shares(request)) return 0;
    this.cache.match(request.parts, Infinity, this.found);
    return this.found.blocks;
  }

  /** Blocks still to be found for a prompt, and how many are there for it; the latest `hitTokens` tells what is cached. */
  missing(request: SimulatedRequest): { readonly needed: number; readonly available: number } {
    const needed = this.needed(request, this.admittedContext(request));
    const { available } = this.cache;
    return this.shares(request)
      ? { needed: needed - this.found.present, available: available - this.found.unheld }
      : { needed, available };
  }

  /** Takes the blocks of a prompt; `missing` has shown that they are there. */
  hold(request: SimulatedRequest): void {
    const { cache } = this;
    if (!this.shares(request)) {
      cache.take(this.needed(request, this.admittedContext(request)));
      return;
    }
    request.nodes = cache.hold(request.parts);
    cache.take(this.needed(request, request.target) - this.sharedBlocks(request));
  }

  /** Gives back what a request holds at a context; a conversation keeps what it said for its next turn. */
  release(request: SimulatedRequest, context: number, isComplete: boolean): void {
    const { cache } = this;
    const { nodes } = request;
    if (nodes === undefined) {
      cache.giveBack(this.needed(request, context));
      return;
    }
    const shared = this.sharedBlocks(request);
    let own = this.needed(request, context) - shared;
    const node = nodes.at(-1);
    const kept = Math.floor(context / this.rules.blockTokens) - shared;
    if (isComplete && node !== undefined && node.key === request.conversation && kept > 0) {
      node.blocks += kept;
      own -= kept;
    }
    cache.giveBack(own);
    cache.release(nodes);
    request.nodes = undefined;
  }

  /** Where decodes had their blocks before newcomers were looked at, one that decodes at once brings its own. */
  private admittedContext({ handedOver, target, output }: SimulatedRequest): number {
    const { batching, beginsWithLast } = this.rules;
    return target + (handedOver && output > 1 && batching === 'mixed' && !beginsWithLast ? 1 : 0);
  }

  /** Tokens that this engine generates: one where another answers. */
  private outputOf({ output }: SimulatedRequest): number {
    return this.handsOver ? 1 : output;
  }

  private shares(request: SimulatedRequest): boolean {
    return request.parts.length > 0 && this.rules.prefixCache && !request.handedOver && request.cached === 0;
  }

  private sharedBlocks({ parts }: SimulatedRequest): number {
    return Math.floor((parts.at(-1)?.end ?? 0) / this.rules.blockTokens);
  }

  /** What a request keeps whatever its length: recurrent states, and windows, taken as full from the start. */
  private fixed(request: SimulatedRequest): number {
    const { full, windowed, fixed } = this.memory.keyValue;
    if (windowed.length === 0 && fixed === 0) return 0;
    const bytes = sequenceBytes({ full: 0, windowed, fixed }, request.prompt + this.outputOf(request));
    return full > 0 ? Math.ceil(bytes / this.bytesPerBlock) : Math.max(1, Math.round(bytes / this.bytesPerBlock));
  }
}
