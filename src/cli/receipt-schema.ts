import * as z from 'zod/mini';
import type { Receipt } from '../present/receipt.ts';
import { calibrationSchema } from '../profile/read-calibration.ts';
import { samplings } from '../profile/sampling.ts';
import { routers } from '../profile/scenario.ts';
import { count, record, slug, text } from '../profile/schema-parts.ts';

const most = 1e12;
const share = 'a share above 0 and up to 1';
const format = (): z.ZodMiniOptional<z.ZodMiniType<string>> => z.optional(text('the name of a number format'));

const profile = {
  name: slug(),
  hash: z.string('16 hexadecimal digits').check(z.regex(/^[0-9a-f]{16}$/, '16 hexadecimal digits')),
  profile: z.optional(z.record(z.string(), z.unknown(), 'an object')),
};

const asked = record({
  version: text('a version'),
  beyond: z.optional(z.enum(['newer', 'older'], "'newer' or 'older'")),
});

const load = z.discriminatedUnion(
  'kind',
  [
    record({ kind: z.literal('batch'), size: count(1, most) }),
    record({ kind: z.literal('concurrency'), size: count(1, most) }),
    record({ kind: z.literal('rate'), requestsPerSecond: z.number('requests per second') }),
  ],
  "'batch', 'concurrency' or 'rate'",
);

const probability = 'a share between 0 and 1';
const rate = 'bytes per second above 0';
const links = "'own', 'host', 'network' or an object with name and bandwidth";

const speculation = record({
  method: z.enum(['eagle', 'mtp', 'draft', 'ngram'], "'eagle', 'mtp', 'draft' or 'ngram'"),
  tokens: count(1, 1_000_000),
  acceptance: z.number(probability).check(z.gte(0, probability), z.lte(1, probability)),
  cost: z.optional(z.number('a number of at least 0').check(z.gte(0, 'a number of at least 0'))),
  draft: z.optional(record(profile)),
});

const disaggregation = record({
  prefill: count(1, 1_000_000),
  decode: count(1, 1_000_000),
  link: z.union(
    [
      z.enum(['own', 'host', 'network'], links),
      record({ name: text('a name'), bandwidth: z.number(rate).check(z.gt(0, rate)) }),
    ],
    links,
  ),
});

const ranks = (): z.ZodMiniType<number> => count(1, 1_000_000);
const part = (): z.ZodMiniOptional<z.ZodMiniType<number>> =>
  z.optional(z.number(share).check(z.gt(0, share), z.lte(1, share)));

/** Schema of a receipt; profiles in it are read by the readers of their kind. */
export const receiptSchema: z.ZodMiniType<ReadReceipt> = record({
  schema: z.literal('twoclocks/receipt@1', "'twoclocks/receipt@1'"),
  tool: text('a version'),
  scenario: record({
    model: record(profile),
    hardware: record(profile),
    engine: record({ ...profile, release: text('a version'), asked: z.optional(asked) }),
    precision: record({ weights: format(), activations: format(), keyValue: format() }),
    parallelism: record({ tensor: ranks(), pipeline: ranks(), data: ranks(), expert: ranks(), replicas: ranks() }),
    speculation: z.optional(speculation),
    disaggregation: z.optional(disaggregation),
    router: z.optional(z.enum(routers, 'a router')),
    sampling: z.optional(z.enum(samplings, 'a way to choose tokens')),
    workload: record({ prompt: count(0, most), output: count(0, most), cached: count(0, most), load }),
    grade: z.enum(['ideal', 'typical', 'calibrated'], "'ideal', 'typical' or 'calibrated'"),
    utilisation: z.optional(record({ compute: part(), memory: part() })),
    calibration: z.optional(calibrationSchema),
  }),
  figures: z.record(z.string(), z.nullable(z.number('a number or null')), 'figures by name'),
});

/** A receipt as JSON holds it. */
export type ReadReceipt = Undefinable<Receipt>;

/** What may be absent may also be undefined, as schemas give it. */
type Undefinable<T> = T extends readonly unknown[] | string | number | null
  ? T
  : { readonly [K in keyof T]: undefined extends T[K] ? Undefinable<T[K]> | undefined : Undefinable<T[K]> };
