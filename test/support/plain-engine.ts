import { addDecode, addPrefill, clearStep, newStep, finishStep } from '../../src/phase/step.ts';
import { resourceCount } from '../../src/roofline/resource.ts';
import { addStepSeconds } from '../../src/roofline/step-seconds.ts';
import type { CompiledDeployment } from '../../src/serving/compiled.ts';
import { type Held, plainCache } from './plain-cache.ts';

/*
 * An engine as one would first write it down: a list of running requests, a list of waiting ones, one step after
 * another, every step priced by the table request by request. Slow and simple, to compare the simulation with.
 */

export interface PlainRules {
  readonly mixed: boolean;
  readonly chunked: boolean;
  readonly tokenBudget: number;
  readonly maxSequences: number;
  readonly schedulesAhead: boolean;
  readonly reservesOutput: boolean;
  readonly blockTokens: number;
  /** Blocks of the whole KV cache. */
  readonly blocks: number;
  readonly ingress: number;
  /** After a step with prompts comes one without, where anybody decodes. */
  readonly alternates: boolean;
  /** A prompt that came computed begins with a step for its last token. */
  readonly beginsWithLast: boolean;
}

export interface PlainRequest {
  readonly sent: number;
  readonly prompt: number;
  readonly output: number;
  /** Tokens, fewer than the prompt has, that all prompts with this key begin with. */
  readonly prefix?: { readonly key: number; readonly tokens: number };
  /** Its prompt is computed already: only its answer is to come. */
  readonly handedOver?: boolean;
}

/** So many tokens of a prompt are computed. */
export interface PlainChunk {
  readonly id: number;
  readonly tokens: number;
  readonly time: number;
}

export interface PlainTimes {
  readonly ttft: readonly number[];
  readonly e2e: readonly number[];
  readonly preemptions: number;
  /** Prompt tokens found in the cache at the first admission. */
  readonly hits: number;
  /** Blocks of prefixes that were handed out to others. */
  readonly evictions: number;
  readonly steps: number;
  /** All gaps between tokens. */
  readonly gaps: readonly number[];
  readonly chunks: readonly PlainChunk[];
}

interface Running {
  readonly id: number;
  target: number;
  computed: number;
  generated: number;
  /** Tokens whose KV has blocks. */
  held: number;
  lastToken: number;
  readonly blocks: Held;
}

export function plainRun(
  compiled: CompiledDeployment,
  rules: PlainRules,
  requests: readonly PlainRequest[],
): PlainTimes {
  const { table } = compiled;
  const step = newStep();
  const parts = new Float64Array(resourceCount);
  const ttft: number[] = requests.map(() => Number.NaN);
  const e2e: number[] = requests.map(() => Number.NaN);
  const gaps: number[] = [];
  const chunks: PlainChunk[] = [];
  let preemptions = 0;
  let hits = 0;
  const seen = new Set<number>();
  let steps = 0;
  const future = requests.map((request, id) => ({ id, ready: request.sent + rules.ingress }));
  const waiting: {
    readonly id: number;
    readonly ready: number;
    readonly generated: number;
    readonly lastToken: number;
    readonly handedOver: boolean;
  }[] = [];
  let running: Running[] = [];
  let leaving: Running[] = [];
  const of = (id: number): PlainRequest => requests[id] ?? { sent: 0, prompt: 1, output: 1 };
  const blocks = (tokens: number): number => Math.ceil(tokens / rules.blockTokens);
  const cache = plainCache(rules.blocks);
  /** Only whole blocks are shared. */
  const prefixOf = (id: number): readonly string[] => {
    const { key = 0, tokens = 0 } = of(id).prefix ?? {};
    return Array.from({ length: Math.floor(tokens / rules.blockTokens) }, (_, index) => `${key}/${index}`);
  };
  const leave = (): void => {
    for (const each of leaving) cache.release(each.blocks);
    leaving = [];
  };
  let time = 0;
  let lastStart = -Infinity;
  let lastHadPrefill = false;
  for (;;) {
    while (future[0] !== undefined && future[0].ready <= time) {
      const { id, ready } = future.shift() ?? { id: 0, ready: 0 };
      waiting.push({ id, ready, generated: 0, lastToken: 0, handedOver: of(id).handedOver ?? false });
    }
    if (!rules.schedulesAhead) leave();
    const isDecoding = (each: Running): boolean => each.computed === each.target;
    let calm = true;
    const growth = (): Running[] => running.filter(isDecoding).filter(({ held }) => held % rules.blockTokens === 0);
    const makeRoom = (): void => {
      if (rules.reservesOutput) return;
      while (growth().length > cache.available()) {
        const victim = running.pop();
        if (victim === undefined) break;
        preemptions += 1;
        cache.release(victim.blocks);
        calm = false;
        waiting.unshift({
          id: victim.id,
          ready: 0,
          generated: victim.generated,
          lastToken: victim.lastToken,
          handedOver: false,
        });
      }
      for (const each of growth()) cache.grow(each.blocks);
      for (const each of running.filter(isDecoding)) each.held += 1;
    };
    const prefills: { readonly request: Running; readonly from: number; readonly to: number }[] = [];
    let budget = rules.tokenBudget;
    const horizonOf = (): number => (rules.schedulesAhead && lastStart > -Infinity ? lastStart : time);
    const prefill = (request: Running): void => {
      const to = rules.chunked ? Math.min(request.target, request.computed + budget) : request.target;
      prefills.push({ request, from: request.computed, to });
      budget -= to - request.computed;
    };
    const token = (request: Running): void => {
      const { sent, output } = of(request.id);
      request.generated += 1;
      if (request.generated === 1) ttft[request.id] = time - sent;
      else gaps.push(time - request.lastToken);
      request.lastToken = time;
      if (request.generated < output) return;
      e2e[request.id] = time - sent;
      running = running.filter((each) => each !== request);
      leaving.push(request);
    };
    const admit = (): void => {
      for (const request of running) if (!isDecoding(request) && budget > 0) prefill(request);
      if (!calm) return;
      for (;;) {
        if (budget <= 0 || running.length + leaving.length >= rules.maxSequences) break;
        const [next] = waiting;
        if (next === undefined || next.ready > horizonOf()) break;
        const { prompt, output } = of(next.id);
        const target = prompt + next.generated;
        const prefix = prefixOf(next.id);
        const found = cache.find(prefix);
        // At least one token is computed.
        const hit = Math.min(found.present, Math.floor((target - 1) / rules.blockTokens)) * rules.blockTokens;
        const fresh = next.handedOver ? Math.min(1, target) : target - hit;
        if (!rules.chunked && fresh > budget && !(prefills.length === 0 && fresh > rules.tokenBudget)) break;
        const decodesAtOnce = next.handedOver && !rules.beginsWithLast;
        const held = target + (decodesAtOnce && rules.mixed && output > 1 ? 1 : 0);
        const needed = blocks(rules.reservesOutput ? prompt + output : held);
        if (needed - found.present > cache.available() - found.unheld) break;
        // A request that gave way had its first admission before.
        if (!seen.has(next.id)) hits += hit;
        seen.add(next.id);
        waiting.shift();
        const request: Running = {
          id: next.id,
          target,
          computed: decodesAtOnce ? target : next.handedOver ? target - 1 : hit,
          generated: next.generated,
          held,
          lastToken: next.lastToken,
          blocks: cache.hold(prefix, needed - prefix.length),
        };
        running.push(request);
        if (decodesAtOnce) token(request);
        else prefill(request);
      }
    };
    let decodes: Running[] = [];
    const rests = rules.alternates && lastHadPrefill && running.some(isDecoding);
    if (rules.mixed) {
      makeRoom();
      budget -= running.filter(isDecoding).length;
      admit();
      decodes = running.filter(isDecoding);
    } else {
      if (!rests) admit();
      if (prefills.length === 0) {
        makeRoom();
        decodes = running.filter(isDecoding);
      }
    }
    const released = leaving.length > 0;
    leave();
    if (prefills.length === 0 && decodes.length === 0) {
      if (waiting.length > 0 && (released || horizonOf() < time || !calm)) {
        lastStart = -Infinity;
        continue;
      }
      if (future[0] === undefined) break;
      lastHadPrefill = false;
      time = future[0].ready;
      lastStart = -Infinity;
      continue;
    }
    clearStep(table, step);
    for (const { id, generated } of decodes) {
      const context = of(id).prompt + generated;
      addDecode(table, step, 1, context, context);
    }
    for (const { request, from, to } of prefills) addPrefill(table, step, 1, from, to, to === request.target ? 1 : 0);
    finishStep(table, step);
    lastStart = time;
    lastHadPrefill = prefills.length > 0;
    time += addStepSeconds(table, step, parts);
    steps += 1;
    for (const request of decodes) token(request);
    for (const { request, to } of prefills) {
      request.computed = to;
      chunks.push({ id: request.id, tokens: to, time });
      if (to === request.target) token(request);
    }
  }
  return { ttft, e2e, preemptions, hits, evictions: cache.evictions(), steps, gaps, chunks };
}
