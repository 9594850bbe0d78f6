import * as z from 'zod/mini';
import { chartNames, isChartKind } from '../present/chart/chart-names.ts';
import type { ChartRecord } from '../present/render/chart-record.ts';
import { list, record, text } from '../profile/schema-parts.ts';

const kinds = `one of ${chartNames.map(({ name }) => name).join(', ')}`;

/** Receipts in it are read by their own schema. */
const receipt = z.record(z.string(), z.unknown(), 'a receipt');

/** What a chart's file says about itself. */
export interface ReadChartRecord {
  readonly schema: 'twoclocks/chart@1';
  readonly kind: ChartRecord['kind'];
  readonly format: ChartRecord['format'];
  readonly options: ChartRecord['options'];
  readonly receipt: Readonly<Record<string, unknown>>;
  readonly others?:
    readonly { readonly label: string; readonly receipt: Readonly<Record<string, unknown>> }[] | undefined;
}

export const chartRecordSchema: z.ZodMiniType<ReadChartRecord> = record({
  schema: z.literal('twoclocks/chart@1', "'twoclocks/chart@1'"),
  kind: z.custom<ChartRecord['kind']>((kind) => typeof kind === 'string' && isChartKind(kind), kinds),
  format: z.enum(['svg', 'png', 'json', 'html'], "'svg', 'png', 'json' or 'html'"),
  options: z.record(
    z.string(),
    z.union([text('an option', 2000), list(text('an option', 2000), 'values', 200)]),
    'options by name',
  ),
  receipt,
  others: z.optional(list(record({ label: text('a label'), receipt }), 'scenarios', 50)),
});
