import type { BenchmarkRun } from '../../exchange/benchmark/benchmark-run.ts';
import { meanOf } from '../../exchange/benchmark/distribution.ts';
import { digits, percent, time } from '../doctor-words.ts';
import type { Finding } from '../finding.ts';
import { inputTokens, outputTokens } from '../run-workload.ts';

/** Means of products are not products of means: with lengths that vary, decode holds to about this. */
const tolerance = 0.1;

/** A difference below this share of the whole request is no matter which way it comes about. */
const negligible = 0.03;

/**
 * E2E = TTFT + (n - 1) x TPOT, in the means. The factor by which it misses usually names the cause: 2 (two stream
 * chunks per token halve what is taken for TPOT), n / (n - 1) (TPOT includes the first token), 1000 (units).
 */
export function endToEnd(run: BenchmarkRun): readonly Finding[] {
  const { clocks, where } = run;
  const [ttft, tpot, e2e] = [meanOf(clocks.ttft), meanOf(clocks.tpot), meanOf(clocks.e2e)];
  const output = outputTokens(run);
  if (ttft === undefined || e2e === undefined) return [];
  if (e2e < ttft * 0.98) {
    return [
      {
        rule: 'end-to-end',
        where,
        severity: 'broken',
        certainty: 'certain',
        what: `The whole request takes ${time(e2e)}, less than its first token, ${time(ttft)}.`,
        effect: 'One of the two is in another unit or of other requests: believe neither.',
      },
    ];
  }
  if (tpot === undefined || tpot === 0 || output === undefined || output < 2) return [];
  const decode = e2e - ttft;
  const told = (output - 1) * tpot;
  if (Math.abs(told - decode) <= Math.max(negligible * e2e, tolerance * Math.max(told, decode))) return [];
  const factor = decode / told;
  const sum = `TTFT ${time(ttft)} + ${digits(output - 1)} x TPOT ${time(tpot)} = ${time(ttft + told)}, but E2E is ${time(e2e)}`;
  const common = { rule: 'end-to-end', where, severity: 'broken' } as const;
  if (near(factor, 2)) {
    return [
      {
        ...common,
        certainty: 'likely',
        what: `${sum}: TPOT is half of what E2E says.`,
        effect: `The stream sends two chunks per token (one of them empty) or the tool divides twice: take TPOT as ${time(decode / (output - 1))}.`,
      },
    ];
  }
  if (near(factor, 0.5)) {
    return [
      {
        ...common,
        certainty: 'likely',
        what: `${sum}: TPOT is twice what E2E says.`,
        effect: `Two tokens come in a chunk (speculation, or a stream interval), so a gap is not a token: take TPOT as ${time(decode / (output - 1))}.`,
      },
    ];
  }
  if (near(factor, 1000, 0.2) || near(factor, 0.001, 0.2)) {
    return [
      {
        ...common,
        certainty: 'certain',
        what: `${sum}: a factor of 1000.`,
        effect: 'Milliseconds were written as seconds, or the reverse: fix the unit before anything else.',
      },
    ];
  }
  if (Math.abs(e2e - output * tpot) <= 0.03 * e2e) {
    return [
      {
        ...common,
        certainty: 'likely',
        what: `${sum}; n x TPOT = ${time(output * tpot)} fits: TPOT includes the first token.`,
        effect: `It mixes both clocks; TPOT without the first token is ${time(decode / (output - 1))}.`,
      },
    ];
  }
  return [
    {
      ...common,
      certainty: 'likely',
      what: `${sum}, off by ${percent(Math.abs(ttft + told - e2e) / e2e)}.`,
      effect:
        'The clocks are of different requests, or the output is shorter than stated (an early end of sequence): compare only what comes from one clock.',
    },
  ];
}

const near = (value: number, target: number, within = 0.12): boolean => Math.abs(value / target - 1) <= within;

const clockWords: Readonly<Record<string, string>> = {
  ttft: 'TTFT',
  tpot: 'TPOT',
  itl: 'ITL',
  e2e: 'E2E',
  perToken: 'E2E / n',
  queue: 'the queue time',
  prefill: 'the prefill time',
  decode: 'the decode time',
  clientQueue: 'the wait in the client',
};

/** Percentiles rise with their rank, and the mean lies between the extremes. */
export function percentileOrder({ clocks, where }: BenchmarkRun): readonly Finding[] {
  return Object.entries(clocks).flatMap(([clock, distribution]) => {
    const { percentiles, mean } = distribution;
    const falls = percentiles.find(({ value }, index) => value < (percentiles[index - 1]?.value ?? 0) * (1 - 1e-9));
    const [least, most] = [percentiles.find(({ rank }) => rank === 0), percentiles.find(({ rank }) => rank === 100)];
    const outside =
      mean !== undefined &&
      ((least !== undefined && mean < least.value * 0.999) || (most !== undefined && mean > most.value * 1.001));
    if (falls === undefined && !outside) return [];
    const finding: Finding = {
      rule: 'percentiles',
      where,
      severity: 'broken',
      certainty: 'certain',
      what:
        falls === undefined
          ? `The mean of ${clockWords[clock] ?? clock} lies outside its smallest and largest value.`
          : `${clockWords[clock] ?? clock} at p${falls.rank} is ${time(falls.value)}, less than at a lower rank.`,
      effect: 'Figures of different runs were put together: believe none of them.',
    };
    return [finding];
  });
}

/** Counts of tokens agree with each other: totals, means and rates. */
export function tokenTotals(run: BenchmarkRun): readonly Finding[] {
  const { tokens, throughput, seconds, requests, where } = run;
  const findings: Finding[] = [];
  const compare = (name: string, stated: number | undefined, counted: number | undefined, sum: string): void => {
    if (stated === undefined || counted === undefined || counted === 0 || stated === 0) return;
    const off = stated / counted - 1;
    if (Math.abs(off) <= 0.05) return;
    findings.push({
      rule: 'token-totals',
      where,
      severity: Math.abs(off) > 0.2 ? 'broken' : 'careful',
      certainty: 'certain',
      what: `${name} is ${digits(stated)}, but ${sum} = ${digits(counted)}.`,
      effect:
        'Throughput and lengths do not belong together: use the clocks, not the rates, or count tokens with the server.',
    });
  };
  const output = outputTokens(run);
  const input = inputTokens(run);
  const { completed } = requests;
  if (output !== undefined && completed !== undefined && seconds !== undefined) {
    const rate = (completed * output) / seconds;
    compare(
      'Output tokens/s',
      throughput.outputTokensPerSecond,
      rate,
      `${digits(completed)} requests x ${digits(output)} tokens / ${time(seconds)}`,
    );
  }
  if (tokens.outputTotal !== undefined && completed !== undefined && meanOf(tokens.output) !== undefined) {
    const mean = meanOf(tokens.output) ?? 0;
    compare(
      'The total of output tokens',
      tokens.outputTotal,
      completed * mean,
      `${digits(completed)} requests x ${digits(mean)} tokens`,
    );
  }
  const { outputTokensPerSecond, totalTokensPerSecond } = throughput;
  if (
    outputTokensPerSecond !== undefined &&
    totalTokensPerSecond !== undefined &&
    input !== undefined &&
    output !== undefined &&
    output > 0
  ) {
    compare(
      'Total tokens/s',
      totalTokensPerSecond,
      outputTokensPerSecond * (1 + input / output),
      `output tokens/s x (${digits(input)} + ${digits(output)}) / ${digits(output)}`,
    );
  }
  return findings;
}

/** Requests asked for, finished and failed add up, and few failed. */
export function requestCounts({ requests, where }: BenchmarkRun): readonly Finding[] {
  const { asked, completed, failed } = requests;
  if (completed === 0) {
    return [
      {
        rule: 'requests',
        where,
        severity: 'broken',
        certainty: 'certain',
        what: 'No request was completed.',
        effect: 'There is nothing to conclude.',
      },
    ];
  }
  const lost = failed ?? (asked === undefined || completed === undefined ? 0 : Math.max(0, asked - completed));
  const all = asked ?? (completed ?? 0) + lost;
  if (all === 0 || lost / all <= 0.01) return [];
  return [
    {
      rule: 'requests',
      where,
      severity: lost / all > 0.1 ? 'broken' : 'careful',
      certainty: 'certain',
      what: `${digits(lost)} of ${digits(all)} requests did not finish.`,
      effect: 'The slow ones may be those that are missing: percentiles are too good.',
    },
  ];
}
