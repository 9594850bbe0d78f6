import type { TracedRequest } from '../../profile/traced-request.ts';

/** Prompt tokens of a trace, and those that a cache that forgets nothing would have found. */
export interface TraceHits {
  promptTokens: number;
  hitTokens: number;
}

/** Counts hits of named prompt parts, piece by piece: a part is found if it and all before it were seen. */
export function hitCounter(): { readonly add: (rows: readonly TracedRequest[]) => void; readonly hits: TraceHits } {
  const seen = new Set<number>();
  const hits: TraceHits = { promptTokens: 0, hitTokens: 0 };
  const add = (rows: readonly TracedRequest[]): void => {
    for (const { prompt, parts = [] } of rows) {
      hits.promptTokens += prompt;
      const missed = parts.findIndex(({ key }) => !seen.has(key));
      const found = missed < 0 ? parts.at(-1)?.end : parts[missed - 1]?.end;
      // At least one token is always computed.
      hits.hitTokens += Math.min(found ?? 0, prompt - 1);
      for (const { key } of parts) seen.add(key);
    }
  };
  return { add, hits };
}
