import { brent } from '../quantity/brent.ts';
import { resourceCount } from '../roofline/resource.ts';
import { anyArrives, beside, dispersion, noneArrives, spansUntilNone } from './replica-arrivals.ts';
import {
  type PromptSteps,
  promptSteps,
  steadyDecode,
  type SteadyDemand,
  steadyPrefill,
  type StepMoments,
} from './steady-demand.ts';

/**
 * How an engine serves random arrivals (Poisson, or a router's share of them) in its steady state, counted per decode
 * step: with x requests arriving in the time of one, x (o - 1) decode together, and the rate is x over that time. So the
 * rate follows from x without any iteration.
 */
export interface SteadyPace {
  /** Requests that arrive in the time of one decode step and the prefill beside it. */
  readonly arrivals: number;
  /** Requests/s of one group. */
  readonly rate: number;
  readonly steps: PromptSteps;
  /** Sequences that decode in a step, in the mean over all steps. */
  readonly decoding: number;
  readonly decode: StepMoments;
  readonly prefill: StepMoments;
  /** Steps without prompts, and with, per token of an answer. */
  readonly plain: number;
  readonly prefills: number;
  /** Seconds per token; the same per step, and its second moment. */
  readonly perToken: number;
  readonly step: StepMoments;
  /** Seconds that a prompt adds to the tokens of the others. */
  readonly perPrompt: number;
}

/** Parts by resource of the decode step and the step with prompts of the latest pace. */
export const decodeParts: Float64Array = new Float64Array(resourceCount);
export const prefillParts: Float64Array = new Float64Array(resourceCount);

/**
 * The pace at `arrivals` per decode step. `company`: sequences that decode beside one beyond the mean; `prefills`: steps
 * with prompts per token, where they are known.
 */
export function steadyPace(demand: SteadyDemand, arrivals: number, company = 0, prefills?: number): SteadyPace {
  const decoding = arrivals * demand.decodeSteps;
  const steps = promptSteps(demand, decoding);
  const others = beside(demand.routed.answers, decoding) + company;
  decodeParts.fill(0);
  const decode = steadyDecode(demand, others, decodeParts);
  const batching = demand.rules.batching === 'mixed' ? mixedBatching : prefillFirstBatching;
  const { plain, prefill, share } = batching(demand, steps, arrivals, others, decode, prefills);
  const perToken = plain * decode.mean + share * prefill.mean;
  const all = plain + share;
  return {
    arrivals,
    rate: arrivals / perToken,
    steps,
    decoding,
    decode,
    prefill,
    plain,
    prefills: share,
    perToken,
    step: { mean: perToken / all, square: (plain * decode.square + share * prefill.square) / all },
    perPrompt: arrivals > 0 ? (perToken - decode.mean) / arrivals : 0,
  };
}

interface Batching {
  readonly plain: number;
  readonly share: number;
  readonly prefill: StepMoments;
}

/** Prompts join the decode step: all that arrived during one step are in the next, as far as the budget goes. */
function mixedBatching(
  demand: SteadyDemand,
  steps: PromptSteps,
  arrivals: number,
  others: number,
  decode: StepMoments,
  prefills: number | undefined,
): Batching {
  const { chunks, room } = steps;
  const price = (prompts: number, weight: number): number =>
    steadyPrefill(demand, steps, prompts, 1 + others, prefillParts, weight);
  prefillParts.fill(0);
  const one = price(1, 1);
  prefillParts.fill(0);
  const wanted = arrivals * chunks;
  const slope = Math.max(0, one - decode.mean);
  const rate = arrivals / (decode.mean + wanted * slope);
  const local = demand.routed.steps;
  const even = dispersion(local, wanted);
  // Long steps are followed by long ones, as more arrive in them: the number's variance is wanted / (1 - (rate slope)^2).
  const feedback = Math.min(mostFeedback, rate * slope) ** 2;
  // Bunched arrivals leave more steps without any: as many as the negative binomial with that variance.
  const any = feedback > 0 ? -Math.expm1((wanted * (1 - feedback) * Math.log1p(-feedback)) / feedback) : wanted;
  const arrive = anyArrives(local, wanted);
  const drawn =
    chunks > 1
      ? arrive
      : Math.min(
          local === 1 || wanted === 0 ? any : (any * arrive) / anyArrives(atRandom, wanted),
          anyFollows(local, rate, decode.mean, slope, arrivals),
        );
  const share = Math.min(1, wanted, prefills ?? Math.max(drawn, wanted / room));
  if (share === 0) return { plain: 1, share: 0, prefill: { mean: one, square: one * one } };
  const more = Math.max(0, wanted / share - 1);
  const { low, high, weight } =
    halves(
      share,
      wanted,
      Math.max(0, feedback - (1 - feedback) * (1 / even - 1)),
      graphPrompts(demand, steps, others),
    ) ?? aloneOrMany(more, (wanted * (wanted + even / (1 - feedback)) - 2 * wanted) / share + 1, room);
  const few = price(low, 1 - weight);
  const several = price(high, weight);
  return {
    plain: 1 - share,
    share,
    prefill: {
      mean: (1 - weight) * few + weight * several,
      square: (1 - weight) * few * few + weight * several * several,
    },
  };
}

/** Two numbers of prompts that stand for all of them, and the share of the higher. */
interface TwoPoints {
  readonly low: number;
  readonly high: number;
  readonly weight: number;
}

/** A lone prompt, and a number above it: with `more` beyond the first in the mean, and their mean square. */
function aloneOrMany(more: number, square: number, room: number): TwoPoints {
  if (more <= 0) return { low: 1, high: 1, weight: 0 };
  const many = Math.min(Math.max(square / more, more), Math.max(room - 1, more));
  return { low: 1, high: 1 + many, weight: more / many };
}

/** Prompts up to which a step replays a graph; beyond, it is launched kernel by kernel. Infinity where that is alike. */
function graphPrompts({ compiled, fresh, rules }: SteadyDemand, { chunks }: PromptSteps, others: number): number {
  const { prefillLaunch, graphTokens = 0 } = compiled.table;
  if (prefillLaunch === undefined || rules.stages > 1) return Infinity;
  return Math.floor(((graphTokens - 1 - others) * chunks) / fresh);
}

/** Halves of a distribution that hold less than this are left to the other one. */
const leastHalf = 0.02;

/**
 * The mean number of prompts up to `limit`, and above it, of those steps that have any: negative binomial with the
 * mean `wanted` and the variance wanted / (1 - feedback). Undefined where nearly all are on one side.
 */
function halves(share: number, wanted: number, feedback: number, limit: number): TwoPoints | undefined {
  const spread = 10 * Math.sqrt((wanted + 1) / (1 - feedback));
  if (limit < 1 || limit > wanted + spread) return undefined;
  const times = (wanted * (1 - feedback)) / feedback;
  let chance = feedback > 0 ? Math.exp(times * Math.log1p(-feedback)) : Math.exp(-wanted);
  let [below, sumBelow, above, sumAbove] = [0, 0, 0, 0];
  for (let prompts = 1; prompts < wanted + spread; prompts++) {
    chance *= feedback > 0 ? (feedback * (times + prompts - 1)) / prompts : wanted / prompts;
    if (prompts <= limit) {
      below += chance;
      sumBelow += prompts * chance;
    } else {
      above += chance;
      sumAbove += prompts * chance;
    }
  }
  const weight = above / (below + above);
  if (!(weight > leastHalf && weight < 1 - leastHalf)) return undefined;
  // Long steps that follow each other leave a few more steps without prompts: the others take what arrives then.
  const scale = (wanted * (below + above)) / (share * (sumBelow + sumAbove));
  return { low: (scale * sumBelow) / below, high: (scale * sumAbove) / above, weight };
}

/** Beyond this share of its time in prompts, a deployment is at the end of what it serves anyway. */
const mostFeedback = 0.9;

/**
 * Chance that somebody arrives during a step, where long ones follow steps in which somebody did: p = P(none before) x
 * chance in a decode step + p x chance in a step with prompts, by a few iterations.
 */
function anyFollows(local: number, rate: number, decode: number, slope: number, arrivals: number): number {
  const inDecode = anyArrives(local, rate * decode);
  let share = anyArrives(local, arrivals);
  for (let round = 0; round < 6 && share > 0; round++) {
    share = inDecode / (inDecode + noneArrives(local, rate * (decode + (slope * arrivals) / share)));
  }
  return share;
}

const atRandom = 1;

/**
 * Prompts have steps of their own, and come first: after a decode step with arrivals there is one, and another after
 * each in which somebody arrived, (1 - exp(-rate x decode)) exp(rate x prefill) in the mean; engines that let decodes
 * through between two have at most one a token.
 */
function prefillFirstBatching(
  demand: SteadyDemand,
  steps: PromptSteps,
  arrivals: number,
  _: number,
  decode: StepMoments,
  prefills: number | undefined,
): Batching {
  const { chunks, room } = steps;
  const wanted = arrivals * chunks;
  let seconds = 0;
  let share = 0;
  const local = demand.routed.steps;
  /** Prefill steps that bunches so large leave, beyond those that arrivals would cause. */
  const surplus = (bunch: number): number => {
    prefillParts.fill(0);
    seconds = steadyPrefill(demand, steps, bunch, 0, prefillParts, 1);
    share = wanted / bunch;
    const rate = arrivals / (decode.mean + share * seconds);
    if (demand.rules.alternates) return share - chunks * anyArrives(local, arrivals);
    const prefill = Math.min(mostFollow, rate * seconds * chunks);
    const follow = anyArrives(local, rate * decode.mean) * spansUntilNone(local, prefill);
    return share - chunks * follow;
  };
  if (prefills !== undefined && prefills > 0) surplus(Math.min(room, Math.max(1, wanted / prefills)));
  else if (surplus(1) > 0 && chunks === 1) {
    // Bunches beyond all arrivals of a token would leave less than one prefill step.
    const most = Math.min(room, 1 + wanted);
    surplus(surplus(most) >= 0 ? most : brent(surplus, 1, most));
  }
  return { plain: 1, share, prefill: { mean: seconds, square: seconds * seconds } };
}

/** Steps that follow one another without an end in sight: only that the exponential stays a number. */
const mostFollow = 500;
