/*
 * A KV cache as one would first write it down: every block by itself, in a queue of those that nobody holds, the
 * longest unheld first. A block that was given back keeps its contents until it is handed out again.
 */

interface Block {
  /** What it holds of which prompt, where anybody may ask for it again. */
  name: string | undefined;
  holders: number;
}

/** What a request holds: the blocks of its prefix by name, and some of its own. */
export interface Held {
  readonly prefix: readonly string[];
  own: number;
}

export interface PlainCache {
  readonly available: () => number;
  /** Blocks of a prefix that were handed out for something else. */
  readonly evictions: () => number;
  /** Blocks of a prefix that are there, from its beginning; and how many of them nobody holds. */
  readonly find: (prefix: readonly string[]) => { readonly present: number; readonly unheld: number };
  readonly hold: (prefix: readonly string[], own: number) => Held;
  readonly grow: (held: Held) => void;
  readonly release: (held: Held) => void;
}

export function plainCache(total: number): PlainCache {
  const unheld: Block[] = Array.from({ length: total }, () => ({ name: undefined, holders: 0 }));
  const named = new Map<string, Block>();
  const anonymous: Block[] = [];
  let evictions = 0;
  const take = (name: string | undefined): Block => {
    const block = unheld.shift();
    if (block === undefined) throw new Error('no block is left');
    if (block.name !== undefined) {
      named.delete(block.name);
      evictions += 1;
    }
    block.name = name;
    block.holders = 1;
    if (name === undefined) anonymous.push(block);
    else named.set(name, block);
    return block;
  };
  const present = (prefix: readonly string[]): readonly Block[] =>
    prefix.flatMap((name) => {
      const block = named.get(name);
      return block === undefined ? [] : [block];
    });
  return {
    available: () => unheld.length,
    evictions: () => evictions,
    find: (prefix) => {
      const blocks = present(prefix);
      return { present: blocks.length, unheld: blocks.filter(({ holders }) => holders === 0).length };
    },
    hold: (prefix, own) => {
      for (const block of present(prefix)) {
        if (block.holders === 0) unheld.splice(unheld.indexOf(block), 1);
        block.holders += 1;
      }
      for (const name of prefix) if (!named.has(name)) take(name);
      for (let block = 0; block < own; block++) take(undefined);
      return { prefix, own };
    },
    grow: (held) => {
      take(undefined);
      held.own += 1;
    },
    release: ({ prefix, own }) => {
      // From the end: those that only this request asked for go first, then the prefix from its last block.
      for (let count = 0; count < own; count++) {
        const block = anonymous.pop();
        if (block === undefined) throw new Error('more blocks are given back than were taken');
        block.holders = 0;
        unheld.push(block);
      }
      for (const name of prefix.toReversed()) {
        const block = named.get(name);
        if (block === undefined) throw new Error(`${name} was lost while it was held`);
        block.holders -= 1;
        if (block.holders === 0) unheld.push(block);
      }
    },
  };
}
