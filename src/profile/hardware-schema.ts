import * as z from 'zod/mini';
import { matrixFormats, type MatrixFormat } from '../quantity/matrix-format.ts';
import type { CitationFile } from './citation-file.ts';
import type { LinkTopology } from './hardware.ts';
import { citation, count, list, quantity, record, slug, text } from './schema-parts.ts';

/** A hardware profile as its JSON file holds it: quantities as people write them ('3.35 TB/s', '80 GiB', '700 W'). */
export interface HardwareFile {
  readonly $schema?: string | undefined;
  readonly name: string;
  readonly title: string;
  readonly aliases?: readonly string[] | undefined;
  readonly vendor: string;
  readonly architecture: string;
  readonly released: number;
  readonly formFactor: string;
  readonly memory: {
    readonly capacity: string;
    /** What the driver reports. */
    readonly reported?: string | undefined;
    readonly bandwidth: string;
    readonly kind: string;
    readonly unified?: boolean | undefined;
  };
  /** Dense peaks with wide accumulation. */
  readonly matrix: Readonly<Partial<Record<MatrixFormat, string | undefined>>>;
  readonly matrixFp16Accumulate?: { readonly fp16?: string | undefined; readonly fp8?: string | undefined } | undefined;
  readonly vectorFp32?: string | undefined;
  /** `bandwidth` per direction and device; it and `domain` are left out where the topology is `none`. */
  readonly link: {
    readonly kind: string;
    readonly topology: LinkTopology;
    readonly bandwidth?: string | undefined;
    readonly domain?: number | undefined;
  };
  /** `bandwidth` per direction; left out where the kind is `none` or `unknown`. */
  readonly host: { readonly kind: string; readonly bandwidth?: string | undefined };
  readonly network?: { readonly bandwidth: string } | undefined;
  readonly power?: { readonly limit?: string | undefined } | undefined;
  readonly units: {
    readonly kind: string;
    readonly count?: number | undefined;
    readonly boostClock?: string | undefined;
  };
  readonly cache?: { readonly lastLevel?: string | undefined } | undefined;
  readonly confidence: 'high' | 'medium' | 'low';
  readonly uncited?: readonly string[] | undefined;
  readonly sources: readonly CitationFile[];
  /** Lint rules whose finding was looked at and is right as it is; the reason stands in `notes`. */
  readonly acknowledged?: readonly string[] | undefined;
  readonly notes?: string | undefined;
}

const topologies = ['switch', 'mesh', 'torus', 'bridge', 'none'] as const;
const confidences = ['high', 'medium', 'low'] as const;

/** Fields that `uncited` may name. */
const hardwareFields: readonly string[] = [
  'released',
  'formFactor',
  'memory.capacity',
  'memory.reported',
  'memory.bandwidth',
  'memory.kind',
  ...matrixFormats.map((format) => `matrix.${format}`),
  'matrixFp16Accumulate.fp16',
  'matrixFp16Accumulate.fp8',
  'vectorFp32',
  'link.kind',
  'link.bandwidth',
  'link.domain',
  'host.kind',
  'host.bandwidth',
  'network.bandwidth',
  'power.limit',
  'units.count',
  'units.boostClock',
  'cache.lastLevel',
];

const peak = (): z.ZodMiniOptional<z.ZodMiniType<string>> => z.optional(quantity('flop-rate'));

/** Schema of a hardware profile file. */
export const hardwareSchema: z.ZodMiniType<HardwareFile> = record({
  $schema: z.optional(text('the address of the schema')),
  name: slug(),
  title: text('a title'),
  aliases: z.optional(list(slug(), 'names', 50)),
  vendor: text('the name of the vendor', 60),
  architecture: slug(),
  released: count(1990, 2100),
  formFactor: text('a form factor such as SXM5 or PCIe', 60),
  memory: record({
    capacity: quantity('bytes'),
    reported: z.optional(quantity('bytes')),
    bandwidth: quantity('bandwidth'),
    kind: text('a kind of memory such as HBM3', 60),
    unified: z.optional(z.boolean('true or false')),
  }),
  matrix: record({
    fp32: peak(),
    tf32: peak(),
    fp16: peak(),
    bf16: peak(),
    fp8: peak(),
    int8: peak(),
    fp6: peak(),
    fp4: peak(),
    int4: peak(),
  } satisfies Record<MatrixFormat, unknown>),
  matrixFp16Accumulate: z.optional(record({ fp16: peak(), fp8: peak() })),
  vectorFp32: z.optional(quantity('flop-rate')),
  link: record({
    kind: text('a kind of link such as NVLink 4, or none', 60),
    topology: z.enum(topologies, `one of ${topologies.join(', ')}`),
    bandwidth: z.optional(quantity('bandwidth')),
    domain: z.optional(count(2, 100_000)),
  }),
  host: record({
    kind: text('a kind of link such as PCIe 5.0 x16, or none', 60),
    bandwidth: z.optional(quantity('bandwidth')),
  }),
  network: z.optional(record({ bandwidth: quantity('bandwidth') })),
  power: z.optional(record({ limit: z.optional(quantity('power')) })),
  units: record({
    kind: text('what is counted: SM, CU, core ...', 60),
    count: z.optional(count(1, 10_000_000)),
    boostClock: z.optional(quantity('frequency')),
  }),
  cache: z.optional(record({ lastLevel: z.optional(quantity('bytes')) })),
  confidence: z.enum(confidences, `one of ${confidences.join(', ')}`),
  uncited: z.optional(list(z.enum(hardwareFields), 'field paths', 50)),
  sources: list(citation(), 'citations', 100),
  acknowledged: z.optional(list(slug(), 'names of lint rules', 20)),
  notes: z.optional(text('notes', 6000)),
});
