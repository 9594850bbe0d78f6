import type { Attention, LatentAttention, SparseSelector } from '../profile/model.ts';
import { activationBytesPerElement } from './linear.ts';
import { type Operator, type OperatorKind, term } from './operator.ts';
import { fullSpan, mixerSpans, type Span } from './span.ts';

/** Rows of the smallest matrix-unit tile: decode pads the query heads of one KV head up to it (EFFICIENCY section 5, F16). */
const tileRows = 16;

/**
 * Bytes per score that attention without fusion moves: written in FP32, read and written by the softmax, read again.
 */
export const scoreBytes = 16;

/** Index of a span among those of the whole model. */
export type SpanIndex = (span: Span) => number;

/** Sizes that an attention kernel sees per layer and rank. */
interface Shape {
  readonly heads: number;
  /** Heads that share one stored entry. */
  readonly groups: number;
  /** Multiply-adds per pair and head, in elements: key size + value size. */
  readonly pairElements: number;
  /** Elements read and written per new token: q, k, v and the result. */
  readonly tokenElements: number;
  /** Elements of one cached entry. */
  readonly entryElements: number;
  readonly prefillKind: OperatorKind;
  readonly decodeKind: OperatorKind;
}

/** Prefill and decode attention of a (sharded) layer, for each of its spans, and the selector where it has one. */
export function attentionOperators(
  mixer: Attention | LatentAttention,
  keyValueBits: number,
  spanIndex: SpanIndex,
  fused: boolean,
): readonly Operator[] {
  const decode = mixer.kind === 'attention' ? plainShape(mixer) : latentDecodeShape(mixer);
  const prefill = mixer.kind === 'attention' ? decode : latentPrefillShape(mixer);
  const operators = mixerSpans(mixer).flatMap((span) => {
    const index = spanIndex(span);
    return [prefillOperator(prefill, keyValueBits, index, fused), decodeOperator(decode, keyValueBits, index)];
  });
  return [...operators, ...selectorOperators(mixer.sparse, keyValueBits, spanIndex)];
}

function plainShape(mixer: Attention): Shape {
  const { heads, keyValueHeads, keySize, valueSize } = mixer;
  // A cache that is both key and value (DeepSeek-V4) holds one vector per entry.
  const entry = mixer.compressed === undefined ? keySize + valueSize : keySize;
  return {
    heads,
    groups: keyValueHeads,
    pairElements: keySize + valueSize,
    tokenElements: heads * (keySize + valueSize) + 2 * keyValueHeads * entry,
    entryElements: keyValueHeads * entry,
    prefillKind: 'prefill-attention',
    decodeKind: 'decode-attention',
  };
}

/** Prefill of latent attention unpacks keys and values per head. */
function latentPrefillShape(mixer: LatentAttention): Shape {
  const { heads, nopeSize, ropeSize, valueSize } = mixer;
  return {
    ...latentDecodeShape(mixer),
    pairElements: nopeSize + ropeSize + valueSize,
    tokenElements: 2 * heads * (nopeSize + ropeSize + valueSize),
    prefillKind: 'latent-prefill',
  };
}

/** Decode of latent attention works on the latent itself (absorbed projections), shared by all heads. */
function latentDecodeShape({ heads, keyValueRank, ropeSize }: LatentAttention): Shape {
  return {
    heads,
    groups: 1,
    pairElements: 2 * keyValueRank + ropeSize,
    tokenElements: heads * (2 * keyValueRank + ropeSize),
    entryElements: keyValueRank + ropeSize,
    prefillKind: 'latent-prefill',
    decodeKind: 'latent-decode',
  };
}

function prefillOperator(shape: Shape, keyValueBits: number, index: number, fused: boolean): Operator {
  const entryBytes = (shape.entryElements * keyValueBits) / 8;
  return {
    name: 'attention (prefill)',
    kind: shape.prefillKind,
    count: 1,
    terms: [
      term(`pairs/${index}`, {
        flops: 2 * shape.heads * shape.pairElements,
        activationBytes: fused ? 0 : shape.heads * scoreBytes,
      }),
      term('prefillTokens', {
        activationBytes: shape.tokenElements * activationBytesPerElement,
        keyValueBytes: entryBytes,
      }),
      term(`prefillContext/${index}`, { keyValueBytes: entryBytes }),
    ],
  };
}

function decodeOperator(shape: Shape, keyValueBits: number, index: number): Operator {
  const queriesPerEntry = shape.heads / shape.groups;
  return {
    name: 'attention (decode)',
    kind: shape.decodeKind,
    count: 1,
    padding: (Math.ceil(queriesPerEntry / tileRows) * tileRows) / queriesPerEntry,
    queriesPerEntry,
    terms: [
      term(`decodeContext/${index}`, {
        flops: 2 * shape.heads * shape.pairElements,
        keyValueBytes: (shape.entryElements * keyValueBits) / 8,
      }),
    ],
  };
}

/** A learned selector scores every token in the context before attention reads the chosen ones. */
function selectorOperators(
  sparse: SparseSelector | undefined,
  keyValueBits: number,
  spanIndex: SpanIndex,
): readonly Operator[] {
  if (sparse === undefined || sparse.heads === 0) return [];
  const index = spanIndex(fullSpan);
  const flops = 2 * sparse.heads * sparse.headSize;
  const keyBytes = (sparse.headSize * keyValueBits) / 8;
  return [
    {
      name: 'token selector (prefill)',
      kind: 'prefill-attention',
      count: 1,
      terms: [
        term(`pairs/${index}`, { flops }),
        term(`prefillContext/${index}`, { keyValueBytes: keyBytes }),
        term('prefillTokens', { keyValueBytes: keyBytes }),
      ],
    },
    {
      name: 'token selector (decode)',
      kind: 'decode-attention',
      count: 1,
      terms: [term(`decodeContext/${index}`, { flops, keyValueBytes: keyBytes })],
    },
  ];
}
