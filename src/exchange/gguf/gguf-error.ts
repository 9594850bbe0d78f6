/** A GGUF file that cannot be read or understood; the message is one sentence with the file and what was expected. */
export class GgufError extends Error {
  override readonly name = 'GgufError';
}
