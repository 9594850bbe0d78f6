import type { Attention, LatentAttention } from '../../profile/model.ts';
import { activationBytesPerElement } from '../linear.ts';
import { scoreBytes } from '../attention.ts';
import type { Operator, Variable } from '../operator.ts';
import {
  type CountFormula,
  counted,
  type Formula,
  type FormulaContext,
  formula,
  type LayerShapes,
  layersOf,
  size,
} from './formula.ts';
import { headsOf, keyValueHeadsOf } from './matrix-formula.ts';

/** How FLOPs and bytes of attention (and of the selector before it) follow from heads, sizes and what is attended. */
export function attentionFormulas(
  operator: Operator,
  { whole, shard }: LayerShapes,
  context: FormulaContext,
): readonly CountFormula[] {
  const mixers = [whole.mixer, shard.mixer] as const;
  const [of, share] = mixers;
  if (of.kind !== 'attention' && of.kind !== 'latent-attention') return [];
  if (share.kind !== of.kind) return [];
  const selector = operator.name.startsWith('token selector');
  const isPrefill = operator.terms.some(({ variable }) => variable === 'prefillTokens');
  const shape = selector ? selectorShape(of) : shapeOf(of, share, isPrefill);
  return isPrefill ? prefillFormulas(operator, shape, context, selector) : decodeFormulas(operator, shape, context);
}

interface ShapeFormulas {
  readonly heads: Formula;
  /** Multiply-adds per query-key pair and head. */
  readonly pair: Formula;
  /** Elements of one cached entry. */
  readonly entry: Formula;
  /** Elements in and out per new token. */
  readonly token: Formula;
}

function shapeOf(
  of: Attention | LatentAttention,
  share: Attention | LatentAttention,
  isPrefill: boolean,
): ShapeFormulas {
  const heads = headsOf(of, share);
  if (of.kind === 'attention' && share.kind === 'attention') {
    const keyHeads = keyValueHeadsOf(of, share);
    const [key, value] = [size('key size', of.keySize), size('value size', of.valueSize)];
    const both = formula`(${key} + ${value})`;
    const entry = of.compressed === undefined ? formula`${keyHeads} * ${both}` : formula`${keyHeads} * ${key}`;
    return { heads, pair: both, entry, token: formula`(${heads} * ${both} + 2 * ${entry})` };
  }
  if (of.kind !== 'latent-attention') throw new TypeError('no latent attention');
  const [rank, nope] = [size('KV rank', of.keyValueRank), size('nope size', of.nopeSize)];
  const [rope, value] = [size('rope size', of.ropeSize), size('value size', of.valueSize)];
  const unpacked = formula`(${nope} + ${rope} + ${value})`;
  const absorbed = formula`(2 * ${rank} + ${rope})`;
  return {
    heads,
    pair: isPrefill ? unpacked : absorbed,
    entry: formula`(${rank} + ${rope})`,
    token: formula`2 * ${heads} * ${unpacked}`,
  };
}

function selectorShape({ sparse }: Attention | LatentAttention): ShapeFormulas {
  const key = size('selector key size', sparse?.headSize ?? 0);
  return { heads: size('selector heads', sparse?.heads ?? 0), pair: key, entry: key, token: size('0', 0) };
}

function prefillFormulas(
  operator: Operator,
  { heads, pair, entry, token }: ShapeFormulas,
  { amount, precision, fusedAttention }: FormulaContext,
  selector: boolean,
): readonly CountFormula[] {
  const layers = layersOf(operator);
  const pairs = size('query-key pairs', amountOf(operator, 'pairs/', amount));
  const [fresh, before] = [amount('prefillTokens'), amountOf(operator, 'prefillContext/', amount)];
  const entries = formula`(${size('new tokens', fresh)} + ${size('cached entries', before)})`;
  const passed = formula`${size('new tokens', fresh)} * ${token} * ${activationBytesPerElement}`;
  const scores = formula`${pairs} * ${heads} * ${scoreBytes}`;
  return [
    counted('flops', formula`${layers} * 2 * ${heads} * ${pair} * ${pairs}`),
    counted('keyValueBytes', formula`${layers} * ${entry} * ${entries} * ${size('bits', precision.keyValue.bits)} / 8`),
    ...(selector
      ? []
      : [
          counted(
            'activationBytes',
            fusedAttention ? formula`${layers} * ${passed}` : formula`${layers} * (${passed} + ${scores})`,
          ),
        ]),
  ];
}

function decodeFormulas(
  operator: Operator,
  { heads, pair, entry }: ShapeFormulas,
  { amount, precision }: FormulaContext,
): readonly CountFormula[] {
  const layers = layersOf(operator);
  const entries = size('cached entries', amountOf(operator, 'decodeContext/', amount));
  return [
    counted('flops', formula`${layers} * 2 * ${heads} * ${pair} * ${entries}`),
    counted('keyValueBytes', formula`${layers} * ${entry} * ${entries} * ${size('bits', precision.keyValue.bits)} / 8`),
  ];
}

function amountOf(operator: Operator, prefix: string, amount: (variable: Variable) => number): number {
  const found = operator.terms.find(({ variable }) => variable.startsWith(prefix));
  return found === undefined ? 0 : amount(found.variable);
}
