import type { ExpertGroup } from '../../src/operator/feed-forward.ts';
import type { Operator, Term } from '../../src/operator/operator.ts';

type Counts = Partial<Record<Exclude<keyof Term, 'variable'>, number>>;

const kinds = ['flops', 'weightBytes', 'keyValueBytes', 'activationBytes', 'linkBytes'] as const;

/**
 * What operators count per token, row, sequence, pair, entry or touched expert, and once a step; zeros left out.
 * Rows that the matrix unit is charged for count as the tokens, rows and visits that they are where none is rounded up.
 */
export function counted(operators: readonly Operator[], groups: readonly ExpertGroup[] = []): Record<string, Counts> {
  const sums: Record<string, Counts> = {};
  for (const each of operators.flatMap(({ terms }) => terms)) {
    const [variable, factor] = driver(each.variable, groups);
    for (const kind of kinds) {
      if (each[kind] === 0) continue;
      const counts = (sums[variable] ??= {});
      counts[kind] = (counts[kind] ?? 0) + each[kind] * factor;
    }
  }
  return sums;
}

function driver(variable: string, groups: readonly ExpertGroup[]): readonly [string, number] {
  const [name = '', index] = variable.split('/');
  if (name === 'chargedTokens') return ['tokens', 1];
  if (name === 'chargedRows') return ['rows', 1];
  if (name !== 'chargedVisits') return [variable, 1];
  // As every rank has them in the mean.
  const { share = 0, local = 0, tokenFactor = 0 } = groups[Number(index)] ?? {};
  return ['tokens', share * local * tokenFactor];
}
