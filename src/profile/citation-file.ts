import type { Citation } from './citation.ts';

/** A citation as a JSON file holds it. */
export interface CitationFile {
  readonly source: string;
  readonly date?: string | undefined;
  readonly note?: string | undefined;
}

export function citationFrom({ source, date, note }: CitationFile): Citation {
  return { source, ...(date === undefined ? {} : { date }), ...(note === undefined ? {} : { note }) };
}
