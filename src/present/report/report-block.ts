import type { Table } from '../estimate-rows.ts';

/** A piece of a report, without any markup: text from outside is escaped by whoever writes it out. */
export type ReportBlock =
  | { readonly kind: 'heading'; readonly level: 1 | 2 | 3; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'question'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'table'; readonly table: Table }
  | { readonly kind: 'chart'; readonly chart: string; readonly words: string; readonly svg: string }
  | { readonly kind: 'lines'; readonly summary: string; readonly lines: readonly string[] };
