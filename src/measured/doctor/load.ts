import type { BenchmarkRun } from '../../exchange/benchmark/benchmark-run.ts';
import { meanOf, percentileOf } from '../../exchange/benchmark/distribution.ts';
import { correlation } from '../correlation.ts';
import { digits, percent, time } from '../doctor-words.ts';
import type { Finding } from '../finding.ts';
import { outputTokens, requestsPerSecond } from '../run-workload.ts';

/** Mean time in the system, from E2E or from both clocks. */
function residence(run: BenchmarkRun): number | undefined {
  const { ttft, tpot, e2e } = run.clocks;
  const output = outputTokens(run);
  const [first, next] = [meanOf(ttft), meanOf(tpot)];
  return (
    meanOf(e2e) ??
    (first === undefined || next === undefined || output === undefined ? undefined : first + (output - 1) * next)
  );
}

/** Little's law: requests in flight = requests/s x time in the system, whatever the engine does. */
export function littlesLaw(run: BenchmarkRun): readonly Finding[] {
  const { load, observed, where } = run;
  const rate = requestsPerSecond(run);
  const stay = residence(run);
  const allowed = load.kind === 'concurrency' ? load.size : run.kind === 'client' ? observed.concurrency : undefined;
  if (rate === undefined || stay === undefined || allowed === undefined || allowed === 0) return [];
  const flight = rate * stay;
  const sum = `${digits(rate)} requests/s x ${time(stay)} = ${digits(flight)} in flight`;
  if (flight > allowed * 1.08) {
    return [
      {
        rule: 'little',
        where,
        severity: 'broken',
        certainty: 'certain',
        what: `${sum}, but ${load.kind === 'concurrency' ? `at most ${digits(allowed)} were allowed` : `the tool counted ${digits(allowed)}`}.`,
        effect:
          "By Little's law one of the three is wrong: a rate over another window, or times that do not end with the request.",
      },
    ];
  }
  if (load.kind === 'concurrency' && flight < allowed * 0.8) {
    return [
      {
        rule: 'little',
        where,
        severity: 'careful',
        certainty: 'certain',
        what: `${sum}, of ${digits(allowed)} allowed.`,
        effect: `The server was not asked for ${digits(allowed)} at once: pauses, a slow client, or a run so short that its start and end count; throughput is not that of ${digits(allowed)}.`,
      },
    ];
  }
  return [];
}

/**
 * Gaps drawn at random add up to n / rate only within 1 / sqrt(n): so many deviations of it are no finding. Tools that
 * send at an even pace, or stretch the gaps to the total, vary less.
 */
const deviations = 2.5;

/** Less of the rate than this is short of it. */
const short = 0.08;

/** What was asked against what was finished, with the time that the last requests take to drain. */
export function achievedRate(run: BenchmarkRun): readonly Finding[] {
  const { load, requests, clocks, where } = run;
  if (load.kind !== 'rate') return [];
  const achieved = requestsPerSecond(run);
  if (achieved === undefined) return [];
  const asked = load.requestsPerSecond;
  const count = requests.completed ?? requests.asked;
  const drain = residence(run) ?? 0;
  const expected = count === undefined ? asked : count / (count / asked + drain);
  const chance = deviations / Math.sqrt(Math.max(1, count ?? 1));
  if (achieved > asked * (1 + Math.max(0.1, chance))) {
    return [
      {
        rule: 'achieved-rate',
        where,
        severity: 'broken',
        certainty: 'certain',
        what: `${digits(achieved)} requests/s were finished of ${digits(asked)} sent.`,
        effect: 'More cannot come out than went in: the duration or the counts are of something else.',
      },
    ];
  }
  if (achieved >= expected * (1 - short)) {
    return [
      {
        rule: 'rate-limited',
        where,
        severity: 'note',
        certainty: 'certain',
        what: `The server finished what it was sent: ${digits(achieved)} of ${digits(asked)} requests/s.`,
        effect:
          'Throughput is what the client asked for, not what the server can do: this run says nothing of capacity.',
      },
    ];
  }
  if (achieved >= expected * (1 - chance)) {
    return [
      {
        rule: 'achieved-rate',
        where,
        severity: 'note',
        certainty: 'possible',
        what: `${digits(achieved)} requests/s were finished of ${digits(asked)} sent.`,
        effect: `With ${digits(count ?? 1)} requests whose gaps are drawn at random that may be chance: repeat with more before taking it for overload.`,
      },
    ];
  }
  const spread = (percentileOf(clocks.ttft, 99) ?? 0) / (percentileOf(clocks.ttft, 50) ?? Infinity);
  return [
    {
      rule: 'achieved-rate',
      where,
      severity: 'careful',
      certainty: 'certain',
      what: `${digits(achieved)} requests/s were finished of ${digits(asked)} sent; with the last requests draining, ${digits(expected)} would be.`,
      effect:
        'The server, or the client, did not keep up: throughput is near capacity, and TTFT is a queue that grows with the length of the run.',
    },
    {
      rule: 'overload',
      where,
      severity: 'broken',
      certainty: spread > 3 ? 'certain' : 'likely',
      what: `The run is overloaded: ${percent(1 - achieved / expected)} of the rate did not get through${spread > 3 ? `, and TTFT at p99 is ${digits(spread)} times its median` : ''}.`,
      effect:
        'There is no steady state: TTFT and its percentiles depend on when the run was stopped; do not compare or fit them.',
    },
  ];
}

/** Everything at once: the mean TTFT is the place in the queue. */
export function allAtOnce({ load, where, clocks }: BenchmarkRun): readonly Finding[] {
  if (load.kind !== 'all-at-once') return [];
  const ttft = meanOf(clocks.ttft);
  return [
    {
      rule: 'all-at-once',
      where,
      severity: 'careful',
      certainty: 'certain',
      what: `All requests${load.requests === undefined ? '' : ` (${digits(load.requests)})`} were sent at once${ttft === undefined ? '' : `; mean TTFT is ${time(ttft)}`}.`,
      effect:
        'Throughput is near capacity, but TTFT is the place in that queue: it says nothing of what a user would see.',
    },
  ];
}

/** A server's own view over time: requests wait, and more of them as time goes by. */
export function waitingGrows({ samples, observed, where, kind }: BenchmarkRun): readonly Finding[] {
  const waiting = samples.map((sample) => sample.waiting).filter((value): value is number => value !== undefined);
  const third = Math.floor(waiting.length / 3);
  if (third >= 3) {
    const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
    const [before, after] = [mean(waiting.slice(0, third)), mean(waiting.slice(-third))];
    const points = samples.flatMap(({ waiting: queue }, index) => (queue === undefined ? [] : [{ index, queue }]));
    const trend = correlation(
      points,
      ({ index }) => index,
      ({ queue }) => queue,
    );
    if (after > 4 && after > 2 * before && trend > 0.75) {
      return [
        {
          rule: 'overload',
          where,
          severity: 'broken',
          certainty: 'likely',
          what: `Requests that wait grow from ${digits(before)} to ${digits(after)} over the log.`,
          effect: 'More arrives than is finished: TTFT grows as long as this goes on, and no percentile of it holds.',
        },
      ];
    }
  }
  const { waiting: queue, running } = observed;
  if (kind !== 'server' || queue === undefined || running === undefined || queue <= Math.max(2, running * 0.1))
    return [];
  return [
    {
      rule: 'overload',
      where,
      severity: 'careful',
      certainty: 'likely',
      what: `${digits(queue)} requests wait beside ${digits(running)} that run.`,
      effect: 'TTFT is mostly queue: look at the limit on running sequences and at the KV cache before the kernels.',
    },
  ];
}
