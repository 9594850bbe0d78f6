import * as z from 'zod/mini';
import { type FormatFamily, formatFamilies } from '../quantity/format-family.ts';
import type { CitationFile } from './citation-file.ts';
import type { Engine, EngineMemory, EngineScheduling, SamplerCost } from './engine.ts';
import { citation, count, day, list, quantity, record, slug, text } from './schema-parts.ts';

/** An engine profile as its JSON file holds it: quantities as people write them, releases as changes to the one before. */
export interface EngineFile {
  readonly $schema?: string | undefined;
  readonly name: string;
  readonly title: string;
  readonly aliases?: readonly string[] | undefined;
  readonly kernels: string;
  readonly defaultWeights?: string | undefined;
  readonly reportsTtftOf?: Engine['reportsTtftOf'] | undefined;
  readonly platforms?: readonly PlatformFile[] | undefined;
  readonly formats?: readonly FormatRemarkFile[] | undefined;
  /** Oldest first. The first is complete; a later one states what differs from the release before it. */
  readonly releases: readonly ReleaseFile[];
  readonly sources: readonly CitationFile[];
  readonly notes?: string | undefined;
}

export interface PlatformFile {
  readonly name: string;
  readonly architectures: readonly string[];
  readonly through?: string | undefined;
  readonly citation: CitationFile;
}

export interface FormatRemarkFile {
  readonly family: FormatFamily;
  readonly except?: readonly string[] | undefined;
  readonly says: string;
  readonly citation: CitationFile;
}

export interface ReleaseFile {
  readonly version: string;
  readonly since: string;
  readonly kernels?: string | undefined;
  readonly scheduling?: SchedulingFile | undefined;
  readonly memory?: MemoryFile | undefined;
  readonly overhead?: OverheadFile | undefined;
  readonly sampler?: SamplerFile | undefined;
}

export interface SchedulingFile {
  readonly policy?: EngineScheduling['policy'] | undefined;
  readonly tokenBudget?: readonly BudgetRuleFile[] | undefined;
  readonly maxSequences?: readonly BudgetRuleFile[] | undefined;
  readonly kvBlockTokens?: number | undefined;
  readonly prefixCache?: boolean | undefined;
  readonly schedulesAhead?: boolean | undefined;
  readonly graphs?: boolean | undefined;
  readonly fusedAttention?: boolean | undefined;
  readonly fusedKernels?: boolean | undefined;
  readonly decodesLastToken?: boolean | undefined;
  readonly passTokens?: number | undefined;
  readonly pipelineTokens?: number | undefined;
  readonly graphTokens?: number | undefined;
}

/** Holds for devices with at least `memory`, 0 where left out, that are not of an `except` architecture. */
export interface BudgetRuleFile {
  readonly memory?: string | undefined;
  readonly except?: readonly string[] | undefined;
  readonly value: number;
}

export interface MemoryFile {
  readonly fraction?: number | undefined;
  readonly basis?: EngineMemory['basis'] | undefined;
  readonly reserve?: string | undefined;
  readonly bytesPerLogit?: number | undefined;
  readonly keyValueFollowsWeights?: boolean | undefined;
  readonly reservesOutput?: boolean | undefined;
}

export interface OverheadFile {
  readonly step?: string | undefined;
  readonly layer?: string | undefined;
  readonly sequence?: string | undefined;
  readonly stream?: string | undefined;
  readonly request?: string | undefined;
  readonly launch?: string | undefined;
  readonly prefillLaunch?: string | undefined;
  readonly collective?: string | undefined;
  readonly sampling?: string | undefined;
  readonly citations?: readonly CitationFile[] | undefined;
}

/** Whole where it is written: a release without it has that of the one before. */
export interface SamplerFile {
  readonly readsCheckpoint: boolean;
  readonly draw: SamplerCost;
  readonly filter: SamplerCost & { readonly draws?: boolean | undefined };
  readonly citations: readonly CitationFile[];
}

const policies = ['mixed', 'prefill-first', 'static'] as const;
const bases = ['total', 'free-after-weights'] as const;

const flag = (): z.ZodMiniOptional<z.ZodMiniType<boolean>> => z.optional(z.boolean('true or false'));
const time = (): z.ZodMiniOptional<z.ZodMiniType<string>> => z.optional(quantity('time'));

const rules = (): z.ZodMiniOptional<z.ZodMiniType<BudgetRuleFile[]>> =>
  z.optional(
    list(
      record({
        memory: z.optional(quantity('bytes')),
        except: z.optional(list(slug(), 'device architectures', 20)),
        value: count(1, 10_000_000),
      }),
      'rules',
      20,
    ),
  );

const samplerBytes = 'bytes from 0 to 100000';
const samplerCost = {
  bytesPerLogit: z.number(samplerBytes).check(z.gte(0, samplerBytes), z.lte(100_000, samplerBytes)),
  kernels: count(0, 10_000),
};

const share = 'a share above 0 and up to 1';
const logitBytes = 'bytes from 0 to 1000';

const release: z.ZodMiniType<ReleaseFile> = record({
  version: text('a version such as 0.9.0', 40),
  since: day(),
  kernels: z.optional(slug()),
  scheduling: z.optional(
    record({
      policy: z.optional(z.enum(policies, `one of ${policies.join(', ')}`)),
      tokenBudget: rules(),
      maxSequences: rules(),
      kvBlockTokens: z.optional(count(1, 1_000_000)),
      prefixCache: flag(),
      schedulesAhead: flag(),
      graphs: flag(),
      fusedAttention: flag(),
      fusedKernels: flag(),
      decodesLastToken: flag(),
      passTokens: z.optional(count(1, 10_000_000)),
      pipelineTokens: z.optional(count(1, 10_000_000)),
      graphTokens: z.optional(count(1, 10_000_000)),
    }),
  ),
  memory: z.optional(
    record({
      fraction: z.optional(z.number(share).check(z.gt(0, share), z.lte(1, share))),
      basis: z.optional(z.enum(bases, `one of ${bases.join(', ')}`)),
      reserve: z.optional(quantity('bytes')),
      bytesPerLogit: z.optional(z.number(logitBytes).check(z.gte(0, logitBytes), z.lte(1000, logitBytes))),
      keyValueFollowsWeights: flag(),
      reservesOutput: flag(),
    }),
  ),
  overhead: z.optional(
    record({
      step: time(),
      layer: time(),
      sequence: time(),
      stream: time(),
      request: time(),
      launch: time(),
      prefillLaunch: time(),
      collective: time(),
      sampling: time(),
      citations: z.optional(list(citation(), 'citations', 50)),
    }),
  ),
  sampler: z.optional(
    record({
      readsCheckpoint: z.boolean('true or false'),
      draw: record(samplerCost),
      filter: record({ ...samplerCost, draws: flag() }),
      citations: list(citation(), 'citations', 50),
    }),
  ),
});

/** Schema of an engine profile file. */
export const engineSchema: z.ZodMiniType<EngineFile> = record({
  $schema: z.optional(text('the address of the schema')),
  name: slug(),
  title: text('a title'),
  aliases: z.optional(list(slug(), 'names', 50)),
  kernels: slug(),
  defaultWeights: z.optional(slug()),
  reportsTtftOf: z.optional(z.enum(['one-request'], 'one-request')),
  platforms: z.optional(
    list(
      record({
        name: text('what the devices are called', 80),
        architectures: list(slug(), 'device architectures', 40),
        through: z.optional(text('a plug-in, fork or backend', 80)),
        citation: citation(),
      }),
      'platforms',
      40,
    ),
  ),
  formats: z.optional(
    list(
      record({
        family: z.enum(formatFamilies, `one of ${formatFamilies.join(', ')}`),
        except: z.optional(list(slug(), 'number formats', 40)),
        says: text('what the engine does with them', 300),
        citation: citation(),
      }),
      'remarks on formats',
      20,
    ),
  ),
  releases: list(release, 'releases', 100),
  sources: list(citation(), 'citations', 100),
  notes: z.optional(text('notes', 6000)),
});
