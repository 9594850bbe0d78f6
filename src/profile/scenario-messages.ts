import { samplings } from './sampling.ts';
import { routers } from './scenario.ts';

/** Thrown where a scenario asks for what cannot be; `message` is one sentence for the person who wrote it. */
export class ScenarioError extends Error {
  override readonly name: string = 'ScenarioError';
}

export const notWhole = (path: string, value: number, least: number): string =>
  `${path} is ${value}; expected a whole number of at least ${least}.`;

export const notBelow = (path: string, value: number, limitPath: string, limit: number): string =>
  `${path} is ${value}; expected fewer than ${limitPath} = ${limit}, as at least one token has to be computed.`;

export const headsNotDivisible = (ranks: number, model: string, heads: number, choices: readonly number[]): string =>
  `parallelism.tensor is ${ranks}, which does not divide the ${heads} attention heads of ${model}; nearest that do: ${choices.join(', ')}.`;

export const keyValueHeadsNotDivisible = (
  ranks: number,
  model: string,
  heads: number,
  choices: readonly number[],
): string =>
  `parallelism.tensor is ${ranks}, which neither divides nor is a multiple of the ${heads} key-value heads of ${model}; nearest that are: ${choices.join(', ')}.`;

export const expertsNotDivisible = (
  ranks: number,
  model: string,
  experts: number,
  choices: readonly number[],
): string =>
  `parallelism.expert is ${ranks}, which does not divide the ${experts} experts of ${model}; nearest that do: ${choices.join(', ')}.`;

export const noExperts = (model: string): string =>
  `parallelism.expert is more than 1, but ${model} has no experts to spread; use tensor or pipeline ranks.`;

export const expertRanksMismatch = (expert: number, ranks: number): string =>
  `parallelism.expert is ${expert}, which does not divide tensor x data = ${ranks}, the ranks that experts can be spread over.`;

export const tooManyStages = (stages: number, layers: number): string =>
  `parallelism.pipeline is ${stages}; expected at most the ${layers} layers of the model.`;

export const noKeyValueCache = (model: string): string => `precision.keyValue is set, but ${model} keeps no KV cache.`;

export const notPositiveRate = (value: number): string =>
  `workload.load.requestsPerSecond is ${value}; expected a rate above 0.`;

export const notAShare = (path: string, value: number): string =>
  `${path} is ${value}; expected a share above 0 and up to 1.`;

export const unknownRouter = (router: string): string =>
  `router is '${router.slice(0, 40)}'; expected one of ${routers.join(', ')}.`;

export const unknownSampling = (sampling: string): string =>
  `sampling is '${sampling.slice(0, 40)}'; expected one of ${samplings.join(', ')}.`;

export const notPositiveQuantity = (path: string, value: number): string =>
  `${path} is ${value}; expected a finite amount above 0.`;

export const notAProbability = (path: string, value: number): string =>
  `${path} is ${value}; expected a share between 0 and 1.`;

export const notACost = (path: string, value: number): string =>
  `${path} is ${value}; expected the seconds of one drafted token over those of a plain decode step, at least 0.`;

export const noDraft: string = 'speculation.method is draft without a draft model or a cost; expected one of them.';

export const groupsMismatch = (prefill: number, decode: number, groups: number): string =>
  `disaggregation has ${prefill} prefill and ${decode} decode groups, but replicas x data is ${groups}; expected their sum.`;

export const noSuchLink = (link: string, hardware: string): string =>
  `disaggregation.link is ${link}, which ${hardware} does not have; expected network, or a name with a rate.`;

export const noHostLink = (hardware: string): string =>
  `offload needs a link to host memory, and ${hardware} has none of its own: its memory is the host's.`;
