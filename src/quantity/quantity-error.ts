/** A quantity or expression that cannot be what its place wants; the message is one sentence for the person who wrote it. */
export class QuantityError extends Error {
  override readonly name = 'QuantityError';
}
