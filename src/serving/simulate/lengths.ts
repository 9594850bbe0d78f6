import type { RandomStream } from './random.ts';
import type { LengthDistribution } from './workload-spec.ts';

/** Draws whole lengths of at least one token. */
export function lengthDraw(distribution: LengthDistribution, random: RandomStream): () => number {
  switch (distribution.kind) {
    case 'fixed': {
      const tokens = whole(distribution.tokens);
      return () => tokens;
    }
    case 'uniform': {
      const least = whole(distribution.least);
      const most = Math.max(least, whole(distribution.most));
      return () => least + random.below(most - least + 1);
    }
    case 'normal': {
      const { mean, deviation, most = Infinity } = distribution;
      return () => whole(Math.min(most, mean + deviation * random.normal()));
    }
    case 'lognormal': {
      const { mean, variation, most = Infinity } = distribution;
      // Of a lognormal, variation^2 = exp(sigma^2) - 1 and mean = exp(mu + sigma^2 / 2).
      const variance = Math.log(1 + variation * variation);
      const location = Math.log(mean) - variance / 2;
      const scale = Math.sqrt(variance);
      return () => whole(Math.min(most, Math.exp(location + scale * random.normal())));
    }
    case 'empirical':
      return empiricalDraw(distribution, random);
  }
}

const whole = (tokens: number): number => Math.max(1, Math.round(tokens));

function empiricalDraw(
  { values, weights }: Extract<LengthDistribution, { kind: 'empirical' }>,
  random: RandomStream,
): () => number {
  const lengths = values.map(whole);
  const at = (index: number): number => lengths[index] ?? 1;
  if (weights === undefined) return () => at(random.below(lengths.length));
  const cumulated = new Float64Array(lengths.length);
  let total = 0;
  for (const [index, weight] of weights.entries()) {
    total += weight;
    cumulated[index] = total;
  }
  return () => {
    const drawn = random.uniform() * total;
    let low = 0;
    let high = lengths.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((cumulated[middle] ?? 0) < drawn) low = middle + 1;
      else high = middle;
    }
    return at(low);
  };
}
