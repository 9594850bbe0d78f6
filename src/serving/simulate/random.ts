import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Draws of a seeded stream: the same seed gives the same draws in every run, on every machine. */
export interface RandomStream {
  /** Above 0 and below 1. */
  readonly uniform: () => number;
  /** Mean 1. */
  readonly exponential: () => number;
  /** Mean 0, deviation 1. */
  readonly normal: () => number;
  /** Mean `shape`, variance `shape`. */
  readonly gamma: (shape: number) => number;
  /** A whole number from 0 to below `count`. */
  readonly below: (count: number) => number;
}

/**
 * Streams of one seed that do not touch each other: arrivals, prompts, outputs and pauses each draw from their own, so
 * that changing one leaves the others as they were.
 */
export function randomStream(seed: number, stream: number): RandomStream {
  const generator = xoroshiro128plus(seed);
  // 2^64 draws apart.
  for (let index = 0; index < stream; index++) generator.jump();
  const uniform = (): number => {
    const drawn = uniformFloat64(generator);
    return drawn > 0 ? drawn : Number.MIN_VALUE;
  };
  const exponential = (): number => -Math.log(uniform());
  // Box and Muller 1958; the second of each pair is thrown away, which keeps a draw free of memory.
  const normal = (): number => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  return {
    uniform,
    exponential,
    normal,
    gamma: gammaDraw(uniform, normal),
    below: (count) => Math.floor(uniform() * count),
  };
}

/** Marsaglia and Tsang 2000; a shape below 1 by the power of a uniform draw, as they give it. */
function gammaDraw(uniform: () => number, normal: () => number): (shape: number) => number {
  const draw = (shape: number): number => {
    if (shape < 1) return draw(shape + 1) * uniform() ** (1 / shape);
    const d = shape - 1 / 3;
    const c = 1 / Math.sqrt(9 * d);
    for (;;) {
      const x = normal();
      const v = (1 + c * x) ** 3;
      if (v > 0 && Math.log(uniform()) < (x * x) / 2 + d - d * v + d * Math.log(v)) return d * v;
    }
  };
  return draw;
}
