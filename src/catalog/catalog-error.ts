/** A name that leads to no profile, or a catalog that cannot be read; the message is one sentence for people. */
export class CatalogError extends Error {
  override readonly name = 'CatalogError';
}
