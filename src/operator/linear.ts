import type { Matrix } from '../profile/layer-matrices.ts';
import type { StoredFormat } from '../profile/precision.ts';
import { type Operator, term } from './operator.ts';

/** Activations are passed between operators in 16 bits by every engine read so far. */
export const activationBytesPerElement = 2;

/**
 * One matrix product (or several fused into one that share their input): 2 FLOPs per element and row, the weights
 * once a step, and the rows in and out.
 */
export function linear(
  name: string,
  matrices: readonly Matrix[],
  format: StoredFormat,
  activations: string,
  rows: 'tokens' | 'rows' = 'tokens',
): Operator {
  let elements = 0;
  let outputs = 0;
  for (const matrix of matrices) {
    elements += matrix.inputs * matrix.outputs * matrix.count;
    outputs += matrix.outputs * matrix.count;
  }
  const inputs = (matrices[0]?.inputs ?? 0) * (matrices[0]?.count ?? 0);
  return {
    name,
    kind: 'gemm',
    count: 1,
    weights: { ...format, activations },
    matrices,
    terms: [
      term('once', { weightBytes: (elements * format.bits) / 8 }),
      term(rows, { activationBytes: (inputs + outputs) * activationBytesPerElement }),
      term(rows === 'rows' ? 'chargedRows' : 'chargedTokens', { flops: 2 * elements }),
    ],
    inputPass: term(rows, { activationBytes: inputs * activationBytesPerElement }),
  };
}
