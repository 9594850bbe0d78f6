import type { ExpertGroup } from '../feed-forward.ts';
import type { Span } from '../span.ts';
import { busiestVisits, popularitySpread, visitedExperts } from '../visited-experts.ts';
import { type Formula, formula, size } from './formula.ts';

/** Query-key pairs of prompts that each get the tokens from..to: see `attendedPairs`. */
export function pairsFormula(span: Span, sequences: number, from: number, to: number): Formula {
  const before = attendedFormula(span, 'tokens before', from);
  const all = attendedFormula(span, 'tokens in all', to);
  return from === 0
    ? formula`${size('sequences', sequences)} * ${all}`
    : formula`${size('sequences', sequences)} * (${all} - ${before})`;
}

/** Pairs of all queries up to a length: half the square, and a band once the window is full. */
function attendedFormula({ window, stride, chunked }: Span, words: string, tokens: number): Formula {
  const length = size(words, tokens);
  const full = size('window', window);
  if (chunked && window < Infinity) {
    const whole = Math.floor(tokens / window);
    const rest = size('rest', tokens - whole * window);
    return formula`(${size('whole chunks', whole)} * ${full} ^ 2 + ${rest} ^ 2) / 2`;
  }
  const apart = size('tokens of an entry', stride);
  const divided = stride === 1 ? size('2', 2) : formula`2 / ${apart}`;
  if (tokens <= window * stride) return formula`${length} ^ 2 / ${divided}`;
  const ramp = stride === 1 ? full : formula`${full} * ${apart}`;
  return formula`${full} * (${length} - ${ramp} / 2)`;
}

/** KV entries from before that prompts read. */
export function cachedFormula({ window, stride }: Span, sequences: number, from: number): Formula {
  const entries = entriesFormula(stride, 'tokens before', from);
  return from / stride <= window
    ? formula`${size('sequences', sequences)} * ${entries}`
    : formula`${size('sequences', sequences)} * ${size('window', window)}`;
}

/** KV entries that a mean decode step reads: contexts first..last, the window once it is full. */
export function decodeEntriesFormula(
  { window, stride }: Span,
  sequences: number,
  first: number,
  last: number,
): Formula {
  const ramp = Math.floor(window * stride);
  const many = size('sequences', sequences);
  const [from, to] = [size('first context', first), size('last context', last)];
  const apart = stride === 1 ? { words: '', numbers: '' } : formula` / ${size('tokens of an entry', stride)}`;
  const full = size('window', window);
  if (last <= ramp) return formula`${many} * (${from} + ${to}) / 2${apart}`;
  if (first > ramp) return formula`${many} * ${full}`;
  const growing = size('growing steps', ramp - first + 1);
  const steady = size('steady steps', last - ramp);
  const end = size('last growing context', ramp);
  return formula`${many} * ((${from} + ${end}) / 2${apart} * ${growing} + ${full} * ${steady}) / (${growing} + ${steady})`;
}

/** Experts of a rank that at least one of so many tokens visits; see `visitedExperts`. */
export function visitedFormula(group: ExpertGroup, tokens: number): Formula {
  const { local, share: mean, tokenFactor, ranks } = group;
  const share = tokens === 0 ? mean : Math.min(1, busiestVisits(group, tokens) / (tokens * tokenFactor * local));
  const all =
    tokenFactor === 1 ? size('tokens', tokens) : formula`(${size('tokens', tokens)} * ${size('DP', tokenFactor)})`;
  const experts = size('experts', local);
  const where = ranks === 1 ? '' : ' on the busiest rank';
  const visits = size(`share of experts a token visits${where}`, share);
  if (tokens * tokenFactor <= 1) return formula`${experts} * ${visits} * ${all}`;
  // log(0) is no number that a sum goes on with.
  if (share === 1) return formula`${experts} * ${visits}`;
  const visited = visitedExperts(group, tokens, busiestVisits(group, tokens));
  if (visited === 1) return size('one expert', 1);
  const spread = size('spread of popularity', popularitySpread);
  return formula`${experts} * (1 - (1 - ${visits}) * (1 - ${spread} * (${all} - 1) * log(1 - ${visits})) ^ (-1 / ${spread}))`;
}

const entriesFormula = (stride: number, words: string, tokens: number): Formula =>
  stride === 1 ? size(words, tokens) : formula`${size(words, tokens)} / ${size('tokens of an entry', stride)}`;
