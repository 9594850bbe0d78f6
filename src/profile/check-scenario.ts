import { numberFormat } from '../quantity/number-format.ts';
import type { Hardware } from './hardware.ts';
import type { Model } from './model.ts';
import { samplings } from './sampling.ts';
import {
  type Deployment,
  type Disaggregation,
  type Parallelism,
  routers,
  type Scenario,
  type Speculation,
} from './scenario.ts';
import {
  expertRanksMismatch,
  expertsNotDivisible,
  groupsMismatch,
  headsNotDivisible,
  keyValueHeadsNotDivisible,
  noDraft,
  noExperts,
  noHostLink,
  noKeyValueCache,
  noSuchLink,
  notACost,
  notAProbability,
  notAShare,
  notBelow,
  notPositiveQuantity,
  notPositiveRate,
  notWhole,
  ScenarioError,
  tooManyStages,
  unknownRouter,
  unknownSampling,
} from './scenario-messages.ts';
import type { Workload } from './workload.ts';

/**
 * Refuses a scenario that cannot be: lengths and counts that are no positive whole numbers, ranks that do not divide
 * what they share, formats nobody knows.
 * @throws ScenarioError (or QuantityError for a format) with one sentence.
 */
export function checkScenario({ deployment, workload }: Scenario): void {
  checkWorkload(workload);
  checkDeployment(deployment);
}

export function checkWorkload({ prompt, output, cached, load }: Workload): void {
  requireWhole('workload.prompt', prompt, 1);
  requireWhole('workload.output', output, 1);
  requireWhole('workload.cached', cached, 0);
  if (cached >= prompt) throw new ScenarioError(notBelow('workload.cached', cached, 'workload.prompt', prompt));
  switch (load.kind) {
    case 'batch':
    case 'concurrency':
      requireWhole(`workload.${load.kind}`, load.size, 1);
      return;
    case 'rate':
      if (!(load.requestsPerSecond > 0) || load.requestsPerSecond === Infinity) {
        throw new ScenarioError(notPositiveRate(load.requestsPerSecond));
      }
  }
}

export function checkDeployment(deployment: Deployment): void {
  const { model, hardware, parallelism, precision, utilisation } = deployment;
  const { speculation, disaggregation, offload, router, sampling } = deployment;
  checkHardware(hardware);
  for (const [name, format] of Object.entries(precision)) {
    if (typeof format === 'string') numberFormat(format, `precision.${name}`);
  }
  if (precision.keyValue !== undefined && !keepsKeyValues(model)) throw new ScenarioError(noKeyValueCache(model.name));
  for (const share of ['compute', 'memory'] as const) {
    const value = utilisation?.[share];
    if (value !== undefined && !(value > 0 && value <= 1)) {
      throw new ScenarioError(notAShare(`utilisation.${share}`, value));
    }
  }
  checkParallelism(model, parallelism);
  if (router !== undefined && !routers.includes(router)) throw new ScenarioError(unknownRouter(router));
  if (sampling !== undefined && !samplings.includes(sampling)) throw new ScenarioError(unknownSampling(sampling));
  if (speculation !== undefined) checkSpeculation(speculation, parallelism.tensor);
  if (disaggregation !== undefined) checkDisaggregation(disaggregation, hardware, parallelism);
  if (offload !== undefined) checkOffload(offload, hardware);
}

function checkSpeculation({ method, tokens, acceptance, cost, draft }: Speculation, tensor: number): void {
  requireWhole('speculation.tokens', tokens, 1);
  if (!(acceptance >= 0 && acceptance <= 1)) {
    throw new ScenarioError(notAProbability('speculation.acceptance', acceptance));
  }
  if (cost !== undefined && !(cost >= 0 && cost < Infinity))
    throw new ScenarioError(notACost('speculation.cost', cost));
  if (method === 'draft' && cost === undefined && draft === undefined) throw new ScenarioError(noDraft);
  // A draft is shared by the ranks of the model (vLLM 0.27 refuses others: vllm/v1/spec_decode/draft_model.py).
  for (const { mixer } of draft?.layers ?? []) {
    if (mixer.kind === 'attention' || mixer.kind === 'latent-attention') checkHeads(draft?.name ?? '', mixer, tensor);
  }
}

function checkDisaggregation(
  { prefill, decode, link }: Disaggregation,
  hardware: Hardware,
  { replicas, data }: Parallelism,
): void {
  requireWhole('disaggregation.prefill', prefill, 1);
  requireWhole('disaggregation.decode', decode, 1);
  if (prefill + decode !== replicas * data) {
    throw new ScenarioError(groupsMismatch(prefill, decode, replicas * data));
  }
  const rate =
    typeof link === 'object'
      ? link.bandwidth
      : link === 'network'
        ? Infinity
        : link === 'own'
          ? hardware.link.bandwidth
          : hardware.host.bandwidth;
  if (!(rate > 0)) throw new ScenarioError(noSuchLink(typeof link === 'object' ? link.name : link, hardware.title));
}

function checkOffload(offload: NonNullable<Deployment['offload']>, hardware: Hardware): void {
  for (const part of ['weights', 'keyValue'] as const) {
    const share = offload[part] ?? 0;
    if (!(share >= 0 && share <= 1)) throw new ScenarioError(notAProbability(`offload.${part}`, share));
  }
  if (!(hardware.host.bandwidth > 0)) throw new ScenarioError(noHostLink(hardware.title));
}

/** An edited profile may hold anything that an expression gives. */
function checkHardware({ memory, matrix, link, host, network }: Hardware): void {
  const amounts = {
    'memory.bandwidth': memory.bandwidth,
    'memory.capacity': memory.capacity,
    ...prefixed('matrix', matrix),
  };
  for (const [path, value] of Object.entries(amounts)) {
    if (!(value > 0 && value < Infinity)) throw new ScenarioError(notPositiveQuantity(`hardware.${path}`, value));
  }
  const links = {
    ...(link.topology === 'none' ? {} : { 'link.bandwidth': link.bandwidth, 'link.domain': link.domain }),
    // No host link is written as 0: unified memory and processors have nothing to cross.
    ...(host.bandwidth === 0 ? {} : { 'host.bandwidth': host.bandwidth }),
    ...(network === undefined ? {} : { 'network.bandwidth': network.bandwidth }),
  };
  for (const [path, value] of Object.entries(links)) {
    if (!(value > 0 && value < Infinity)) throw new ScenarioError(notPositiveQuantity(`hardware.${path}`, value));
  }
}

const prefixed = (prefix: string, values: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, value]));

const keepsKeyValues = (model: Model): boolean =>
  model.layers.some(({ mixer }) => mixer.kind === 'attention' || mixer.kind === 'latent-attention');

function checkParallelism(model: Model, parallelism: Parallelism): void {
  const { tensor, pipeline, data, expert, replicas } = parallelism;
  for (const [name, value] of Object.entries({ tensor, pipeline, data, expert, replicas })) {
    requireWhole(`parallelism.${name}`, value, 1);
  }
  const layers = model.layers.reduce((sum, layer) => sum + layer.count, 0);
  if (pipeline > layers) throw new ScenarioError(tooManyStages(pipeline, layers));
  for (const { mixer, feedForward } of model.layers) {
    if (mixer.kind === 'attention' || mixer.kind === 'latent-attention') checkHeads(model.name, mixer, tensor);
    if (feedForward.kind === 'experts' && feedForward.experts % expert !== 0) {
      const choices = near(expert, (ranks) => feedForward.experts % ranks === 0);
      throw new ScenarioError(expertsNotDivisible(expert, model.name, feedForward.experts, choices));
    }
  }
  if (expert > 1 && !model.layers.some(({ feedForward }) => feedForward.kind === 'experts')) {
    throw new ScenarioError(noExperts(model.name));
  }
  if ((tensor * data) % expert !== 0) throw new ScenarioError(expertRanksMismatch(expert, tensor * data));
}

function checkHeads(
  model: string,
  mixer: { readonly heads: number; readonly keyValueHeads?: number },
  tensor: number,
): void {
  const { heads, keyValueHeads } = mixer;
  const shares = (ranks: number): boolean =>
    keyValueHeads === undefined || keyValueHeads % ranks === 0 || ranks % keyValueHeads === 0;
  const fits = (ranks: number): boolean => heads % ranks === 0 && shares(ranks);
  if (heads % tensor !== 0) throw new ScenarioError(headsNotDivisible(tensor, model, heads, near(tensor, fits)));
  if (keyValueHeads !== undefined && !shares(tensor)) {
    throw new ScenarioError(keyValueHeadsNotDivisible(tensor, model, keyValueHeads, near(tensor, fits)));
  }
}

/** The nearest numbers of ranks below and above that work. */
function near(ranks: number, works: (candidate: number) => boolean): readonly number[] {
  const found: number[] = [];
  for (let below = ranks - 1; below >= 1; below--) {
    if (works(below)) {
      found.push(below);
      break;
    }
  }
  for (let above = ranks + 1; above <= 4 * ranks; above++) {
    if (works(above)) {
      found.push(above);
      break;
    }
  }
  return found;
}

function requireWhole(path: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least) throw new ScenarioError(notWhole(path, value, least));
}
