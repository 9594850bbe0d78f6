import type { Model } from './model.ts';
import type { Deployment } from './scenario.ts';

/**
 * How requests choose a token: the largest logit, a draw from all, or a draw from those that top-p or top-k leave.
 */
export type Sampling = (typeof samplings)[number];

export const samplings = ['greedy', 'temperature', 'top-p'] as const;

/**
 * How a deployment's requests choose their tokens: as its user says; else, where the server reads the checkpoint's
 * generation_config.json, as that says; else a draw from all, the default of the OpenAI interface (temperature 1).
 */
export function samplingOf({ model, release, sampling }: Deployment): Sampling {
  if (sampling !== undefined) return sampling;
  return release.sampler?.readsCheckpoint === true && leavesOut(model.generation) ? 'top-p' : 'temperature';
}

/** Whether a checkpoint's defaults leave any token out. */
const leavesOut = (generation: Model['generation']): boolean =>
  generation !== undefined && ((generation.topP ?? 1) < 1 || (generation.topK ?? 0) > 0);
