import type { FeedForward, LayerGroup, Mixer } from '../profile/model.ts';
import { activationBytesPerElement } from './linear.ts';
import { type Operator, term } from './operator.ts';

/**
 * What runs between the matrix products of a (sharded) layer: norms with residuals (read and write both: 4 h each),
 * rotary positions with the cache write, and the gated activation. Engines fuse these into about four kernels a layer.
 */
export function elementWiseOperator(hiddenSize: number, layer: LayerGroup): Operator {
  const blocks = Number(layer.mixer.kind !== 'none') + Number(layer.feedForward.kind !== 'none');
  const elements = 4 * hiddenSize * blocks + 2 * rotatedElements(layer.mixer) + activatedElements(layer.feedForward);
  return {
    name: 'norms, positions and activations',
    kind: 'element-wise',
    count: 2 * blocks,
    terms: [term('tokens', { activationBytes: elements * activationBytesPerElement })],
  };
}

export function rotatedElements(mixer: Mixer): number {
  switch (mixer.kind) {
    case 'attention':
      return (mixer.heads + 2 * mixer.keyValueHeads) * mixer.keySize;
    case 'latent-attention':
      return (mixer.heads + 1) * mixer.ropeSize + mixer.keyValueRank;
    case 'recurrent':
      return mixer.convolutionElements;
    case 'none':
      return 0;
  }
}

/** Gate and up in, product out; what routed experts move is counted with them. */
export function activatedElements(block: FeedForward): number {
  switch (block.kind) {
    case 'dense':
      return (block.gated ? 3 : 2) * block.width;
    case 'experts':
      return (block.gated ? 3 : 2) * (block.sharedWidth + block.denseWidth);
    case 'linear':
    case 'none':
      return 0;
  }
}
