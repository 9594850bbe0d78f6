import type { LayerGroup, Model } from '../../profile/model.ts';
import type { Precision } from '../../profile/precision.ts';
import type { Parallelism } from '../../profile/scenario.ts';
import type { Operator, Variable } from '../operator.ts';
import type { LogitWork } from '../sampling.ts';

/** The same sum in words and in numbers; the numbers can be calculated as they stand. */
export interface Formula {
  readonly words: string;
  readonly numbers: string;
}

/** What an operator counts, and how that follows from shapes. */
export interface CountFormula extends Formula {
  readonly count: 'flops' | 'weightBytes' | 'keyValueBytes' | 'activationBytes' | 'linkBytes';
}

/** What formulas are written from: the architecture and how far the step fills it. */
export interface FormulaContext {
  readonly model: Model;
  readonly precision: Precision;
  readonly parallelism: Parallelism;
  /** As in `modelOperators`. */
  readonly fusedAttention: boolean;
  readonly dividesKeyValue: boolean;
  readonly evenRanks: boolean;
  readonly logits: LogitWork;
  readonly amount: (variable: Variable) => number;
}

/** A layer as the model has it and as one rank does. */
export interface LayerShapes {
  readonly whole: LayerGroup;
  readonly shard: LayerGroup;
}

/** A size with its name: layers, 32. */
export const size = (words: string, value: number): Formula => ({ words, numbers: exact(value) });

/** A size that tensor ranks share, written as a division where it is one: 'heads / TP', '32 / 2'. */
export function shared(words: string, whole: number, share: number, ranks: number = whole / share): Formula {
  if (whole === share) return size(words, whole);
  return Math.abs(whole / ranks / share - 1) < 1e-12 && Number.isInteger(ranks)
    ? { words: `${words} / TP`, numbers: `${exact(whole)} / ${exact(ranks)}` }
    : size(`${words} of a rank`, share);
}

/** Joins sizes by the signs of a template, in words and in numbers alike. */
export function formula(signs: TemplateStringsArray, ...parts: readonly (Formula | number)[]): Formula {
  const text = (of: (part: Formula) => string): string =>
    signs.reduce((joined, sign, index) => {
      const part = parts[index - 1];
      return `${joined}${part === undefined ? '' : typeof part === 'number' ? exact(part) : of(part)}${sign}`;
    });
  return { words: text(({ words }) => words), numbers: text(({ numbers }) => numbers) };
}

/** Terms added up; brackets where there are several. */
export function sum(terms: readonly Formula[]): Formula {
  const [first] = terms;
  if (first === undefined) return size('0', 0);
  if (terms.length === 1) return first;
  return {
    words: `(${terms.map(({ words }) => words).join(' + ')})`,
    numbers: `(${terms.map(({ numbers }) => numbers).join(' + ')})`,
  };
}

export const counted = (count: CountFormula['count'], { words, numbers }: Formula): CountFormula => ({
  count,
  words,
  numbers,
});

/** Layers that run an operator, `perLayer` launches each. */
export const layersOf = (operator: Operator, perLayer = 1): Formula => size('layers', operator.count / perLayer);

/** All digits that a double holds for certain. */
const exact = (value: number): string => String(Number(value.toPrecision(15)));
