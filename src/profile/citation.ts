/** Where a value comes from: enough for somebody else to open the same document. */
export interface Citation {
  /** Document, repository with path and commit, or address. */
  readonly source: string;
  /** Day on which the source was read or published, ISO 8601 (YYYY-MM-DD), where known. */
  readonly date?: string;
  /** What was taken from it, where it is not the whole profile. */
  readonly note?: string;
}
