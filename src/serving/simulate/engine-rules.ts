import type { CompiledDeployment } from '../compiled.ts';
import { decodeStages } from '../static-batch.ts';

/** What an engine does with the requests it holds; resolved once for a deployment. */
export interface EngineRules {
  /** `mixed`: prefill and decode share a step; `prefill-first`: a step is one or the other; `static`: whole batches. */
  readonly batching: 'mixed' | 'prefill-first' | 'static';
  /** A prompt may be cut to what is left of the budget. */
  readonly chunked: boolean;
  /** Tokens of a step. */
  readonly tokenBudget: number;
  /** Tokens of one prompt in a step. */
  readonly chunkTokens: number;
  readonly maxSequences: number;
  /** Prompts that one step prefills at most. */
  readonly maxPrefills: number;
  /** After a step with prefill the next has none, so that decodes are not starved. */
  readonly alternates: boolean;
  /** Each step is planned when the one before it starts. */
  readonly schedulesAhead: boolean;
  /** KV that has to be free to admit a request: of its prompt, of its whole answer too, or of an estimate of that. */
  readonly admission: 'prompt' | 'whole' | 'estimate';
  /** Who gives way where the KV cache is full. */
  readonly victim: 'newest' | 'fewest-output';
  readonly blockTokens: number;
  readonly prefixCache: boolean;
  /** An engine that computes prompts for others sends the KV of each chunk at once, not all of it after the last. */
  readonly sendsChunks: boolean;
  /** A prompt computed elsewhere begins with a step for its last token, whose KV does not say what comes next. */
  readonly beginsWithLast: boolean;
  /** Tokens of one pass through the layers; a step of more takes several. */
  readonly passTokens: number;
  /** Micro-batches that are under way at once, one a pipeline stage. */
  readonly stages: number;
  /** From the client's sending to the engine's queue, seconds. */
  readonly ingress: number;
  /** What of that one process does for one request after another: seconds a request, and a token of its prompt. */
  readonly turnstile: { readonly request: number; readonly token: number };
}

/** Prompts that mlx_lm.server pads together (server.py, read 2026-08-22). */
const mlxPrefills = 8;

/**
 * Tokenising in the API process, one prompt after another, seconds a token: 220 ms for 100,000 (vLLM 0.19,
 * github.com/andyluo7/cpu-gpu-codesign-agentic-inference). Engines with a Python front end share the library.
 */
const tokenising = 2.2e-6;
const pythonFrontEnds: ReadonlySet<string> = new Set(['vllm', 'sglang', 'trt-llm', 'lmdeploy']);

/**
 * The rules of a deployment's engine. What a profile does not say follows from the engine's family: TensorRT-LLM and
 * vLLM V0 do not cut prompts by default, SGLang estimates and retracts, MLX and TGI let decodes through between two
 * prefills, llama.cpp cuts a step into micro-batches.
 */
export function engineRules(compiled: CompiledDeployment, changes: Partial<EngineRules> = {}): EngineRules {
  const { deployment, limits, grade, requestSeconds } = compiled;
  const { engine, release } = deployment;
  const stages = decodeStages(deployment);
  const { scheduling, memory } = release;
  const ideal = grade === 'ideal';
  const { name } = engine;
  const budget = ideal ? Infinity : limits.tokenBudget;
  const prefills = name === 'mlx' ? mlxPrefills : Infinity;
  const whole = name === 'trt-llm' || (name === 'vllm' && scheduling.policy === 'prefill-first');
  // A step of drafted tokens takes an uneven number of blocks: those of the whole answer are reserved.
  const reserves = memory.reservesOutput || scheduling.policy === 'static' || deployment.speculation !== undefined;
  return {
    batching: name === 'mlx' ? 'prefill-first' : scheduling.policy,
    chunked: !whole,
    // MLX gives each of its prompts a whole chunk; each pipeline stage works on a budget of its own.
    tokenBudget: budget * (prefills < Infinity ? prefills : 1) * stages,
    chunkTokens: budget,
    maxSequences: ideal ? Infinity : limits.maxSequences,
    maxPrefills: prefills,
    alternates: name === 'mlx' || name === 'tgi',
    schedulesAhead: scheduling.schedulesAhead && !ideal,
    admission: reserves ? 'whole' : name === 'sglang' ? 'estimate' : 'prompt',
    victim: name === 'sglang' ? 'fewest-output' : 'newest',
    blockTokens: scheduling.kvBlockTokens,
    prefixCache: scheduling.prefixCache,
    sendsChunks: name === 'sglang' || name === 'none',
    beginsWithLast: name === 'vllm',
    passTokens: compiled.table.passTokens ?? Infinity,
    stages,
    ingress: requestSeconds,
    turnstile: { request: 0, token: !ideal && pythonFrontEnds.has(name) ? tokenising : 0 },
    ...changes,
  };
}

/**
 * The rules of an engine that computes prompts for others. TensorRT-LLM's context servers do not plan ahead (examples of
 * its docs/source/features/disagg-serving.md set disable_overlap_scheduler).
 */
export const promptRules = (compiled: CompiledDeployment, changes: Partial<EngineRules> = {}): EngineRules =>
  engineRules(
    compiled,
    compiled.deployment.engine.name === 'trt-llm' ? { schedulesAhead: false, ...changes } : changes,
  );
