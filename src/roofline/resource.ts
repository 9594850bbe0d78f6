/** What a term of a clock is spent on. The order is that of every breakdown, table and chart. */
export const resources = [
  'compute',
  'weight-bandwidth',
  'kv-bandwidth',
  'activation-bandwidth',
  'link-bandwidth',
  'link-latency',
  'overhead',
  'queue',
  'network',
] as const;

export type Resource = (typeof resources)[number];

/** Seconds by resource; they add up to the time that they break down. */
export type Breakdown = Readonly<Record<Resource, number>>;

export const resourceCount: number = resources.length;

/** Positions in the arrays that the fast path adds into. */
export const resourceIndex: Readonly<Record<Resource, number>> = Object.freeze({
  compute: 0,
  'weight-bandwidth': 1,
  'kv-bandwidth': 2,
  'activation-bandwidth': 3,
  'link-bandwidth': 4,
  'link-latency': 5,
  overhead: 6,
  queue: 7,
  network: 8,
});

/** The numbers by name, each times `factor`. */
export const breakdownOf = (seconds: ArrayLike<number>, factor = 1): Breakdown => ({
  compute: (seconds[0] ?? 0) * factor,
  'weight-bandwidth': (seconds[1] ?? 0) * factor,
  'kv-bandwidth': (seconds[2] ?? 0) * factor,
  'activation-bandwidth': (seconds[3] ?? 0) * factor,
  'link-bandwidth': (seconds[4] ?? 0) * factor,
  'link-latency': (seconds[5] ?? 0) * factor,
  overhead: (seconds[6] ?? 0) * factor,
  queue: (seconds[7] ?? 0) * factor,
  network: (seconds[8] ?? 0) * factor,
});

export const breakdownTotal = (breakdown: Breakdown): number =>
  resources.reduce((sum, name) => sum + breakdown[name], 0);
