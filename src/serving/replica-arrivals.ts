import type { Router } from '../profile/scenario.ts';

/*
 * How requests come to one replica where requests come to all of them at random (Poisson). With n replicas served in
 * turn (`turns`) each gets every n-th request, so that gaps are sums of n (Erlang) and their squared coefficient of
 * variation is 1 / n. One turn is Poisson itself. Spans are in mean gaps of the replica: the number that comes in them
 * in the mean. Renewal processes: D. R. Cox, Renewal Theory, Methuen 1962, chapters 2 to 4.
 */

/** What a router makes of arrivals at one of its replicas: the turns that are left of their order. */
export interface Routed {
  /** Over the time of an answer. */
  readonly answers: number;
  /** Over a step. */
  readonly steps: number;
}

/** Beyond so many replicas arrivals are as good as even, and sums over the phases of a gap only take time. */
const mostTurns = 64;

/**
 * Round robin keeps turns by definition. The shortest queue is that of the replica that an answer has just left: numbers
 * stay as even as if requests took turns (with equal times in the system they do), but arrivals copy the order of those
 * before them, jumbled by how their times differ, and before long nothing is left of it within a step.
 */
export function routed(router: Router, replicas: number): Routed {
  const turns = Math.min(replicas, mostTurns);
  switch (router) {
    case 'round-robin':
      return { answers: turns, steps: turns };
    // Without prefixes to follow, a prefix-aware router looks for the fewest requests.
    case 'least-loaded':
    case 'prefix-aware':
      return { answers: turns, steps: 1 };
    case 'random':
      return { answers: 1, steps: 1 };
  }
}

/** Chance that nobody comes in a span that begins at any time: E[(1 - P / n)+], P Poisson with the mean n x. */
export function noneArrives(turns: number, span: number): number {
  if (turns === 1) return Math.exp(-span);
  let term = Math.exp(-turns * span);
  let none = 0;
  for (let passed = 0; passed < turns; passed++) {
    none += term * (1 - passed / turns);
    term *= (turns * span) / (passed + 1);
  }
  return Math.min(1, none);
}

/** Chance that somebody comes in a span that begins at any time. */
export const anyArrives = (turns: number, span: number): number =>
  turns === 1 ? -Math.expm1(-span) : 1 - noneArrives(turns, span);

/** Chance that nobody comes in the span after an arrival: P < n. */
function noneFollows(turns: number, span: number): number {
  let term = Math.exp(-turns * span);
  let none = 0;
  for (let passed = 0; passed < turns; passed++) {
    none += term;
    term *= (turns * span) / (passed + 1);
  }
  return Math.min(1, none);
}

/** Chance that a newcomer finds somebody who stays for a span. */
export const anyPresent = (turns: number, span: number): number =>
  turns === 1 ? -Math.expm1(-span) : 1 - noneFollows(turns, span);

/** Equal spans that follow one another, each with an arrival in the middle of it, until one passes in which nobody comes. */
export const spansUntilNone = (turns: number, span: number): number =>
  turns === 1
    ? Math.exp(span)
    : noneFollows(turns, span / 2) / Math.max(leastChance, noneFollows(turns, (3 * span) / 2));

/** So that its inverse is a number. */
const leastChance = 1e-200;

/** Mean number that comes in the span after an arrival, or came in that before it. */
export const following = (turns: number, span: number): number =>
  turns === 1 ? span : Math.max(0, span + phases(turns, span, false));

/** Mean number of others within a span in which one is, anywhere in it. At random: as many as at any time. */
export const beside = (turns: number, span: number): number =>
  turns === 1 ? span : span < leastSpan ? 0 : Math.max(0, span + phases(turns, span, true));

/** In a shorter span there is nobody else, as far as differences of numbers near one can tell. */
const leastSpan = 1e-5;

/** Variance over mean of the number that comes in a span: 1 at random, 1 / turns in a long one. */
export const dispersion = (turns: number, span: number): number => (turns === 1 ? 1 : 1 + beside(turns, span) - span);

/**
 * What the phases of a gap take off the mean number in the span after an arrival, by the roots of unity z:
 * (n - 1) / 2 n + (1 / n) sum z / (1 - z) exp(-n x (1 - z)) (E. Parzen, Stochastic Processes, 1962, 5-2); or off
 * twice its mean over all shorter spans.
 */
function phases(turns: number, span: number, inMean: boolean): number {
  let sum = 0;
  for (let root = 1; root < turns; root++) {
    const angle = (2 * Math.PI * root) / turns;
    // z / (1 - z) = -1/2 + i cot(angle / 2) / 2, and exp(-n x (1 - z)) by size and angle.
    const shrink = turns * span * (1 - Math.cos(angle));
    const turn = turns * span * Math.sin(angle);
    const size = Math.exp(-shrink);
    const imaginary = 1 / (2 * Math.tan(angle / 2));
    const re = size * Math.cos(turn);
    const im = size * Math.sin(turn);
    if (inMean) {
      // Mean of the exponential over the span: (1 - e^-a) / a with a = shrink - i turn.
      const square = shrink * shrink + turn * turn;
      sum += ((1 - re) * shrink + im * turn) / square;
      sum += (2 * imaginary * ((1 - re) * turn - im * shrink)) / square;
    } else {
      sum += re / 2 + im * imaginary;
    }
  }
  return (sum - (inMean ? 1 : 1 / 2) * (turns - 1)) / turns;
}
