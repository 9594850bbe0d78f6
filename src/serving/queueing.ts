/*
 * Waiting times of steady queues in closed form. Each function says what it assumes; none knows of engines. Rates are
 * per second, times in seconds, `variation` is a squared coefficient of variation (variance / mean^2): 0 for equal
 * times, 1 for exponential ones.
 */

/** What a queue does in the long run. */
export interface SteadyQueue {
  /** Share of time that a server is busy. */
  readonly utilisation: number;
  /** Mean wait before service; Infinity where the queue grows without end. */
  readonly wait: number;
  /** Mean number that waits, by Little's law. */
  readonly waiting: number;
  /** Mean number in the system. */
  readonly present: number;
  readonly verdict: 'stable' | 'near saturation' | 'unstable';
  /** Largest arrival rate that it can serve. */
  readonly largestRate: number;
  /** Name of the formula and what it takes for granted, for whoever reads the number. */
  readonly formula: string;
}

/** Above this utilisation waits are dominated by chance, and a mean says little about the next hour. */
const nearSaturation = 0.9;

/** One server, Poisson arrivals, exponential service: W = rho s / (1 - rho). Erlang 1917. */
export const waitMM1 = (rate: number, service: number): SteadyQueue =>
  steady(
    rate,
    service,
    1,
    (busy) => (busy * service) / (1 - busy),
    'M/M/1: Poisson arrivals, exponential service, one server, first come first served',
  );

/** One server, Poisson arrivals, equal service times: W = rho s / (2 (1 - rho)). Erlang 1909. */
export const waitMD1 = (rate: number, service: number): SteadyQueue =>
  steady(
    rate,
    service,
    1,
    (busy) => (busy * service) / (2 * (1 - busy)),
    'M/D/1: Poisson arrivals, equal service times, one server, first come first served',
  );

/** One server, Poisson arrivals, any service times: W = rho s (1 + variation) / (2 (1 - rho)). Pollaczek 1930, Khinchine 1932. */
export const waitMG1 = (rate: number, service: number, variation: number): SteadyQueue =>
  steady(
    rate,
    service,
    1,
    (busy) => (busy * service * (1 + variation)) / (2 * (1 - busy)),
    'Pollaczek-Khinchine (M/G/1): Poisson arrivals, independent service times of any distribution, one server, first come first served',
  );

/** Several servers, one queue, Poisson arrivals, exponential service: W = C(m, a) s / (m (1 - rho)) with Erlang's C. */
export const waitMMm = (rate: number, service: number, servers: number): SteadyQueue =>
  steady(
    rate,
    service,
    servers,
    (busy) => (erlangC(servers, rate * service) * service) / (servers * (1 - busy)),
    'M/M/m (Erlang C): Poisson arrivals, exponential service, one queue for all servers',
  );

/**
 * One server, arrivals and service of any distribution: W = rho / (1 - rho) x (arrivals + service) / 2 x s, exact for
 * M/M/1, an upper bound in heavy traffic else. Kingman 1961.
 */
export const waitKingman = (
  rate: number,
  service: number,
  arrivalVariation: number,
  serviceVariation: number,
): SteadyQueue =>
  steady(
    rate,
    service,
    1,
    (busy) => ((busy / (1 - busy)) * (arrivalVariation + serviceVariation) * service) / 2,
    'Kingman (G/G/1): independent gaps and service times, one server; an approximation that is exact as utilisation nears 1',
  );

/** Sakasegawa's approximation of Erlang's C: the chance that all of `servers`, each busy for a share of the time, are. */
export const chanceAllBusy = (busy: number, servers: number): number => busy ** (Math.sqrt(2 * (servers + 1)) - 1);

/**
 * Others at a server beside one who is there, where `mean` of a Poisson number would be: of several servers that a router
 * fills evenly, each has every m-th arrival (Erlang gaps), so that mean + 1 / m - 1 others are there where they are many,
 * and nearly none where they are few; rounded off between the two by the spread of their number.
 */
export function evenlySpread(mean: number, servers: number): number {
  const many = mean + 1 / servers - 1;
  return (many + Math.sqrt(many * many + (mean / servers) * (1 - 1 / servers))) / 2;
}

type GeneralQueue = (
  rate: number,
  service: number,
  servers: number,
  arrivalVariation: number,
  serviceVariation: number,
) => SteadyQueue;

/** C s / (m (1 - rho)) x (arrivals + service) / 2, with C the chance that all m servers are busy. */
const scaledByVariation =
  (allBusy: (busy: number, servers: number) => number, formula: string): GeneralQueue =>
  (rate, service, servers, arrivalVariation, serviceVariation) =>
    steady(
      rate,
      service,
      servers,
      (busy) =>
        (((allBusy(busy, servers) * service) / (servers * (1 - busy))) * (arrivalVariation + serviceVariation)) / 2,
      formula,
    );

/**
 * Several servers, arrivals and service of any distribution: Erlang C's wait times (arrivals + service) / 2.
 * Allen and Cunneen (A. O. Allen, Probability, Statistics and Queueing Theory, 1978).
 */
export const waitAllenCunneen: GeneralQueue = scaledByVariation(
  (busy, servers) => erlangC(servers, busy * servers),
  'Allen-Cunneen (G/G/m): independent gaps and service times, one queue for all servers; an approximation, exact for M/M/m',
);

/**
 * The same for any number of servers, which need not be whole: W = rho^(sqrt(2 (m + 1)) - 1) / (m (1 - rho)) x
 * (arrivals + service) / 2 x s. H. Sakasegawa, An approximation formula L_q = alpha beta^rho / (1 - rho), Annals of the
 * Institute of Statistical Mathematics 29 (1977).
 */
export const waitSakasegawa: GeneralQueue = scaledByVariation(
  chanceAllBusy,
  'Sakasegawa (G/G/m): independent gaps and service times, one queue for all servers; an approximation, exact for M/G/1',
);

/**
 * Erlang's C: the chance that a newcomer finds all `servers` busy, at an offered load of `load` servers; 1 where the
 * load is as large as the servers. By the recursion of Erlang's B, which cannot overflow.
 */
export function erlangC(servers: number, load: number): number {
  if (load >= servers) return 1;
  let blocked = 1;
  for (let busy = 1; busy <= servers; busy++) blocked = (load * blocked) / (busy + load * blocked);
  const utilisation = load / servers;
  return blocked / (1 - utilisation * (1 - blocked));
}

/** Little's law: the mean number in a system is the rate through it times the mean time in it. Exact for any system. */
export const littlesNumber = (rate: number, seconds: number): number => rate * seconds;

function steady(
  rate: number,
  service: number,
  servers: number,
  waitOf: (busy: number) => number,
  formula: string,
): SteadyQueue {
  const utilisation = (rate * service) / servers;
  const largestRate = servers / service;
  if (utilisation >= 1) {
    return {
      utilisation: 1,
      wait: Infinity,
      waiting: Infinity,
      present: Infinity,
      verdict: 'unstable',
      largestRate,
      formula,
    };
  }
  const wait = rate === 0 ? 0 : waitOf(utilisation);
  return {
    utilisation,
    wait,
    waiting: littlesNumber(rate, wait),
    present: littlesNumber(rate, wait + service),
    verdict: utilisation > nearSaturation ? 'near saturation' : 'stable',
    largestRate,
    formula,
  };
}
