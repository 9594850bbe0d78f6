import type { Engine, EngineRelease } from '../profile/engine.ts';
import { findRelease, isOlder } from '../profile/find-release.ts';
import type { Hardware } from '../profile/hardware.ts';
import type { Model } from '../profile/model.ts';
import { type Sampling, samplings } from '../profile/sampling.ts';
import type { Deployment, Parallelism, PrecisionChoice, Scenario } from '../profile/scenario.ts';
import type { Load } from '../profile/workload.ts';
import { engineLimits } from '../roofline/engine-limits.ts';
import { fixedPowerShare, powerCapped } from '../roofline/power-cap.ts';
import { findNumberFormat, numberFormat } from '../quantity/number-format.ts';
import type { FiniteRun } from '../serving/simulate/simulate-run.ts';
import { asLaunched } from './launch-settings.ts';
import type { Measurement } from './measurement.ts';
import { engineVersionOf } from './packaged-version.ts';
import { rowPools } from './row-pools.ts';

/** Looks profiles up by the names that rows use; a reason where there is none. */
export interface ProfileSource {
  readonly model: (name: string) => Model | string;
  readonly hardware: (name: string) => Hardware | string;
  readonly engine: (name: string) => Engine | string;
}

export interface DescribedRow {
  readonly scenario: Scenario;
  /** The run as a benchmark tool makes it, where it is a finite one under load: to be simulated, not summed up. */
  readonly run?: FiniteRun;
  /** What computes prompts where that is a pool of its own; the scenario's deployment answers. */
  readonly prefillPool?: Deployment;
}

export type RowScenario = DescribedRow | { readonly skipped: string };

/** The scenario that a row's columns and options describe, with no configuration beyond them, or why there is none. */
export function rowScenario(stated: Measurement, profiles: ProfileSource): RowScenario {
  const model = profiles.model(stated.model);
  if (typeof model === 'string') return { skipped: model };
  const hardware = profiles.hardware(stated.hardware);
  if (typeof hardware === 'string') return { skipped: hardware };
  const row = asLaunched(stated, hardware.architecture);
  const engine = profiles.engine(engineOn(hardware, row.engine));
  if (typeof engine === 'string') return { skipped: engine };
  const { inputTokens, outputTokens } = row;
  if (inputTokens === undefined) return { skipped: 'input tokens not stated' };
  const split = row.options['disaggregated'];
  const pools = split === undefined ? undefined : rowPools(split);
  if (split !== undefined && pools === undefined) return { skipped: `pools that are not understood: '${split}'` };
  const release = withOptions(
    withoutClient(releaseOf(engine, engineVersionOf(row, engine.name)), row),
    row.options,
    hardware,
    inputTokens,
    row.batch,
  );
  const parallelism = pools?.decode ?? withAttentionData(parallelismOf(row, engine), row, model);
  const { sampling } = row.options;
  if (sampling !== undefined && sampling !== 'checkpoint' && !samplings.some((known) => known === sampling)) {
    return { skipped: `sampling '${sampling.slice(0, 40)}' is not known` };
  }
  const load = ttftOfOne(row, engine) ? ({ kind: 'batch', size: 1 } as const) : loadOf(row, parallelism);
  if (typeof load === 'string') return { skipped: load };
  const precision = precisionOf(row, model, engine);
  if (typeof precision === 'string') return { skipped: precision };
  const ratio = rangeRatio(row);
  const spread = (1 + ratio) / 2;
  const prompt = Math.max(1, Math.round(inputTokens * spread));
  const output = Math.max(1, Math.round((outputTokens ?? 1) * spread));
  const cached = Math.min(prompt - 1, Math.round(row.cachedTokens));
  const deployment = {
    model: paddedHeads(model, engine, parallelism),
    hardware: worksInTurns(release, parallelism) ? hardware : underCap(hardware, row.options),
    engine,
    release,
    precision,
    parallelism,
    ...sampledAs(row, engine),
  };
  return {
    ...(pools === undefined ? {} : { prefillPool: { ...deployment, parallelism: pools.prefill } }),
    scenario: {
      deployment,
      workload: { prompt, output, cached, load },
      grade: 'typical',
    },
    ...finiteRun(row, load, { prompt: inputTokens, output: outputTokens ?? 1, cached, ratio }),
  };
}

/**
 * How a row's requests chose their tokens: as it says (`sampling`); else as the clients do that could have measured it.
 * Batches and figures from inside an engine come from its own loop, which draws or takes the largest. What serves vLLM
 * was sent temperature 0 by vLLM's own client until 0.15 (github.com/vllm-project/vllm/pull/32723, 2026-01-20), and
 * nothing since; SGLang's sends it still (python/sglang/bench_serving.py).
 */
function sampledAs(row: Measurement, engine: Engine): { readonly sampling?: Sampling } {
  const stated = samplings.find((name) => name === row.options['sampling']);
  if (stated !== undefined) return { sampling: stated };
  if (row.options['sampling'] === 'checkpoint') return {};
  if (row.load === 'static-batch' || isTakenInside(row)) return { sampling: 'temperature' };
  if (engine.name === 'sglang') return { sampling: 'greedy' };
  return engine.name === 'vllm' && isOlder(engine, engineVersionOf(row, engine.name), '0.15')
    ? { sampling: 'greedy' }
    : {};
}

/** Stages that wait for one another draw little power in the mean, and no cap holds them back. */
const worksInTurns = ({ scheduling }: EngineRelease, { pipeline }: Parallelism): boolean =>
  pipeline > 1 && scheduling.pipelineTokens !== undefined;

/** The device under the power limit that a row states; limits that no card could hold say nothing. */
function underCap(hardware: Hardware, options: Measurement['options']): Hardware {
  const watts = positive(options['power_limit_w']);
  const { limit = 0 } = hardware.power;
  return watts === undefined || watts >= limit || watts <= fixedPowerShare * limit
    ? hardware
    : powerCapped(hardware, watts);
}

/** The Neuron compiler pads attention heads to a multiple of the ranks; other engines refuse such ranks. */
function paddedHeads(model: Model, engine: Engine, { tensor }: Parallelism): Model {
  if (engine.name !== 'neuron') return model;
  const layers = model.layers.map((layer) =>
    layer.mixer.kind === 'attention'
      ? { ...layer, mixer: { ...layer.mixer, ...padded(layer.mixer.heads, layer.mixer.keyValueHeads, tensor) } }
      : layer,
  );
  return { ...model, layers };
}

function padded(heads: number, keyValueHeads: number, ranks: number): { heads: number; keyValueHeads: number } {
  if (heads % ranks === 0) return { heads, keyValueHeads };
  const upTo = (count: number): number => Math.ceil(count / ranks) * ranks;
  return { heads: upTo(heads), keyValueHeads: upTo(keyValueHeads) };
}

/** On Gaudi, DeepSpeed shards the model under the loop of optimum-habana (its text-generation example). */
const engineOn = ({ architecture }: Hardware, engine: string): string =>
  engine === 'deepspeed' && architecture.startsWith('gaudi') ? 'optimum-habana' : engine;

/**
 * Lengths uniform between r x nominal and nominal, where the row says so. Options that a collector filled in as
 * "usual for this source" are believed where the row's own notes speak of nominal lengths or a range.
 */
function rangeRatio({ options, notes }: Measurement): number {
  const assumed = Object.values(options).some((value) => value.includes('usual for this source'));
  if (assumed && !/nominal|range/i.test(notes)) return 1;
  const ratio = Number(options['length_range_ratio'] ?? 1);
  return ratio > 0 && ratio <= 1 ? ratio : 1;
}

/** Requests of a finite closed loop for each in flight, where a row does not say (InferenceX and most tables). */
const requestsPerSlot = 10;

/** Above this many requests a run is long enough to be near its steady state, and is cut there. */
const mostRequests = 5000;

/**
 * Loops and queues as the finite runs that benchmark tools make: a burst at the start, then one for one or at random.
 * Requests one at a time and static batches need no simulation.
 */
function finiteRun(
  row: Measurement,
  load: Load,
  lengths: { readonly prompt: number; readonly output: number; readonly cached: number; readonly ratio: number },
): { readonly run?: FiniteRun } {
  const { ratio, prompt, output, cached } = lengths;
  // A mean that is no whole number is that of lengths that vary; clients draw them evenly from nothing to twice it.
  // Prompts that the prefix cache knows are the same few again, however their mean comes out.
  const varied = (!Number.isInteger(prompt) && cached === 0) || !Number.isInteger(output);
  const common = varied
    ? { prompt: 2 * prompt, output: 2 * output, cached, lengthRangeRatio: 0 }
    : { prompt, output, cached, lengthRangeRatio: ratio };
  const stated = requestsOf(row.options);
  if (load.kind === 'rate') {
    const { requestsPerSecond } = load;
    return {
      run: { ...common, load, requests: Math.min(mostRequests, stated ?? Math.max(500, 60 * requestsPerSecond)) },
    };
  }
  if (load.kind === 'batch' || load.size <= 1) return {};
  const { size } = load;
  if (row.load === 'offline' && row.batch === undefined) {
    return { run: { ...common, load: { kind: 'batch', size: Math.min(mostRequests, size) } } };
  }
  return { run: { ...common, load, requests: Math.min(mostRequests, stated ?? requestsPerSlot * size) } };
}

/** `requests=500`; `10 per slot` is the default. */
function requestsOf(options: Measurement['options']): number | undefined {
  const text = options['requests'];
  return text === undefined || text.includes('per slot') ? undefined : positive(text);
}

/** Rates and times that a benchmark takes inside the engine, without sampling or a client. */
const insideEngine: ReadonlySet<string> = new Set(['prefill_tok_s', 'decode_tok_s', 'prefill_ms', 'decode_step_ms']);

/** Whether a row's figure is such a one. */
export const isTakenInside = ({ metric, load }: Pick<Measurement, 'metric' | 'load'>): boolean =>
  (load === 'single' || load === 'static-batch') && insideEngine.has(metric);

/**
 * llama-bench and its kin call the engine in a loop: nothing is sampled on the host or streamed, and a rate is that of
 * one batch, for which they raise the micro-batch (its usual 2048 at depth) unless the row says otherwise.
 */
function withoutClient(release: EngineRelease, row: Measurement): EngineRelease {
  if (!isTakenInside(row)) return release;
  const { sampling: _, ...overhead } = release.overhead;
  const { passTokens: __, ...scheduling } = release.scheduling;
  return { ...release, scheduling, overhead: { ...overhead, stream: 0 } };
}

/** The release that a row names, else the default, which is the newest. */
function releaseOf(engine: Engine, version: string): EngineRelease {
  const release = findRelease(engine, version) ?? engine.releases.at(-1);
  if (release === undefined) throw new RangeError(`${engine.name} has no release`);
  return release;
}

/** Engines that reserve a request's whole KV also prefill it whole (TensorRT-LLM's and TGI's defaults). */
const wholePrompts = ({ memory, scheduling }: EngineRelease): boolean =>
  memory.reservesOutput && scheduling.policy === 'mixed';

/** Limits that the run set itself. */
function withOptions(
  release: EngineRelease,
  options: Measurement['options'],
  hardware: Hardware,
  prompt: number,
  inFlight: number | undefined,
): EngineRelease {
  // An engine that never cuts a prompt refuses one above its budget, so whoever measured it had raised the budget.
  const limits = engineLimits(release, hardware);
  const needed = prompt + Math.min(inFlight ?? Infinity, limits.maxSequences);
  const raised = wholePrompts(release) && needed > limits.tokenBudget ? needed : undefined;
  const pass = positive(options['ubatch']);
  const budget =
    positive(options['token_budget']) ??
    raised ??
    (pass === undefined ? undefined : Math.max(pass, limits.tokenBudget));
  const sequences = positive(options['max_running']);
  const fraction = positive(options['memory_fraction']);
  const flash = options['flash_attention'];
  const rule = (value: number): EngineRelease['scheduling']['tokenBudget'] => [{ memory: 0, except: [], value }];
  return {
    ...release,
    scheduling: {
      ...release.scheduling,
      ...(budget === undefined ? {} : { tokenBudget: rule(budget) }),
      ...(pass === undefined ? {} : { passTokens: pass }),
      ...(sequences === undefined ? {} : { maxSequences: rule(sequences) }),
      ...(flash === undefined ? {} : { fusedAttention: flash !== 'off' }),
    },
    memory: { ...release.memory, ...(fraction === undefined || fraction > 1 ? {} : { fraction }) },
  };
}

function positive(text: string | undefined): number | undefined {
  const value = Number(text);
  return value > 0 && value < Infinity ? value : undefined;
}

/**
 * As stated; devices left over are pipeline stages for engines that split layers, tensor ranks where nothing was
 * stated, else replicas. Ranks beyond the devices are cores or dies of them, which the profile counts together.
 */
function parallelismOf(row: Measurement, engine: Engine): Parallelism {
  const { gpus, expert = 1 } = row;
  const pipeline = Math.min(row.pipeline ?? 1, gpus);
  const stated = row.tensor ?? (engine.kernels === 'llama.cpp' ? 1 : gpus / pipeline);
  const tensor = Math.max(1, Math.min(stated, Math.floor(gpus / pipeline)));
  const data = Math.max(1, Math.min(row.data ?? 1, Math.floor(gpus / pipeline / tensor)));
  const left = Math.max(1, Math.floor(gpus / (tensor * pipeline * data)));
  const splitsLayers = engine.kernels === 'llama.cpp' && pipeline === 1;
  const together = expert > 1 ? Math.min(expert, tensor * data) : 1;
  return {
    tensor,
    pipeline: splitsLayers ? left : pipeline,
    data: together > 1 ? data : 1,
    expert: together,
    replicas: (splitsLayers ? 1 : left) * (together > 1 ? 1 : data),
  };
}

/**
 * Ranks that a row labels tensor parallel although it says that attention ran data parallel: each has its own requests,
 * and the experts are spread over all of them, as trtllm-bench does.
 */
function withAttentionData(parallelism: Parallelism, { notes }: Measurement, model: Model): Parallelism {
  const { tensor, data } = parallelism;
  const sparse = model.layers.some(({ feedForward }) => feedForward.kind === 'experts');
  if (!sparse || tensor === 1 || data > 1 || !/attention DP|enable_attention_dp/i.test(notes)) return parallelism;
  return { ...parallelism, tensor: 1, data: tensor, expert: tensor };
}

/** Requests submitted at once where nothing is stated; benchmarks of offline throughput use a few thousand. */
const offlineRequests = 2048;

function loadOf(row: Measurement, parallelism: Parallelism): Load | string {
  switch (row.load) {
    case 'single':
      return { kind: 'concurrency', size: 1 };
    case 'static-batch':
      return row.batch === undefined ? 'batch size not stated' : { kind: 'batch', size: Math.max(1, row.batch) };
    case 'closed-loop':
      return row.batch === undefined ? 'concurrency not stated' : { kind: 'concurrency', size: Math.max(1, row.batch) };
    case 'open-loop':
      return row.rate === undefined || row.rate === 0
        ? 'arrival rate not stated'
        : { kind: 'rate', requestsPerSecond: row.rate };
    case 'offline': {
      const requests = positive(row.options['requests']) ?? offlineRequests * parallelism.replicas;
      return { kind: 'concurrency', size: row.batch ?? requests };
    }
  }
}

/** Whether a row's TTFT is that of one request although a batch runs, as its engine reports it. */
export const ttftOfOne = (row: Measurement, engine: Engine): boolean =>
  engine.reportsTtftOf === 'one-request' && row.load === 'static-batch' && row.metric.startsWith('ttft');

function precisionOf(row: Measurement, model: Model, engine: Engine): PrecisionChoice | string {
  const named = { weights: row.weightFormat, activations: row.activationFormat, keyValue: row.keyValueFormat };
  const unknown = Object.values(named).find((name) => name !== '' && findNumberFormat(name) === undefined);
  if (unknown !== undefined) return `number format '${unknown}' is not known`;
  // 'fp8' without a word on scales means the checkpoint's own or the publisher's, which may have a scale for each block.
  const own = named.weights === 'fp8' && model.checkpoint.layers === 'fp8-block';
  const published = named.weights === 'fp8' && !own ? model.fp8Checkpoint : undefined;
  const stated = {
    ...Object.fromEntries(Object.entries(named).filter(([part, name]) => name !== '' && !(own && part === 'weights'))),
    ...(published === undefined ? {} : { weights: published }),
  };
  const wide = numberFormat(model.checkpoint.layers).bits >= 16;
  return row.weightFormat === '' && wide && engine.defaultWeights !== undefined
    ? { ...stated, weights: engine.defaultWeights }
    : stated;
}
