import type { FormatFamily } from '../quantity/format-family.ts';
import type { Citation } from './citation.ts';

/** A serving engine: its defaults by version and what its host side costs. */
export interface Engine {
  readonly name: string;
  readonly title: string;
  readonly aliases: readonly string[];
  /** Kernel library whose operator efficiencies apply: `vllm`, `trt-llm`, `llama.cpp`, `eager`, `none`. */
  readonly kernels: string;
  /** Format that the engine's loader converts 16-bit checkpoints to where nothing else is asked for. */
  readonly defaultWeights?: string;
  /** Set where the engine's own reports give the TTFT of one request although a batch runs. */
  readonly reportsTtftOf?: 'one-request';
  /** Devices that it runs on by its own documents; absent = not stated. */
  readonly platforms?: readonly Platform[];
  /** Weight formats that it does not serve as any other; absent = none known. */
  readonly formats?: readonly FormatRemark[];
  /** Oldest first; the last is the default. Each is complete. */
  readonly releases: readonly EngineRelease[];
  readonly sources: readonly Citation[];
  readonly notes: string;
}

export interface Platform {
  /** What the devices are called: 'NVIDIA GPUs from Turing on'. */
  readonly name: string;
  /** Architectures of hardware profiles. */
  readonly architectures: readonly string[];
  /** A plug-in, fork or backend apart that it takes. */
  readonly through?: string;
  readonly citation: Citation;
}

export interface FormatRemark {
  readonly family: FormatFamily;
  /** Formats of the family that the remark is not about. */
  readonly except?: readonly string[];
  /** What the engine does with them: goes on after its name. */
  readonly says: string;
  readonly citation: Citation;
}

export interface EngineRelease {
  readonly version: string;
  /** ISO date of the release or of the defaults, where known. */
  readonly since: string;
  /** Kernel library of this release, where the engine's has changed since. */
  readonly kernels?: string;
  readonly scheduling: EngineScheduling;
  readonly memory: EngineMemory;
  readonly overhead: EngineOverhead;
  /** What the device does to choose a token; absent = as little as for the largest logit, whatever requests ask. */
  readonly sampler?: Sampler;
  /** What was asked for, where no release of that version is known; see `releaseFor`. */
  readonly asked?: AskedVersion;
}

/** Choosing tokens on the device, beyond the largest logit. */
export interface Sampler {
  /** Requests that state nothing sample as the checkpoint's generation_config.json says. */
  readonly readsCheckpoint: boolean;
  /** A draw from all tokens: softmax, noise, division, largest. */
  readonly draw: SamplerCost;
  /** What leaves tokens out before the draw: top-p or top-k; one that `draws` takes the draw's place. */
  readonly filter: SamplerCost & { readonly draws?: boolean };
  readonly citations: readonly Citation[];
}

export interface SamplerCost {
  /** Bytes moved per logit, each of which also stands for what sorting computes. */
  readonly bytesPerLogit: number;
  /** Kernels launched one after another. */
  readonly kernels: number;
}

/** A version without a release of its own: the rules of the release before it hold, as far as is known. */
export interface AskedVersion {
  readonly version: string;
  /** It lies outside of all known releases, on this side. */
  readonly beyond?: 'newer' | 'older';
}

export interface EngineScheduling {
  /** `mixed`: prefill chunks and decodes share a step; `prefill-first`: a step is one or the other; `static`: whole batches. */
  readonly policy: 'mixed' | 'prefill-first' | 'static';
  /** Step budget in tokens; the first rule whose device memory matches holds. Absent device limits match all. */
  readonly tokenBudget: readonly BudgetRule[];
  readonly maxSequences: readonly BudgetRule[];
  /** Tokens of one KV block. */
  readonly kvBlockTokens: number;
  readonly prefixCache: boolean;
  /** The engine schedules one step ahead, so a newcomer waits one step more. */
  readonly schedulesAhead: boolean;
  /** Batch sizes padded up to a captured graph. */
  readonly graphs: boolean;
  /** Attention keeps its scores on chip (FlashAttention and kin) instead of writing them to memory. */
  readonly fusedAttention: boolean;
  /** Few kernels a layer; otherwise the engine runs a graph node by node (operator/unfused.ts). */
  readonly fusedKernels: boolean;
  /**
   * The last token of a prompt is computed by a decode step of all sequences that follows its prefill in the same
   * iteration (TurboMind until its split prefill); otherwise prefill ends with the first token.
   */
  readonly decodesLastToken?: boolean;
  /** Tokens of one pass through the layers, into which a step is cut; absent = the whole step (n_ubatch of llama.cpp). */
  readonly passTokens?: number;
  /** Prompt tokens that may be under way in a pipeline at once; absent = all (llama.cpp waits after each batch). */
  readonly pipelineTokens?: number;
  /** Largest step with prefill that is replayed from captured graphs, tokens; absent = none is. */
  readonly graphTokens?: number;
}

/** `value` holds for devices with at least `memory` bytes (and not of the excluded architectures). */
export interface BudgetRule {
  readonly memory: number;
  readonly except: readonly string[];
  readonly value: number;
}

export interface EngineMemory {
  /** Share of device memory that weights, activations and KV may take together. */
  readonly fraction: number;
  /** `total`: of device memory; `free-after-weights`: of what weights leave. */
  readonly basis: 'total' | 'free-after-weights';
  /** Framework, context, communication buffers, bytes per device. */
  readonly reserve: number;
  /**
   * Peak bytes per logit of the sampler, over all sequences that may run at once. vLLM V1 profiles this at start
   * (38.9 explains activations of 4.76, 5.64 and 7.38 GiB in llm-d planner's empirical memory results); others keep
   * 16-bit logits and one FP32 copy (6).
   */
  readonly bytesPerLogit: number;
  /** A checkpoint with 8- or 4-bit floating weights brings an FP8 KV cache (ModelOpt checkpoints under TensorRT-LLM). */
  readonly keyValueFollowsWeights: boolean;
  /** KV cache is reserved for the whole output at admission. */
  readonly reservesOutput: boolean;
}

/** Host and launch costs not hidden behind the device, seconds. */
export interface EngineOverhead {
  readonly step: number;
  readonly layer: number;
  /** Per running sequence and step. */
  readonly sequence: number;
  /**
   * Per running sequence and step on top of `sequence` where tokens are streamed to clients as they come
   * (detokenisation and response in the step's way); static batches and offline runs do not pay it.
   */
  readonly stream: number;
  /**
   * Per entry of the vocabulary, running sequence and step, where logits are copied to the host and sampled there, one
   * sequence after another. Absent where the device samples.
   */
  readonly sampling?: number;
  /** Per request, once: HTTP, tokenisation, first return. */
  readonly request: number;
  /** Per operator launched, on top of the device-side floor. */
  readonly launch: number;
  /**
   * As `launch`, in steps that prefill: engines that replay a graph for decode but launch prefill kernel by kernel, as
   * its shapes are not known beforehand. Absent where both run alike.
   */
  readonly prefillLaunch?: number;
  /**
   * Per collective and doubling of ranks, on top of the efficiency table's latency, which is that of one-shot kernels
   * over mapped memory: engines that call NCCL instead pay its protocol. Absent for the others.
   */
  readonly collective?: number;
  readonly citations: readonly Citation[];
}
