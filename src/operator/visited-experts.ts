import type { ExpertGroup } from './feed-forward.ts';

/**
 * Squared coefficient of variation of how often the experts of a layer are chosen. 0 would be balanced routing. With
 * 0.6 the excess of predicted TPOT where half of the experts are visited over TPOT where few or all are goes from +4 and
 * +5 % to 0 (gpt-oss-120b under vLLM, DeepSeek-R1 under SGLang, on H100, H200 and B200: InferenceX, 2025-10 to 2026-04,
 * fitted 2026-12-02 over 0, 0.3, 0.6, 1 and 1.4), Qwen3-235B asks for more; Mixtral and Llama 4 Scout under vLLM 0.15,
 * which were not looked at, agree best with the same value. The power law with exponent 1.01 that AIConfigurator
 * assumes has 1.4 for 128 experts.
 */
export const popularitySpread = 0.6;

/**
 * Visits, token-expert pairs, of the busiest of a layer's ranks: n tokens make n k / ranks on each in the mean. They vary
 * by chance (as of a draw, 1 - 1/ranks of the mean) and by the popularity of the rank's experts, and a step waits for
 * the last; one gets at least one visit, and none more than every token can make there.
 */
export function busiestVisits({ local, share, tokenFactor, ranks }: ExpertGroup, tokens: number): number {
  const all = tokens * tokenFactor;
  const mean = all * share * local;
  if (ranks === 1) return mean;
  const deviation = Math.sqrt(mean * (1 - 1 / ranks) + (popularitySpread / local) * mean * mean);
  const least = Math.min(1, mean * ranks);
  return Math.min(all * mostOfToken(local, share, ranks), Math.max(least, mean + largestNormal(ranks) * deviation));
}

/** The same over the mean, with so many tokens that chance is gone. */
export const busiestShare = (local: number, share: number, ranks: number): number =>
  Math.min(
    mostOfToken(local, share, ranks) / (share * local),
    1 + largestNormal(ranks) * Math.sqrt(popularitySpread / local),
  );

/** Experts of one rank that one token may visit: all of the k, or all that are there. */
const mostOfToken = (local: number, share: number, ranks: number): number => Math.min(local, share * local * ranks);

/**
 * Experts that at least one of so many tokens visits, on the busiest rank, which gets so many visits of them. Popularity has a gamma distribution over the
 * experts beyond those that a first token visits, so that the rest is left alone by n - 1 more with the chance
 * (1 - c (n - 1) ln(1 - s))^(-1/c), s being the share of the rank's experts that a token visits; for c -> 0 that is
 * (1 - s)^(n - 1), and the whole E (1 - (1 - k/E)^n) where one rank has all.
 */
export function visitedExperts({ local, tokenFactor }: ExpertGroup, tokens: number, visits: number): number {
  const all = tokens * tokenFactor;
  // Less than a token in the mean is one now and then, whose visits are all to other experts.
  if (all <= 1) return visits;
  const share = Math.min(1, visits / (all * local));
  const missed = Math.pow(1 - popularitySpread * (all - 1) * Math.log1p(-share), -1 / popularitySpread);
  return Math.max(Math.min(1, visits), local * (1 - (1 - share) * missed));
}

/** Means of the largest of 1, 2, 4, 8 ... draws from a standard normal distribution (Tippett, Biometrika 17, 1925). */
const largestOfDoublings = [0, 0.564, 1.029, 1.424, 1.766, 2.07, 2.344, 2.595, 2.827, 3.043, 3.246] as const;

function largestNormal(draws: number): number {
  const doublings = Math.min(Math.log2(draws), largestOfDoublings.length - 1);
  const below = Math.floor(doublings);
  const from = largestOfDoublings[below] ?? 0;
  return from + (doublings - below) * ((largestOfDoublings[below + 1] ?? from) - from);
}
