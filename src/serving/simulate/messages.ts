/** Thrown where a workload cannot be simulated; `message` is one sentence for the person who wrote it. */
export class SimulationError extends Error {
  override readonly name: string = 'SimulationError';
}

export const notPositive = (path: string, value: number): string =>
  `${path} is ${value}; expected a finite number above 0.`;

export const notAtLeast = (path: string, value: number, least: number): string =>
  `${path} is ${value}; expected a finite number of at least ${least}.`;

export const notWhole = (path: string, value: number, least: number, most: number): string =>
  `${path} is ${value}; expected a whole number from ${least} to ${most}.`;

export const outOfOrder = (path: string, least: number, most: number): string =>
  `${path} goes from ${least} to ${most}; expected the smaller length first.`;

export const noValues = (path: string): string => `${path} has no values; expected at least one length.`;

export const weightsDiffer = (path: string, values: number, weights: number): string =>
  `${path} has ${values} values and ${weights} weights; expected one weight a value, and one of them above 0.`;

export const cachedWithPrefix = (): string =>
  'workload.cached and workload.prefix are given together; a prompt begins either with what every replica holds or with one of several prefixes.';

export const cachedWithSessions = (): string =>
  'workload.cached is given for conversations, whose cached tokens are what was said before; leave it 0, or give workload.prefix.';
