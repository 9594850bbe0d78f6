import type { Dimension } from '../quantity/dimension.ts';
import { parseQuantity } from '../quantity/parse-quantity.ts';
import { citationFrom } from './citation-file.ts';
import { deepFreeze } from './deep-freeze.ts';
import * as message from './engine-messages.ts';
import {
  type BudgetRuleFile,
  type EngineFile,
  engineSchema,
  type FormatRemarkFile,
  type PlatformFile,
  type ReleaseFile,
  type SamplerFile,
} from './engine-schema.ts';
import type {
  BudgetRule,
  Engine,
  EngineMemory,
  EngineOverhead,
  EngineRelease,
  EngineScheduling,
  FormatRemark,
  Platform,
  Sampler,
} from './engine.ts';
import { repeated } from './messages.ts';
import { ProfileError } from './profile-error.ts';
import { readJson } from './read-json.ts';

/**
 * Reads a parsed JSON profile into a frozen engine in SI units, every release complete.
 * @param where What the sentences of errors call the profile, usually its file name.
 * @throws ProfileError or QuantityError with one sentence: where, field path, value, what was expected.
 */
export function readEngine(json: unknown, where: string): Engine {
  const file = readJson(engineSchema, json, where);
  const names = [file.name, ...(file.aliases ?? [])];
  const again = names.find((name, index) => names.indexOf(name) !== index);
  if (again !== undefined) throw new ProfileError(repeated(where, 'aliases', again));
  return deepFreeze({
    name: file.name,
    title: file.title,
    aliases: [...(file.aliases ?? [])],
    kernels: file.kernels,
    ...(file.defaultWeights === undefined ? {} : { defaultWeights: file.defaultWeights }),
    ...(file.reportsTtftOf === undefined ? {} : { reportsTtftOf: file.reportsTtftOf }),
    ...(file.platforms === undefined ? {} : { platforms: file.platforms.map(platformFrom) }),
    ...(file.formats === undefined ? {} : { formats: file.formats.map(remarkFrom) }),
    releases: releasesFrom(file, where),
    sources: file.sources.map(citationFrom),
    notes: file.notes ?? '',
  });
}

const platformFrom = ({ name, architectures, through, citation }: PlatformFile): Platform => ({
  name,
  architectures: [...architectures],
  ...(through === undefined ? {} : { through }),
  citation: citationFrom(citation),
});

const remarkFrom = ({ family, except, says, citation }: FormatRemarkFile): FormatRemark => ({
  family,
  ...(except === undefined ? {} : { except: [...except] }),
  says,
  citation: citationFrom(citation),
});

function releasesFrom({ releases }: EngineFile, where: string): EngineRelease[] {
  if (releases.length === 0) throw new ProfileError(message.noReleases(where));
  const read: EngineRelease[] = [];
  for (const [index, release] of releases.entries()) {
    const path = `releases.${String(index)}`;
    const before = read.at(-1);
    if (read.some(({ version }) => version === release.version)) {
      throw new ProfileError(message.repeatedRelease(where, release.version));
    }
    if (before !== undefined && release.since <= before.since) {
      const { version, since } = release;
      throw new ProfileError(message.unorderedReleases(where, `${path}.since`, version, since, before.since));
    }
    read.push(releaseFrom(release, before, path, where));
  }
  return read;
}

function releaseFrom(file: ReleaseFile, before: EngineRelease | undefined, path: string, where: string): EngineRelease {
  const kernels = file.kernels ?? before?.kernels;
  const sampler = file.sampler === undefined ? before?.sampler : samplerFrom(file.sampler);
  return {
    version: file.version,
    since: file.since,
    ...(kernels === undefined ? {} : { kernels }),
    scheduling: schedulingFrom(file.scheduling ?? {}, before?.scheduling, `${path}.scheduling`, where),
    memory: memoryFrom(file.memory ?? {}, before?.memory, `${path}.memory`, where),
    overhead: overheadFrom(file.overhead ?? {}, before?.overhead, `${path}.overhead`, where),
    ...(sampler === undefined ? {} : { sampler }),
  };
}

const filterFrom = ({ draws, ...cost }: SamplerFile['filter']): Sampler['filter'] =>
  draws === undefined ? cost : { ...cost, draws };

const samplerFrom = ({ readsCheckpoint, draw, filter, citations }: SamplerFile): Sampler => ({
  readsCheckpoint,
  draw: { ...draw },
  filter: filterFrom(filter),
  citations: citations.map(citationFrom),
});

function schedulingFrom(
  file: NonNullable<ReleaseFile['scheduling']>,
  before: EngineScheduling | undefined,
  path: string,
  where: string,
): EngineScheduling {
  const rules = (key: 'tokenBudget' | 'maxSequences'): readonly BudgetRule[] | undefined =>
    file[key] === undefined ? before?.[key] : rulesFrom(file[key], `${path}.${key}`, where);
  const complete = completer(path, where);
  const decodesLastToken = file.decodesLastToken ?? before?.decodesLastToken;
  const passTokens = file.passTokens ?? before?.passTokens;
  const pipelineTokens = file.pipelineTokens ?? before?.pipelineTokens;
  const graphTokens = file.graphTokens ?? before?.graphTokens;
  return {
    policy: complete('policy', file.policy ?? before?.policy),
    tokenBudget: complete('tokenBudget', rules('tokenBudget')),
    maxSequences: complete('maxSequences', rules('maxSequences')),
    kvBlockTokens: complete('kvBlockTokens', file.kvBlockTokens ?? before?.kvBlockTokens),
    prefixCache: complete('prefixCache', file.prefixCache ?? before?.prefixCache),
    schedulesAhead: complete('schedulesAhead', file.schedulesAhead ?? before?.schedulesAhead),
    graphs: complete('graphs', file.graphs ?? before?.graphs),
    fusedAttention: file.fusedAttention ?? before?.fusedAttention ?? true,
    fusedKernels: file.fusedKernels ?? before?.fusedKernels ?? true,
    ...(decodesLastToken === undefined ? {} : { decodesLastToken }),
    ...(passTokens === undefined ? {} : { passTokens }),
    ...(pipelineTokens === undefined ? {} : { pipelineTokens }),
    ...(graphTokens === undefined ? {} : { graphTokens }),
  };
}

/** An empty list means that the engine sets no limit. */
function rulesFrom(files: readonly BudgetRuleFile[], path: string, where: string): BudgetRule[] {
  const read = files.map(({ memory, except, value }, index) => ({
    memory: memory === undefined ? 0 : parseQuantity(memory, 'bytes', `${where}: ${path}.${String(index)}.memory`),
    except: [...(except ?? [])],
    value,
  }));
  const last = read.at(-1);
  if (last !== undefined && (last.memory > 0 || last.except.length > 0)) {
    throw new ProfileError(message.noRuleForAll(where, path));
  }
  return read;
}

function memoryFrom(
  file: NonNullable<ReleaseFile['memory']>,
  before: EngineMemory | undefined,
  path: string,
  where: string,
): EngineMemory {
  const complete = completer(path, where);
  return {
    fraction: complete('fraction', file.fraction ?? before?.fraction),
    basis: complete('basis', file.basis ?? before?.basis),
    reserve: complete('reserve', written(file.reserve, 'bytes', `${where}: ${path}.reserve`) ?? before?.reserve),
    bytesPerLogit: complete('bytesPerLogit', file.bytesPerLogit ?? before?.bytesPerLogit),
    keyValueFollowsWeights: file.keyValueFollowsWeights ?? before?.keyValueFollowsWeights ?? false,
    reservesOutput: complete('reservesOutput', file.reservesOutput ?? before?.reservesOutput),
  };
}

function overheadFrom(
  file: NonNullable<ReleaseFile['overhead']>,
  before: EngineOverhead | undefined,
  path: string,
  where: string,
): EngineOverhead {
  const complete = completer(path, where);
  const stated = (key: Cost): number | undefined =>
    written(file[key], 'time', `${where}: ${path}.${key}`) ?? before?.[key];
  const seconds = (key: Cost): number => complete(key, stated(key));
  const citations = complete('citations', file.citations?.map(citationFrom) ?? before?.citations);
  const overhead = {
    step: seconds('step'),
    layer: seconds('layer'),
    sequence: seconds('sequence'),
    stream: stated('stream') ?? 0,
    request: seconds('request'),
    launch: seconds('launch'),
    ...above0('prefillLaunch', stated('prefillLaunch')),
    ...above0('collective', stated('collective')),
    ...above0('sampling', stated('sampling')),
    citations,
  };
  const costs = Object.values({ ...overhead, citations: 0 });
  if (costs.some((cost) => cost > 0) && citations.length === 0) {
    throw new ProfileError(message.uncitedOverhead(where, `${path}.citations`));
  }
  return overhead;
}

/** Costs that few engines have are left out where they are 0. */
const above0 = <Key extends Cost>(key: Key, seconds: number | undefined): Partial<Record<Key, number>> => {
  const costs: Partial<Record<Key, number>> = {};
  if (seconds !== undefined && seconds > 0) costs[key] = seconds;
  return costs;
};

type Cost = Exclude<keyof EngineOverhead, 'citations'>;

const written = (quantity: string | undefined, dimension: Dimension, where: string): number | undefined =>
  quantity === undefined ? undefined : parseQuantity(quantity, dimension, where);

/** Only the first release can lack a value; the others have that of the one before. */
function completer(path: string, where: string): <T>(key: string, value: T | undefined) => T {
  return (key, value) => {
    if (value === undefined) throw new ProfileError(message.incompleteFirstRelease(where, `${path}.${key}`));
    return value;
  };
}
