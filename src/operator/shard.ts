import type { FeedForward, LayerGroup, Mixer } from '../profile/model.ts';
import type { Parallelism } from '../profile/scenario.ts';

/** Ranks among which the width of each expert is split, once experts themselves are spread. */
export const expertTensorRanks = (parallelism: Parallelism): number =>
  parallelism.expert > 1 ? (parallelism.tensor * parallelism.data) / parallelism.expert : parallelism.tensor;

/**
 * One rank's share of a layer under tensor and expert parallelism. Heads and widths are divided; what works on ranks
 * or the whole hidden size (latent compressions, routers, norms) stays whole on each rank; a rank keeps at least one
 * KV head, so KV is replicated once there are more ranks than KV heads (`dividesKeyValue`: it is divided all the same,
 * by sequence or context, as a lower bound has to allow).
 */
export function shardLayer(layer: LayerGroup, parallelism: Parallelism, dividesKeyValue = false): LayerGroup {
  return {
    ...layer,
    mixer: shardMixer(layer.mixer, parallelism.tensor, dividesKeyValue ? 0 : 1),
    feedForward: shardFeedForward(layer.feedForward, parallelism),
  };
}

function shardMixer(mixer: Mixer, ranks: number, leastHeads: number): Mixer {
  switch (mixer.kind) {
    case 'attention':
      return {
        ...mixer,
        heads: mixer.heads / ranks,
        keyValueHeads: Math.max(leastHeads, mixer.keyValueHeads / ranks),
        ...(mixer.compressed === undefined
          ? {}
          : { compressed: { ...mixer.compressed, outputGroups: Math.max(1, mixer.compressed.outputGroups / ranks) } }),
      };
    case 'latent-attention':
      return { ...mixer, heads: mixer.heads / ranks };
    case 'recurrent':
      return {
        ...mixer,
        matrixParameters: mixer.matrixParameters / ranks,
        stateElements: mixer.stateElements / ranks,
        convolutionElements: mixer.convolutionElements / ranks,
        recurrenceFlops: mixer.recurrenceFlops / ranks,
      };
    case 'none':
      return mixer;
  }
}

function shardFeedForward(block: FeedForward, parallelism: Parallelism): FeedForward {
  switch (block.kind) {
    case 'dense':
      return { ...block, width: block.width / parallelism.tensor };
    case 'experts':
      return {
        ...block,
        width: block.width / expertTensorRanks(parallelism),
        sharedWidth: block.sharedWidth / parallelism.tensor,
        denseWidth: block.denseWidth / parallelism.tensor,
      };
    case 'linear':
    case 'none':
      return block;
  }
}
