import { formatQuantity } from '../quantity/format-quantity.ts';
import type { BudgetRuleFile, EngineFile, ReleaseFile } from './engine-schema.ts';
import type { BudgetRule, Engine, EngineRelease } from './engine.ts';

/**
 * An engine as the object of its profile file, every release written out whole: quantities read back to exactly the
 * same numbers, `readEngine(engineToFile(engine))` is `engine`.
 */
export function engineToFile(engine: Engine): EngineFile {
  return {
    name: engine.name,
    title: engine.title,
    ...(engine.aliases.length === 0 ? {} : { aliases: engine.aliases }),
    kernels: engine.kernels,
    ...(engine.defaultWeights === undefined ? {} : { defaultWeights: engine.defaultWeights }),
    ...(engine.reportsTtftOf === undefined ? {} : { reportsTtftOf: engine.reportsTtftOf }),
    ...(engine.platforms === undefined ? {} : { platforms: engine.platforms }),
    ...(engine.formats === undefined ? {} : { formats: engine.formats }),
    releases: engine.releases.map(releaseFile),
    sources: engine.sources,
    ...(engine.notes === '' ? {} : { notes: engine.notes }),
  };
}

function releaseFile({ version, since, kernels, scheduling, memory, overhead, sampler }: EngineRelease): ReleaseFile {
  const {
    step,
    layer,
    sequence,
    stream,
    request,
    launch,
    prefillLaunch = 0,
    collective = 0,
    sampling = 0,
    citations,
  } = overhead;
  return {
    version,
    since,
    ...(kernels === undefined ? {} : { kernels }),
    scheduling: {
      ...scheduling,
      tokenBudget: scheduling.tokenBudget.map(ruleFile),
      maxSequences: scheduling.maxSequences.map(ruleFile),
    },
    memory: { ...memory, reserve: formatQuantity(memory.reserve, 'bytes') },
    overhead: {
      step: formatQuantity(step, 'time'),
      layer: formatQuantity(layer, 'time'),
      sequence: formatQuantity(sequence, 'time'),
      stream: formatQuantity(stream, 'time'),
      request: formatQuantity(request, 'time'),
      launch: formatQuantity(launch, 'time'),
      // Written where they are 0 too: a release takes what it does not state from the one before.
      prefillLaunch: formatQuantity(prefillLaunch, 'time'),
      collective: formatQuantity(collective, 'time'),
      sampling: formatQuantity(sampling, 'time'),
      citations,
    },
    ...(sampler === undefined ? {} : { sampler }),
  };
}

const ruleFile = ({ memory, except, value }: BudgetRule): BudgetRuleFile => ({
  ...(memory === 0 ? {} : { memory: formatQuantity(memory, 'bytes') }),
  ...(except.length === 0 ? {} : { except }),
  value,
});
