import type { Receipt } from '../receipt.ts';
import type { ChartKind } from '../chart/chart-names.ts';

export type ChartFormat = 'svg' | 'png' | 'json' | 'html';

/** How a chart came about; travels in the file, so that it can be drawn again to the byte. See docs/formats.md. */
export interface ChartRecord {
  readonly schema: 'twoclocks/chart@1';
  readonly kind: ChartKind;
  readonly format: ChartFormat;
  /** Options of the chart as they were typed, those of the scenario apart. */
  readonly options: Readonly<Record<string, string | readonly string[]>>;
  readonly receipt: Receipt;
  /** Scenarios that the first is compared with. */
  readonly others?: readonly { readonly label: string; readonly receipt: Receipt }[];
}

/** Name of the element, chunk and key under which a record lies. */
export const recordName = 'twoclocks';
