import type { SimulatedWorkload } from '../serving/simulate/workload-spec.ts';
import { type Scenario, usualRouter } from '../profile/scenario.ts';
import type { Workload } from '../profile/workload.ts';
import type { Given, OptionTable } from './command.ts';
import { InputError } from './input-error.ts';
import { readLengths } from './read-lengths.ts';
import { readCount, readPositive } from './read-number.ts';
import { readSeconds } from './read-seconds.ts';

const group = 'Simulation';

/** Options of the event simulation beside those of a scenario. */
export const simulationOptions: OptionTable = {
  requests: { type: 'text', group, describe: 'requests in all (1000, or 10 for each in flight)' },
  seed: { type: 'text', group, describe: 'of the random numbers (1): the same seed gives the same bytes' },
  arrivals: {
    type: 'text',
    group,
    choices: ['poisson', 'constant', 'gamma', 'sessions'],
    describe: 'with --rate: poisson, constant, gamma or sessions of several turns (poisson)',
  },
  burstiness: { type: 'text', group, describe: 'shape of gamma gaps: 1 = Poisson, below it bunched (1)' },
  think: { type: 'text', group, describe: "mean pause before a user's next request: '2 s' (0)" },
  turns: { type: 'text', group, describe: 'turns of a session, a count or a distribution (5)' },
  'prompt-lengths': {
    type: 'text',
    group,
    describe: "instead of --prompt: 'uniform:100..900', 'normal:500,100', 'lognormal:500,0.8', 'empirical:100,200'",
  },
  'output-lengths': { type: 'text', group, describe: 'instead of --output, in the same forms' },
  'prefix-tokens': { type: 'text', group, describe: 'tokens that prompts of one group begin with alike (0)' },
  'prefix-groups': { type: 'text', group, describe: 'groups of prompts with a beginning of their own (1)' },
  'slo-ttft': { type: 'text', group, describe: "longest TTFT of a good answer: '200 ms'" },
  'slo-tpot': { type: 'text', group, describe: "longest TPOT of a good answer: '40 ms'" },
  'slo-e2e': { type: 'text', group, describe: "longest whole answer: '10 s'" },
  'warm-up': {
    type: 'text',
    group,
    describe: 'requests at the start not counted: detect, none or a count (detect with --rate)',
  },
  trace: {
    type: 'text',
    group,
    describe: 'requests of an Azure, BurstGPT, Mooncake, Vidur, splitwise or plain trace, .gz too',
  },
  'skip-bad': { type: 'flag', group, describe: 'leave bad lines of a trace out and count them' },
};

/** What the options say of the simulated workload; load and router are those of the scenario. */
export async function readSimulation(
  given: Given,
  { workload: { prompt, output, cached, load }, deployment: { router } }: Scenario,
): Promise<{ readonly workload: SimulatedWorkload; readonly seed: number }> {
  const { text } = given;
  const think = text['think'] === undefined || text['think'] === '0' ? 0 : ((await readSeconds(given, 'think')) ?? 0);
  const prefixTokens = text['prefix-tokens'];
  const [ttft, tpot, e2e] = await Promise.all(
    ['slo-ttft', 'slo-tpot', 'slo-e2e'].map((name) => readSeconds(given, name)),
  );
  const arrivals = arrivalsOf(text, load, think);
  const byDefault = load.kind === 'batch' ? load.size : load.kind === 'concurrency' ? 10 * load.size : 1000;
  return {
    workload: {
      arrivals,
      prompt:
        text['prompt-lengths'] === undefined
          ? { kind: 'fixed', tokens: prompt }
          : readLengths('prompt-lengths', text['prompt-lengths']),
      output:
        text['output-lengths'] === undefined
          ? { kind: 'fixed', tokens: output }
          : readLengths('output-lengths', text['output-lengths']),
      requests: text['requests'] === undefined ? byDefault : readCount('requests', text['requests']),
      cached,
      ...(prefixTokens === undefined
        ? {}
        : {
            prefix: {
              tokens: readCount('prefix-tokens', prefixTokens),
              groups: readCount('prefix-groups', text['prefix-groups'] ?? '1'),
            },
          }),
      router: router ?? usualRouter,
      objectives: {
        ...(ttft === undefined ? {} : { ttft }),
        ...(tpot === undefined ? {} : { tpot }),
        ...(e2e === undefined ? {} : { e2e }),
      },
      warmUp: warmUpOf(text['warm-up'], load.kind === 'rate'),
    },
    seed: text['seed'] === undefined ? 1 : readCount('seed', text['seed']),
  };
}

function arrivalsOf(text: Given['text'], load: Workload['load'], think: number): SimulatedWorkload['arrivals'] {
  const kind = text['arrivals'];
  if (load.kind !== 'rate') {
    if (kind !== undefined)
      throw new InputError(
        `--arrivals is '${kind}', which needs --rate; a batch or a number in flight has no arrivals of its own.`,
      );
    return load.kind === 'batch' ? { kind: 'burst' } : { kind: 'closed', concurrency: load.size, think };
  }
  const rate = load.requestsPerSecond;
  switch (kind ?? 'poisson') {
    case 'constant':
      return { kind: 'constant', rate };
    case 'gamma':
      return {
        kind: 'gamma',
        rate,
        burstiness: readPositive('burstiness', text['burstiness'] ?? '1', 'a number above 0 such as 0.5'),
      };
    case 'sessions':
      return { kind: 'sessions', rate, think, turns: readLengths('turns', text['turns'] ?? '5') };
    default:
      return { kind: 'poisson', rate };
  }
}

function warmUpOf(text: string | undefined, isOpen: boolean): SimulatedWorkload['warmUp'] {
  if (text === undefined) return isOpen ? 'detect' : 'none';
  return text === 'detect' || text === 'none' ? text : readCount('warm-up', text);
}
