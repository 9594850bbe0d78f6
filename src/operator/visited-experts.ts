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
 * Experts of a rank that at least one of so many tokens visits. Popularity has a gamma distribution over the experts
 * beyond the k that a first token visits, so that the rest is left alone by n - 1 more with the chance
 * (1 - c (n - 1) ln(1 - k/E))^(-1/c); for c -> 0 that is (1 - k/E)^(n - 1), and the whole E (1 - (1 - k/E)^n).
 */
export function visitedExperts({ local, share, tokenFactor }: ExpertGroup, tokens: number): number {
  const all = tokens * tokenFactor;
  if (all <= 1) return local * (1 - Math.pow(1 - share, all));
  const missed = Math.pow(1 - popularitySpread * (all - 1) * Math.log1p(-share), -1 / popularitySpread);
  return local * (1 - (1 - share) * missed);
}

/** Mean of the largest of 1, 2, 4, 8 ... draws from a standard normal distribution (Tippett, Biometrika 17, 1925). */
const largestNormal = [0, 0.564, 1.029, 1.424, 1.766, 2.07, 2.344, 2.595, 2.827, 3.043, 3.246] as const;

/**
 * Tokens that the busiest of so many expert-parallel ranks gets over those of all in the mean: each has the sum of its
 * experts' popularities, and a step waits for the last.
 */
export function busiestRank(experts: number, ranks: number): number {
  const doublings = Math.min(Math.log2(ranks), largestNormal.length - 1);
  const below = Math.floor(doublings);
  const from = largestNormal[below] ?? 0;
  const deviations = from + (doublings - below) * ((largestNormal[below + 1] ?? from) - from);
  return 1 + deviations * Math.sqrt((popularitySpread * ranks) / experts);
}
