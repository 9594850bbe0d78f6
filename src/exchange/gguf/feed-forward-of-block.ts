import type { Experts, FeedForward } from '../../profile/model.ts';
import { GgufError } from './gguf-error.ts';
import type { GgufTensor } from './gguf-header.ts';
import * as messages from './messages.ts';
import type { BlockContext } from './block-context.ts';
import {
  elementsOf,
  expectShape,
  inputs,
  outputs,
  type TensorShelf,
  type WeightClass,
  wholeShare,
} from './tensor-shelf.ts';

/** The feed-forward part of a layer, from the shapes of its tensors. */
export function feedForwardOfBlock(shelf: TensorShelf, context: BlockContext): FeedForward {
  const dense = denseBlock(shelf, '', 'layers', context.hiddenSize, context.where);
  if (!shelf.has('ffn_gate_inp.weight')) {
    return dense === undefined ? { kind: 'none' } : { kind: 'dense', ...dense };
  }
  return experts(shelf, context, dense);
}

interface Dense {
  readonly width: number;
  readonly gated: boolean;
}

/** `ffn_up`, `ffn_gate`, `ffn_down` with a suffix; an up matrix twice as wide holds the gate too (Phi-3, GLM-4). */
function denseBlock(
  shelf: TensorShelf,
  suffix: string,
  weightClass: WeightClass,
  hiddenSize: number,
  where: string,
): Dense | undefined {
  const down = shelf.take(`ffn_down${suffix}.weight`, weightClass);
  if (down === undefined) return undefined;
  const up = shelf.need(`ffn_up${suffix}.weight`, weightClass);
  const gate = shelf.take(`ffn_gate${suffix}.weight`, weightClass);
  const width = inputs(down);
  const fused = gate === undefined && outputs(up) === 2 * width;
  expectShape(down, [width, hiddenSize], where);
  expectShape(up, [hiddenSize, fused ? 2 * width : width], where);
  if (gate !== undefined) expectShape(gate, [hiddenSize, width], where);
  return { width, gated: fused || gate !== undefined };
}

function experts(shelf: TensorShelf, { keys, hiddenSize, where }: BlockContext, dense: Dense | undefined): Experts {
  const routed = shelf.has('ffn_down_exps.weight') ? stacked(shelf, where) : single(shelf, where);
  const count = routed.experts;
  expectShape(shelf.need('ffn_gate_inp.weight', 'other'), [hiddenSize, count], where);
  const active = keys.required('expert_used_count');
  if (active < 1 || active > count) {
    const key = `${keys.architecture}.expert_used_count`;
    throw new GgufError(messages.wrongKey(where, key, `${active}, of ${count} experts`));
  }
  const shared = denseBlock(shelf, '_shexp', 'sharedExperts', hiddenSize, where);
  for (const part of [shared, dense]) {
    if (part !== undefined && part.gated !== routed.gated) {
      const what = `gates ${routed.gated ? 'its experts but not its dense part' : 'its dense part but not its experts'}`;
      throw new GgufError(messages.unsupportedBlock(where, shelf.layer, what));
    }
  }
  const latentSize = latent(shelf, routed.inputs, hiddenSize, where);
  const biases = shelf.takeAll((name) => /^ffn_(up|gate|gate_up|down)_exps\.(bias|scale)$/u.test(name), 'other');
  for (const bias of biases) wholeShare(bias, bias.elements, count, `whole vectors for ${count} experts`, where);
  const routerBias = shelf.takeAll((name) => name === 'exp_probs_b.bias' || name === 'exp_probs_b', 'other');
  return {
    kind: 'experts',
    experts: count,
    active,
    width: routed.width,
    gated: routed.gated,
    sharedWidth: shared?.width ?? 0,
    ...(latentSize === undefined ? {} : { latentSize }),
    denseWidth: dense?.width ?? 0,
    vectorParametersPerExpert: elementsOf(biases) / count,
    ...(routerBias.length === 0 ? {} : { routerBias: true }),
  };
}

interface Routed {
  readonly experts: number;
  readonly inputs: number;
  readonly width: number;
  readonly gated: boolean;
}

/** All experts of a layer in one tensor per matrix: [inputs, outputs, experts]. */
function stacked(shelf: TensorShelf, where: string): Routed {
  const down = shelf.need('ffn_down_exps.weight', 'experts');
  const fused = shelf.take('ffn_gate_up_exps.weight', 'experts');
  const gate = shelf.take('ffn_gate_exps.weight', 'experts');
  const up = fused ?? shelf.need('ffn_up_exps.weight', 'experts');
  const [width, model, count] = [inputs(down), outputs(down), down.dimensions[2] ?? 1];
  expectShape(up, [model, fused === undefined ? width : 2 * width, count], where);
  if (gate !== undefined) expectShape(gate, [model, width, count], where);
  return { experts: count, inputs: model, width, gated: fused !== undefined || gate !== undefined };
}

/** One tensor per expert and matrix, `ffn_down.7.weight`: files from before April 2024. */
function single(shelf: TensorShelf, where: string): Routed {
  const part = (name: string): readonly GgufTensor[] =>
    shelf.takeAll((tensor) => new RegExp(`^ffn_${name}\\.\\d+\\.weight$`, 'u').test(tensor), 'experts');
  const [downs, ups, gates] = [part('down'), part('up'), part('gate')];
  const first = downs[0] ?? shelf.need('ffn_down_exps.weight', 'experts');
  const [width, model] = [inputs(first), outputs(first)];
  for (const down of downs) expectShape(down, [width, model], where);
  for (const matrix of [...ups, ...gates]) expectShape(matrix, [model, width], where);
  return { experts: downs.length, inputs: model, width, gated: gates.length > 0 };
}

/** Experts behind two projections work at another width than the model (Nemotron-3 Super). */
function latent(shelf: TensorShelf, width: number, hiddenSize: number, where: string): number | undefined {
  const down = shelf.take('ffn_latent_down.weight', 'layers');
  const up = shelf.take('ffn_latent_up.weight', 'layers');
  if (down === undefined || up === undefined) {
    if (width === hiddenSize) return undefined;
    throw new GgufError(
      messages.unsupportedBlock(where, shelf.layer, `has experts of ${width} inputs in a model of ${hiddenSize}`),
    );
  }
  expectShape(down, [hiddenSize, width], where);
  expectShape(up, [width, hiddenSize], where);
  return width;
}
