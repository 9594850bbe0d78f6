import * as z from 'zod/mini';
import { day, list, quantity, record, slug, text } from './schema-parts.ts';

/** A price overlay as its JSON file holds it: '30000 USD', '3.99 USD/h'. */
export interface PricesFile {
  readonly $schema?: string | undefined;
  readonly name: string;
  readonly date: string;
  readonly entries: readonly DevicePriceFile[];
  readonly notes?: string | undefined;
}

export interface DevicePriceFile {
  readonly device: string;
  readonly list?: ListPriceFile | undefined;
  readonly cloud?: readonly CloudPriceFile[] | undefined;
}

export interface ListPriceFile {
  readonly price: string;
  readonly scope: 'device' | 'machine';
  readonly basis: string;
  readonly date?: string | undefined;
  readonly source: string;
}

export interface CloudPriceFile extends ListPriceFile {
  readonly provider: string;
}

const scopes = ['device', 'machine'] as const;

const shared = {
  scope: z.enum(scopes, `one of ${scopes.join(', ')}`),
  basis: text('what the price is: launch MSRP, on demand ...'),
  date: z.optional(day()),
  source: text('the document or address', 1000),
};

/** Schema of a price overlay file. */
export const pricesSchema: z.ZodMiniType<PricesFile> = record({
  $schema: z.optional(text('the address of the schema')),
  name: slug(),
  date: day(),
  entries: list(
    record({
      device: slug(),
      list: z.optional(record({ price: quantity('money'), ...shared })),
      cloud: z.optional(
        list(
          record({ price: quantity('price'), provider: text('the name of a provider', 60), ...shared }),
          'offers',
          50,
        ),
      ),
    }),
    'entries',
    2000,
  ),
  notes: z.optional(text('notes', 6000)),
});
