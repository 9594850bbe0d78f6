import * as fc from 'fast-check';
import type { Engine, EngineRelease } from '../../src/profile/engine.ts';
import type { Hardware } from '../../src/profile/hardware.ts';
import type { Attention, FeedForward, LayerGroup, Mixer, Model } from '../../src/profile/model.ts';
import type { Deployment, Parallelism, PrecisionChoice, Scenario } from '../../src/profile/scenario.ts';
import type { Load, Workload } from '../../src/profile/workload.ts';
import type { MatrixFormat } from '../../src/quantity/matrix-format.ts';
import { shippedDevice, shippedEngine, shippedModel } from './shipped.ts';
import { bareEngine, toyHardware, toyModel } from './toy.ts';

/** Spread evenly over orders of magnitude (`fc.double` is not: it draws bit patterns). */
const magnitude = (low: number, high: number): fc.Arbitrary<number> =>
  fc.integer({ min: 0, max: 10_000 }).map((part) => low * (high / low) ** (part / 10_000));

const whole = (low: number, high: number): fc.Arbitrary<number> => magnitude(low, high).map(Math.round);

const powerOfTwo = (low: number, high: number): fc.Arbitrary<number> =>
  fc.integer({ min: Math.log2(low), max: Math.log2(high) }).map((exponent) => 2 ** exponent);

const peaks = (of16: number, factor: number, formats: readonly MatrixFormat[]): Hardware['matrix'] =>
  Object.fromEntries(formats.map((format) => [format, of16 * factor]));

/** Devices from a laptop to a data-centre accelerator, of families with and without constants of their own. */
const randomHardware: fc.Arbitrary<Hardware> = fc
  .record({
    architecture: fc.constantFrom(
      'hopper',
      'ampere',
      'blackwell',
      'cdna3',
      'apple-m2',
      'ada',
      'tpu',
      'nobody-measured',
    ),
    capacity: magnitude(8e9, 300e9),
    bandwidth: magnitude(5e10, 8e12),
    matrix16: magnitude(1e12, 3e15),
    eightBit: fc.boolean(),
    fourBit: fc.boolean(),
    fp16Accumulate: fc.boolean(),
    topology: fc.constantFrom('switch', 'mesh', 'torus', 'bridge', 'none'),
    linkBandwidth: magnitude(1e10, 1e12),
    hostBandwidth: magnitude(4e9, 1e11),
    domain: fc.constantFrom(2, 4, 8, 64),
    network: magnitude(1e10, 1e11),
  })
  .map((drawn) => ({
    ...toyHardware,
    architecture: drawn.architecture,
    memory: { ...toyHardware.memory, capacity: drawn.capacity, bandwidth: drawn.bandwidth },
    matrix: {
      ...peaks(drawn.matrix16, 0.5, ['tf32']),
      ...peaks(drawn.matrix16, 1, ['fp16', 'bf16']),
      ...peaks(drawn.matrix16, 2, drawn.eightBit ? ['fp8', 'int8'] : []),
      ...peaks(drawn.matrix16, 4, drawn.fourBit ? ['fp4'] : []),
    },
    matrixFp16Accumulate: drawn.fp16Accumulate ? { fp16: 2 * drawn.matrix16 } : {},
    link: {
      kind: 'link',
      topology: drawn.topology,
      bandwidth: drawn.topology === 'none' ? 0 : drawn.linkBandwidth,
      domain: drawn.topology === 'none' ? 1 : drawn.topology === 'bridge' ? 2 : drawn.domain,
    },
    host: { kind: 'PCIe', bandwidth: drawn.hostBandwidth },
    network: { bandwidth: drawn.network },
  }));

const randomAttention: fc.Arbitrary<Attention> = fc
  .record({
    keyValueHeads: powerOfTwo(1, 16),
    groups: powerOfTwo(1, 16),
    keySize: fc.constantFrom(64, 128, 256),
    window: fc.option(whole(16, 8192), { nil: undefined }),
    chunked: fc.boolean(),
    gated: fc.boolean(),
    keyValue: fc.constantFrom('own', 'key-is-value', 'shared'),
  })
  .map(({ keyValueHeads, groups, keySize, window, chunked, gated, keyValue }) => ({
    kind: 'attention',
    heads: 16 * Math.ceil((keyValueHeads * groups) / 16),
    keyValueHeads,
    keySize,
    valueSize: keySize,
    ...(window === undefined ? {} : { window }),
    chunked: chunked && window !== undefined,
    gated,
    keyValue,
  }));

const randomMixer: fc.Arbitrary<Mixer> = fc.oneof(
  { weight: 4, arbitrary: randomAttention },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('latent-attention' as const),
      heads: powerOfTwo(16, 128),
      keyValueRank: fc.constant(512),
      nopeSize: fc.constant(128),
      ropeSize: fc.constant(64),
      valueSize: fc.constant(128),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('recurrent' as const),
      variant: fc.constantFrom('mamba2' as const, 'gated-delta' as const),
      matrixParameters: whole(1e5, 1e8),
      stateElements: whole(1e3, 1e6),
      convolutionElements: whole(1e2, 1e5),
      recurrenceFlops: whole(1e3, 1e7),
    }),
  },
);

const randomFeedForward: fc.Arbitrary<FeedForward> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('dense' as const),
      width: powerOfTwo(256, 32768),
      gated: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('experts' as const),
      experts: powerOfTwo(16, 256),
      active: fc.integer({ min: 1, max: 8 }),
      width: powerOfTwo(256, 8192),
      gated: fc.boolean(),
      sharedWidth: fc.constantFrom(0, 1024),
      denseWidth: fc.constantFrom(0, 2048),
      vectorParametersPerExpert: fc.constant(0),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'none' as const }) },
);

const randomLayer: fc.Arbitrary<LayerGroup> = fc.record({
  count: fc.integer({ min: 1, max: 40 }),
  mixer: randomMixer,
  feedForward: randomFeedForward,
  vectorParameters: fc.integer({ min: 0, max: 10_000 }),
  parallelBlocks: fc.boolean(),
});

/** Decoders of one to three kinds of layers: attention of all forms, latents, recurrences, dense and expert blocks. */
const randomModel: fc.Arbitrary<Model> = fc
  .record({
    hiddenSize: powerOfTwo(256, 16384),
    vocabulary: whole(1000, 260_000),
    tied: fc.boolean(),
    layers: fc.array(randomLayer, { minLength: 1, maxLength: 3 }),
  })
  .map(({ hiddenSize, vocabulary, tied, layers }) => ({
    ...toyModel,
    hiddenSize,
    vocabulary,
    embedding: { ...toyModel.embedding, tied },
    layers,
  }));

const budget = fc.constantFrom(Infinity, 512, 2048, 8192, 16384);

const randomRelease: fc.Arbitrary<EngineRelease> = fc
  .record({
    policy: fc.constantFrom('mixed', 'prefill-first', 'static'),
    tokenBudget: budget,
    maxSequences: fc.constantFrom(Infinity, 1, 64, 256, 1024),
    schedulesAhead: fc.boolean(),
    basis: fc.constantFrom('total', 'free-after-weights'),
    keyValueFollowsWeights: fc.boolean(),
    fusedAttention: fc.boolean(),
    fusedKernels: fc.boolean(),
    reservesOutput: fc.boolean(),
    step: fc.constantFrom(0, 3e-4, 6e-3),
    sequence: fc.constantFrom(0, 1e-6, 1.3e-5),
    stream: fc.constantFrom(0, 3e-5),
    request: fc.constantFrom(0, 4.5e-3),
    launch: fc.constantFrom(0, 5e-6, 9e-5),
  })
  .map((drawn) => ({
    version: '1',
    since: '2026-01-01',
    scheduling: {
      policy: drawn.policy,
      tokenBudget: drawn.tokenBudget === Infinity ? [] : [{ memory: 0, except: [], value: drawn.tokenBudget }],
      maxSequences: drawn.maxSequences === Infinity ? [] : [{ memory: 0, except: [], value: drawn.maxSequences }],
      kvBlockTokens: 16,
      prefixCache: true,
      schedulesAhead: drawn.schedulesAhead,
      graphs: drawn.launch === 0,
      fusedAttention: drawn.fusedAttention,
      fusedKernels: drawn.fusedKernels,
    },
    memory: {
      fraction: 0.9,
      basis: drawn.basis,
      reserve: 3e8,
      bytesPerLogit: 6,
      keyValueFollowsWeights: drawn.keyValueFollowsWeights,
      reservesOutput: drawn.reservesOutput,
    },
    overhead: {
      step: drawn.step,
      layer: 1e-6,
      sequence: drawn.sequence,
      stream: drawn.stream,
      request: drawn.request,
      launch: drawn.launch,
      citations: [],
    },
  }));

const randomEngine: fc.Arbitrary<Engine> = fc
  .record({ kernels: fc.constantFrom('vllm', 'trt-llm', 'llama.cpp', 'eager', 'none'), release: randomRelease })
  .map(({ kernels, release }) => ({ ...bareEngine, kernels, releases: [release] }));

/** Shipped profiles, so that the properties hold for what people really ask about. */
const realHardware: fc.Arbitrary<Hardware> = fc
  .constantFrom(
    'h100-sxm5-80gb',
    'h100-pcie-80gb',
    'a100-sxm4-80gb',
    'b200-sxm',
    'mi300x',
    'rtx-4090',
    'rtx-3090',
    'l4',
    't4',
    'tpu-v5e',
    'apple-m2-ultra-76c',
    'gaudi3',
    'v100-sxm2-32gb',
    'tesla-p40',
    'dgx-spark-gb10',
    'epyc-9654',
  )
  .map(shippedDevice);

const realModel: fc.Arbitrary<Model> = fc
  .constantFrom(
    'llama-3.1-8b',
    'llama-3.1-70b',
    'mixtral-8x7b',
    'deepseek-v3',
    'gemma-3-27b',
    'gpt-oss-120b',
    'qwen3-32b',
    'qwen3-next-80b-a3b',
    'nemotron-3-nano-30b-a3b',
    'deepseek-v4-flash',
    'llama-4-scout-17b-16e',
  )
  .map(shippedModel);

const realEngine: fc.Arbitrary<{ readonly engine: Engine; readonly release: EngineRelease }> = fc
  .constantFrom('vllm', 'sglang', 'trt-llm', 'llama.cpp', 'transformers', 'none')
  .map(shippedEngine)
  .chain((engine) => fc.constantFrom(...engine.releases).map((release) => ({ engine, release })));

export const hardware: fc.Arbitrary<Hardware> = fc.oneof(randomHardware, realHardware);
export const model: fc.Arbitrary<Model> = fc.oneof(randomModel, realModel);
const engine: fc.Arbitrary<{ readonly engine: Engine; readonly release: EngineRelease }> = fc.oneof(
  randomEngine.map((each) => ({ engine: each, release: firstRelease(each) })),
  realEngine,
);

function firstRelease({ releases }: Engine): EngineRelease {
  const [release] = releases;
  if (release === undefined) throw new Error('an engine needs a release');
  return release;
}

const precision: fc.Arbitrary<PrecisionChoice> = fc
  .record({
    weights: fc.constantFrom(
      undefined,
      'bf16',
      'fp16',
      'fp8',
      'fp8-block',
      'int8',
      'w4a16-awq',
      'nvfp4',
      'q4_k_m',
      'mxfp4',
    ),
    keyValue: fc.constantFrom(undefined, 'fp8', 'bf16'),
  })
  .map(({ weights, keyValue }) => ({
    ...(weights === undefined ? {} : { weights }),
    ...(keyValue === undefined ? {} : { keyValue }),
  }));

/** Ranks that every random and shipped model takes. */
const parallelism: fc.Arbitrary<Parallelism> = fc.record({
  tensor: fc.constantFrom(1, 1, 2, 4, 8),
  pipeline: fc.constantFrom(1, 1, 1, 2, 4),
  data: fc.constantFrom(1, 1, 1, 2, 4),
  expert: fc.constantFrom(1, 1, 2),
  replicas: fc.constantFrom(1, 1, 2),
});

/** Deployments that pass the checks of a scenario. */
export const deployment: fc.Arbitrary<Deployment> = fc
  .record({ model, hardware, engine, precision, parallelism })
  .map(({ model: drawn, hardware: device, engine: host, precision: formats, parallelism: ranks }) => {
    const { keyValue: _, ...withoutKeyValue } = formats;
    return {
      model: drawn,
      hardware: device,
      ...host,
      precision: hasKeyValues(drawn) ? formats : withoutKeyValue,
      parallelism: possible(drawn, ranks),
    };
  });

const hasKeyValues = ({ layers }: Model): boolean =>
  layers.some(({ mixer }) => mixer.kind === 'attention' || mixer.kind === 'latent-attention');

function possible({ layers }: Model, ranks: Parallelism): Parallelism {
  const depth = layers.reduce((sum, { count }) => sum + count, 0);
  const sparse = layers.some(({ feedForward }) => feedForward.kind === 'experts');
  const divides = (tensor: number): boolean =>
    layers.every(({ mixer }) => !('heads' in mixer) || mixer.heads % tensor === 0);
  const tensor = divides(ranks.tensor) ? ranks.tensor : 1;
  const expert = sparse && (tensor * ranks.data) % ranks.expert === 0 ? ranks.expert : 1;
  return { ...ranks, tensor, expert, pipeline: Math.min(ranks.pipeline, depth) };
}

export const batchLoad: fc.Arbitrary<Load> = whole(1, 256).map((size) => ({ kind: 'batch', size }));
export const concurrencyLoad: fc.Arbitrary<Load> = whole(1, 2000).map((size) => ({ kind: 'concurrency', size }));
const rateLoad: fc.Arbitrary<Load> = magnitude(1e-3, 1e3).map((requestsPerSecond) => ({
  kind: 'rate',
  requestsPerSecond,
}));

export const load: fc.Arbitrary<Load> = fc.oneof(batchLoad, concurrencyLoad, rateLoad);

export const workload = (loads: fc.Arbitrary<Load> = load): fc.Arbitrary<Workload> =>
  fc
    .record({
      prompt: whole(1, 1e5),
      output: whole(1, 4096),
      cachedShare: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true })),
      load: loads,
    })
    .map(({ prompt, output, cachedShare, load: drawn }) => ({
      prompt,
      output,
      cached: Math.min(prompt - 1, Math.floor(prompt * cachedShare)),
      load: drawn,
    }));

export const scenario = (loads: fc.Arbitrary<Load> = load): fc.Arbitrary<Scenario> =>
  fc
    .record({ deployment, workload: workload(loads), grade: fc.constantFrom('ideal', 'typical') })
    .map((drawn) => ({ ...drawn, [fc.toStringMethod]: () => summary(drawn) }));

/** A counterexample without the hundred fields that do not matter. */
function summary({ deployment: drawn, workload: asked, grade }: Scenario): string {
  const { model: drawnModel, hardware: device, engine: host, release, precision: formats, parallelism: ranks } = drawn;
  const { hiddenSize, vocabulary, layers } = drawnModel;
  const { architecture, memory, matrix, link } = device;
  return JSON.stringify({
    model: drawnModel.name === toyModel.name ? { hiddenSize, vocabulary, layers } : drawnModel.name,
    hardware: device.name === toyHardware.name ? { architecture, memory, matrix, link } : device.name,
    engine: host.kernels,
    ...release,
    precision: formats,
    parallelism: ranks,
    workload: asked,
    grade,
  });
}

/** A speed-up, from hardly any to tenfold. */
export const gain: fc.Arbitrary<number> = magnitude(1.001, 10);
