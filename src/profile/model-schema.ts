import * as z from 'zod/mini';
import type { CitationFile } from './citation-file.ts';
import type {
  Attention,
  Checkpoint,
  CompressedAttention,
  LatentAttention,
  Recurrent,
  SparseSelector,
} from './model.ts';
import { citation, count, list, record, slug, text } from './schema-parts.ts';

/** A model profile as its JSON file holds it: kinds of layers by name, their order, and defaults left out. */
export interface ModelFile {
  readonly $schema?: string | undefined;
  readonly name: string;
  readonly title: string;
  readonly aliases?: readonly string[] | undefined;
  readonly family: string;
  readonly hiddenSize: number;
  readonly vocabulary: number;
  readonly contextLimit?: number | undefined;
  readonly embedding: {
    readonly tied: boolean;
    readonly lookupParameters?: number | undefined;
    readonly projectionParameters?: number | undefined;
  };
  readonly layers: Readonly<Record<string, LayerFile>>;
  /** `3 dense, 58 sparse`: see `parseLayerOrder`. */
  readonly order: string;
  readonly vectorParameters: number;
  readonly extras?:
    { readonly mtpParameters?: number | undefined; readonly towerParameters?: number | undefined } | undefined;
  readonly checkpoint: Optional<Checkpoint>;
  readonly fp8Checkpoint?: string | undefined;
  readonly generation?:
    | {
        readonly topP?: number | undefined;
        readonly topK?: number | undefined;
        readonly citation: CitationFile;
      }
    | undefined;
  readonly published?:
    | {
        readonly total?: number | undefined;
        readonly active?: number | undefined;
        readonly tolerance: 'exact' | number;
        readonly scope: string;
        readonly citation: CitationFile;
      }
    | undefined;
  readonly sources: readonly CitationFile[];
  readonly notes?: string | undefined;
}

export interface LayerFile {
  readonly mixer: MixerFile;
  readonly feedForward: FeedForwardFile;
  readonly vectorParameters: number;
  readonly parallelBlocks?: boolean | undefined;
}

export type MixerFile =
  | AttentionFile
  | Optional<LatentAttention>
  | Recurrent
  /** No token mixer. */
  | { readonly kind: 'none' };

/** Left out: `valueSize` equal to `keySize`; `chunked`, `gated` false; `keyValue` own. */
export interface AttentionFile extends Optional<
  Pick<Attention, 'kind' | 'heads' | 'keyValueHeads' | 'keySize' | 'window'>
> {
  readonly valueSize?: number | undefined;
  readonly chunked?: boolean | undefined;
  readonly gated?: boolean | undefined;
  readonly keyValue?: Attention['keyValue'] | undefined;
  readonly sparse?: SparseSelector | undefined;
  readonly compressed?: CompressedAttention | undefined;
}

/** Left out: `gated` true; widths and vectors of 0; `routerBias` false. */
export type FeedForwardFile =
  | { readonly kind: 'dense'; readonly width: number; readonly gated?: boolean | undefined }
  | {
      readonly kind: 'experts';
      readonly experts: number;
      readonly active: number;
      readonly width: number;
      readonly gated?: boolean | undefined;
      readonly sharedWidth?: number | undefined;
      readonly latentSize?: number | undefined;
      readonly denseWidth?: number | undefined;
      readonly vectorParametersPerExpert?: number | undefined;
      readonly routerBias?: boolean | undefined;
    }
  | { readonly kind: 'linear' }
  | { readonly kind: 'none' };

type Optional<T> = { readonly [K in keyof T]: undefined extends T[K] ? T[K] | undefined : T[K] };

/** More than any width, count or number of parameters of a published model part. */
const most = 1e13;

const size = (): z.ZodMiniType<number> => count(1, most);
const amount = (): z.ZodMiniType<number> => count(0, most);
const flag = (): z.ZodMiniType<boolean> => z.boolean('true or false');
const format = (): z.ZodMiniType<string> => text('the name of a number format');

const sparse = record({ topTokens: size(), heads: amount(), headSize: size() });

const attention = record({
  kind: z.literal('attention'),
  heads: size(),
  keyValueHeads: size(),
  keySize: size(),
  valueSize: z.optional(size()),
  window: z.optional(size()),
  chunked: z.optional(flag()),
  gated: z.optional(flag()),
  keyValue: z.optional(z.enum(['own', 'key-is-value', 'shared'], "'own', 'key-is-value' or 'shared'")),
  sparse: z.optional(sparse),
  compressed: z.optional(
    record({
      queryRank: size(),
      outputRank: size(),
      outputGroups: size(),
      tokensPerEntry: amount(),
      localWindow: size(),
      auxiliaryParameters: amount(),
    }),
  ),
});

const latentAttention = record({
  kind: z.literal('latent-attention'),
  heads: size(),
  queryRank: z.optional(size()),
  keyValueRank: size(),
  nopeSize: size(),
  ropeSize: size(),
  valueSize: size(),
  sparse: z.optional(sparse),
});

const variants = ['mamba1', 'mamba2', 'gated-delta', 'lightning', 'kda', 'short-convolution'] as const;

const recurrent = record({
  kind: z.literal('recurrent'),
  variant: z.enum(variants, `one of ${variants.join(', ')}`),
  matrixParameters: size(),
  stateElements: amount(),
  convolutionElements: amount(),
  recurrenceFlops: amount(),
});

const none = record({ kind: z.literal('none') });

const mixer = z.discriminatedUnion(
  'kind',
  [attention, latentAttention, recurrent, none],
  "'attention', 'latent-attention', 'recurrent' or 'none'",
);

const feedForward = z.discriminatedUnion(
  'kind',
  [
    record({ kind: z.literal('dense'), width: size(), gated: z.optional(flag()) }),
    record({
      kind: z.literal('experts'),
      experts: size(),
      active: size(),
      width: size(),
      gated: z.optional(flag()),
      sharedWidth: z.optional(amount()),
      latentSize: z.optional(size()),
      denseWidth: z.optional(amount()),
      vectorParametersPerExpert: z.optional(amount()),
      routerBias: z.optional(flag()),
    }),
    record({ kind: z.literal('linear') }),
    none,
  ],
  "'dense', 'experts', 'linear' or 'none'",
);

const layer = record({
  mixer,
  feedForward,
  vectorParameters: amount(),
  parallelBlocks: z.optional(flag()),
});

const checkpoint = record({
  layers: format(),
  attention: z.optional(format()),
  experts: z.optional(format()),
  sharedExperts: z.optional(format()),
  embedding: z.optional(format()),
  head: z.optional(format()),
  activations: z.optional(format()),
  keyValue: z.optional(format()),
});

const tolerance = "'exact' or a fraction above 0 and up to 0.1";
const scope = "a scope such as 'lm' or 'lm+mtp'";

const probability = 'a share above 0 and up to 1';

const published = record({
  total: z.optional(size()),
  active: z.optional(size()),
  tolerance: z.union(
    [z.literal('exact'), z.number(tolerance).check(z.gt(0, tolerance), z.lte(0.1, tolerance))],
    tolerance,
  ),
  scope: z.string(scope).check(z.regex(/^lm(\+(mtp|mtpnd|vision|head|noebias))*$/, scope)),
  citation: citation(),
});

/** Schema of a model profile file; issues carry what was expected as their message. */
export const modelSchema: z.ZodMiniType<ModelFile> = record({
  $schema: z.optional(text('the address of the schema')),
  name: slug(),
  title: text('a title'),
  aliases: z.optional(list(slug(), 'names', 60)),
  family: text('the model type of the configuration file'),
  hiddenSize: size(),
  vocabulary: size(),
  contextLimit: z.optional(size()),
  embedding: record({
    tied: flag(),
    lookupParameters: z.optional(amount()),
    projectionParameters: z.optional(amount()),
  }),
  layers: z.record(z.string(), layer, 'kinds of layers by name'),
  order: text("an order of layer kinds such as '3 dense, 58 sparse'", 4000),
  vectorParameters: amount(),
  extras: z.optional(record({ mtpParameters: z.optional(amount()), towerParameters: z.optional(amount()) })),
  checkpoint,
  fp8Checkpoint: z.optional(format()),
  generation: z.optional(
    record({
      topP: z.optional(z.number(probability).check(z.gt(0, probability), z.lte(1, probability))),
      topK: z.optional(count(0, 10_000_000)),
      citation: citation(),
    }),
  ),
  published: z.optional(published),
  sources: list(citation(), 'citations', 20),
  notes: z.optional(text('notes', 4000)),
});
