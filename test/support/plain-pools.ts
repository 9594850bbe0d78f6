import type { CompiledDeployment } from '../../src/serving/compiled.ts';
import { type PlainRequest, type PlainRules, plainRun, type PlainTimes } from './plain-engine.ts';

/*
 * Two pools as one would first write them down: every engine that computes prompts is an engine whose answers have one
 * token, their KV goes over the wires one after another, and the engine that answers is sent prompts that are computed.
 */

export interface PlainPools {
  readonly prefill: number;
  readonly sendsChunks: boolean;
  /** Seconds that the KV of a token occupies both ends. */
  readonly perToken: number;
}

export function plainPools(
  compiled: CompiledDeployment,
  rules: PlainRules,
  { prefill, sendsChunks, perToken }: PlainPools,
  requests: readonly PlainRequest[],
): PlainTimes {
  // A router that takes turns begins with the second.
  const engineOf = (id: number): number => (id + 1) % prefill;
  const computed = Array.from({ length: prefill }, (_, engine) => {
    const ids = requests.flatMap((_each, id) => (engineOf(id) === engine ? [id] : []));
    const own = ids.flatMap((id) => requests.slice(id, id + 1)).map((each) => ({ ...each, output: 1 }));
    return plainRun(compiled, rules, own).chunks.map((chunk) => ({ ...chunk, engine, id: ids[chunk.id] ?? 0 }));
  });
  const sent = new Map<number, number>();
  const freeAt: number[] = Array.from({ length: prefill }, () => 0);
  const pieces: { readonly id: number; readonly start: number; readonly seconds: number; readonly isLast: boolean }[] =
    [];
  const chunks = computed.flat().toSorted((a, b) => a.time - b.time || a.engine - b.engine);
  for (const { id, tokens, time, engine } of chunks) {
    const isLast = tokens === requests[id]?.prompt;
    if (!sendsChunks && !isLast) continue;
    const seconds = (tokens - (sent.get(id) ?? 0)) * perToken;
    const start = Math.max(time, freeAt[engine] ?? 0);
    freeAt[engine] = start + seconds;
    sent.set(id, tokens);
    pieces.push({ id, start, seconds, isLast });
  }
  const arrivals: { readonly id: number; readonly at: number }[] = [];
  let received = 0;
  for (const { id, start, seconds, isLast } of pieces.toSorted((a, b) => a.start - b.start)) {
    received = Math.max(start, received) + seconds;
    if (isLast) arrivals.push({ id, at: received });
  }
  arrivals.sort((a, b) => a.at - b.at);
  const answers = plainRun(
    compiled,
    { ...rules, ingress: 0 },
    arrivals.map(({ id, at }) => ({ prompt: 1, output: 1, ...requests[id], sent: at, handedOver: true })),
  );
  const since = (times: readonly number[]): readonly number[] =>
    times.map((time, index) => {
      const { id, at } = arrivals[index] ?? { id: 0, at: 0 };
      return time + at - (requests[id]?.sent ?? 0);
    });
  return { ...answers, ttft: since(answers.ttft), e2e: since(answers.e2e) };
}
