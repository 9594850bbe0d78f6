import type { PromptPart } from './request.ts';

/** Cached blocks of a prompt part; those of a part are evicted from its end. */
export interface PrefixNode {
  readonly key: number;
  /** Blocks of the prompt before this part. */
  readonly start: number;
  blocks: number;
  /** Requests that hold it; without any it may be evicted. */
  holders: number;
  entry: Evictable | undefined;
}

/** Unheld blocks in the order in which they were given back: of a part, or of nothing that anybody asks for again. */
interface Evictable {
  readonly node: PrefixNode | undefined;
  blocks: number;
  previous: Evictable | undefined;
  next: Evictable | undefined;
}

/** What a request would find cached. */
export interface PrefixMatch {
  /** Blocks from the start of the prompt without a gap. */
  blocks: number;
  /** Blocks of all its parts, gaps or not. */
  present: number;
  /** Blocks of its parts that nobody holds: they count as available until the request holds them. */
  unheld: number;
}

/**
 * The KV cache of one engine in blocks: free, held, and given back but still cached, the oldest of which are handed
 * out again first (vLLM's free queue: a request gives its blocks back from the end, so ends go before beginnings).
 */
export class KeyValueBlocks {
  readonly total: number;
  readonly blockTokens: number;
  private blank: number;
  private unheld = 0;
  private oldest: Evictable | undefined = undefined;
  private newest: Evictable | undefined = undefined;
  private readonly nodes = new Map<number, PrefixNode>();
  private readonly tracks: boolean;

  /** `tracks`: keep what is given back for others to find; without it blocks are only counted. */
  constructor(total: number, blockTokens: number, tracks: boolean) {
    this.total = total;
    this.blockTokens = blockTokens;
    this.blank = total;
    this.tracks = tracks;
  }

  /** Blocks that can be had, evicting what nobody holds. */
  get available(): number {
    return this.blank + this.unheld;
  }

  get held(): number {
    return this.total === Infinity ? 0 : this.total - this.blank - this.unheld;
  }

  blocksOf(tokens: number): number {
    return Math.ceil(tokens / this.blockTokens);
  }

  /** Takes blocks; the caller has made sure that so many are available. */
  take(count: number): void {
    const fromBlank = Math.min(count, this.blank);
    this.blank -= fromBlank;
    let missing = count - fromBlank;
    while (missing > 0 && this.oldest !== undefined) {
      const entry = this.oldest;
      const evicted = Math.min(missing, entry.blocks);
      entry.blocks -= evicted;
      this.unheld -= evicted;
      missing -= evicted;
      if (entry.node !== undefined) entry.node.blocks -= evicted;
      if (entry.blocks === 0) this.drop(entry);
    }
  }

  /** Gives back blocks that nobody will ask for. */
  giveBack(count: number): void {
    if (count <= 0) return;
    if (!this.tracks) {
      this.blank += count;
      return;
    }
    this.unheld += count;
    if (this.newest !== undefined && this.newest.node === undefined) this.newest.blocks += count;
    else this.append({ node: undefined, blocks: count, previous: undefined, next: undefined });
  }

  /** Looks up what of a prompt is cached, of which at most `most` blocks are of use, without holding it. */
  match(parts: readonly PromptPart[], most: number, found: PrefixMatch): void {
    found.blocks = 0;
    found.present = 0;
    found.unheld = 0;
    let start = 0;
    let isWhole = true;
    for (const { key, end } of parts) {
      const last = Math.floor(end / this.blockTokens);
      const node = this.nodes.get(key);
      const cached = node === undefined ? 0 : Math.min(node.blocks, last - start);
      found.present += cached;
      if (node?.holders === 0) found.unheld += node.blocks;
      if (isWhole) found.blocks = Math.min(most, start + cached);
      isWhole = isWhole && cached === last - start;
      start = last;
    }
  }

  /** Holds all parts of a prompt, taking blocks for what is not cached. Returns their nodes. */
  hold(parts: readonly PromptPart[]): PrefixNode[] {
    const nodes: PrefixNode[] = [];
    let start = 0;
    for (const { key, end } of parts) {
      const last = Math.floor(end / this.blockTokens);
      let node = this.nodes.get(key);
      if (node === undefined) {
        node = { key, start, blocks: 0, holders: 0, entry: undefined };
        this.nodes.set(key, node);
      }
      if (node.entry !== undefined) {
        this.unheld -= node.entry.blocks;
        this.unlink(node.entry);
        node.entry = undefined;
      }
      node.holders += 1;
      nodes.push(node);
      start = last;
    }
    // Nothing is evicted from a part that is held, so the missing ones are taken only now.
    for (const [index, node] of nodes.entries()) {
      const last = Math.floor((parts[index]?.end ?? 0) / this.blockTokens);
      const missing = last - node.start - node.blocks;
      if (missing > 0) {
        this.take(missing);
        node.blocks += missing;
      }
    }
    return nodes;
  }

  /** Lets go of parts, the last one first. */
  release(nodes: readonly PrefixNode[]): void {
    for (let index = nodes.length - 1; index >= 0; index--) {
      const node = nodes[index];
      if (node === undefined) continue;
      node.holders -= 1;
      if (node.holders > 0) continue;
      if (node.blocks === 0) {
        this.nodes.delete(node.key);
        continue;
      }
      const entry: Evictable = { node, blocks: node.blocks, previous: undefined, next: undefined };
      node.entry = entry;
      this.unheld += node.blocks;
      this.append(entry);
    }
  }

  private append(entry: Evictable): void {
    entry.previous = this.newest;
    if (this.newest === undefined) this.oldest = entry;
    else this.newest.next = entry;
    this.newest = entry;
  }

  private drop(entry: Evictable): void {
    this.unlink(entry);
    if (entry.node === undefined) return;
    entry.node.entry = undefined;
    if (entry.node.holders === 0) this.nodes.delete(entry.node.key);
  }

  private unlink(entry: Evictable): void {
    if (entry.previous === undefined) this.oldest = entry.next;
    else entry.previous.next = entry.next;
    if (entry.next === undefined) this.newest = entry.previous;
    else entry.next.previous = entry.previous;
  }
}
