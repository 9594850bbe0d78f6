/** A profile that cannot be read; the message is one sentence for the person who wrote it. */
export class ProfileError extends Error {
  override readonly name: string = 'ProfileError';
}
