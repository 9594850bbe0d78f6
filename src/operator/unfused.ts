import type { FeedForward, LayerGroup, Mixer, Recurrent } from '../profile/model.ts';
import { activationBytesPerElement } from './linear.ts';
import { type Operator, term } from './operator.ts';

/**
 * What an engine launches beyond the fused kernels of the other operators when it runs a layer's graph node by node,
 * as ggml does (ggml-org/llama.cpp src/llama-graph.cpp at 00395eb285c7, src/models/deepseek2.cpp at 07bede6a8f32, read
 * 2026-12-02; what backends fuse again is in the measured cost of a node): products that
 * share their input one after another, rotations, cache writes and residuals alone, every further norm or bias, and
 * the routing of experts as softmax, sort, gather and sums.
 */
export function unfusedOperator(hiddenSize: number, layer: LayerGroup): Operator {
  const { products, nodes } = unfused(hiddenSize, layer);
  return {
    name: unfusedName,
    kind: 'element-wise',
    count: products + nodes,
    // A node reads the hidden state of its tokens and writes it.
    terms: [term('tokens', { activationBytes: nodes * 2 * hiddenSize * activationBytesPerElement })],
  };
}

export const unfusedName = 'graph nodes that are not fused';

/** Kernels of one layer: products that other engines run together, and nodes between products. */
export const unfused = (
  hiddenSize: number,
  layer: LayerGroup,
): { readonly products: number; readonly nodes: number } => ({
  products: splitProducts(layer.mixer) + splitFeedForward(layer.feedForward),
  nodes: mixerNodes(hiddenSize, layer) + feedForwardNodes(layer.feedForward),
});

/** Projections that other engines run as one: query, key and value; the two compressions and the value expansion of a latent. */
function splitProducts(mixer: Mixer): number {
  switch (mixer.kind) {
    case 'attention':
      return mixer.keyValue === 'own' ? 2 : 0;
    case 'latent-attention':
      return 2;
    case 'recurrent':
      return 1;
    case 'none':
      return 0;
  }
}

function mixerNodes(hiddenSize: number, { mixer, vectorParameters }: LayerGroup): number {
  switch (mixer.kind) {
    case 'attention':
      // Second rotation, two cache writes, residual.
      return 4 + vectorNodes(hiddenSize, vectorParameters);
    case 'latent-attention':
      // Second rotation, one cache write, residual, queries and keys put together from two parts each, the result copied.
      return 6 + vectorNodes(hiddenSize, vectorParameters);
    case 'recurrent':
      return recurrentNodes[mixer.variant];
    case 'none':
      return 0;
  }
}

/**
 * Convolution and its state, gates and residual; state-space layers add step sizes, decay and a gated norm, delta nets
 * also norms of query and key.
 */
const recurrentNodes: Readonly<Record<Recurrent['variant'], number>> = {
  'short-convolution': 5,
  lightning: 8,
  mamba1: 10,
  mamba2: 10,
  'gated-delta': 12,
  kda: 12,
};

/**
 * Norms and biases beyond the two norms of every layer: one node for each vector as long as the hidden state, two for
 * what is shorter (norms of query and key heads, or their biases). Layers with embeddings of their own (Gemma 3n, 4 E)
 * keep matrices there too, hence the limit: no architecture has more than eight norms.
 */
function vectorNodes(hiddenSize: number, vectorParameters: number): number {
  const vectors = Math.floor(vectorParameters / hiddenSize);
  const shorter = vectorParameters > vectors * hiddenSize ? 2 : 0;
  return Math.min(mostVectors, Math.max(0, vectors - 2)) + shorter;
}

const mostVectors = 6;

function splitFeedForward(block: FeedForward): number {
  switch (block.kind) {
    case 'dense':
      return block.gated ? 1 : 0;
    case 'experts':
      return block.gated ? Number(block.sharedWidth > 0) + Number(block.denseWidth > 0) : 0;
    case 'linear':
    case 'none':
      return 0;
  }
}

function feedForwardNodes(block: FeedForward): number {
  switch (block.kind) {
    case 'experts': {
      // Beyond the sort, gather and sums of a fused kernel: softmax, top k, its weights, their sum, its bound and quotient.
      const biases = block.vectorParametersPerExpert > 0 ? 3 : 0;
      // What runs beside the routed experts has an activation and an addition of its own.
      const beside = 2 * (Number(block.sharedWidth > 0) + Number(block.denseWidth > 0));
      return 6 + biases + beside;
    }
    case 'dense':
    case 'linear':
      // The residual.
      return 1;
    case 'none':
      return 0;
  }
}
