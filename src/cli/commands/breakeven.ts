import { clockTime, digits, grouped, percent } from '../../present/clock-time.ts';
import { screenWidth } from '../../present/estimate-text.ts';
import { plainText } from '../../present/plain-text.ts';
import { deploymentTitle, workloadTitle } from '../../present/scenario-title.ts';
import { wrapText } from '../../present/wrap-text.ts';
import { checkScenario } from '../../profile/check-scenario.ts';
import type { Scenario } from '../../profile/scenario.ts';
import { formatRounded } from '../../quantity/format-quantity.ts';
import * as solve from '../../whatif/break-even.ts';
import { applyLevers, type Lever } from '../../whatif/lever.ts';
import type { Command, Given, Outcome, Surroundings } from '../command.ts';
import { InputError } from '../input-error.ts';
import { unknownQuestion, wrongLevers } from '../messages.ts';
import { jsonText } from '../output-format.ts';
import { readScenario } from '../read-scenario.ts';
import { readSeconds } from '../read-seconds.ts';
import { scenarioOptions } from '../scenario-options.ts';
import { changeOption, pricesOf, readChanges } from '../what-if-choices.ts';

/** A value and the sentence that says it. */
interface Answer {
  readonly value: unknown;
  readonly sentence: string;
}

interface Asked {
  readonly scenario: Scenario;
  readonly levers: readonly Lever[];
  readonly ttft: number | undefined;
}

/** Questions, each with what it wants and how it is answered. */
const questions: Readonly<
  Record<string, { readonly about: string; readonly answer: (asked: Asked) => Answer | Promise<Answer> }>
> = {
  load: {
    about: 'load at which a --change (weights=int4, say) stops shortening TPOT',
    answer: ({ scenario, levers }) => {
      const lever = oneLever('load', levers, 'one lever, such as --change weights=int4');
      const found = solve.loadWhereLeverStops(scenario, lever);
      const name = plainText(lever.label);
      return {
        value: found,
        sentence:
          found.value === undefined
            ? `${name} ${found.ends[0] < 0 ? 'shortens' : 'does not shorten'} TPOT at any ${found.variable} up to ${grouped(found.between[1])}.`
            : `${name} ${found.ends[0] < 0 ? 'stops' : 'starts'} shortening TPOT at a ${found.variable} of ${digits(found.value)}.`,
      };
    },
  },
  tp: {
    about: 'tensor ranks behind which TPOT turns up',
    answer: ({ scenario }) => {
      const found = solve.ranksWhereTpotTurns(scenario);
      const curve = found.curve.map(({ tensor, tpot }) => `TP ${tensor} ${clockTime(tpot)}`).join(', ');
      return { value: found, sentence: `TPOT is shortest with TP ${found.best}: ${curve}.` };
    },
  },
  bound: {
    about: 'loads at which TPOT leaves one resource for another',
    answer: ({ scenario }) => {
      const found = solve.loadWhereBoundChanges(scenario, 'tpot');
      return {
        value: found,
        sentence:
          found.length === 0
            ? 'TPOT stays on the same resource at any load.'
            : `TPOT ${found.map(({ size, from, to }) => `goes from ${from} to ${to} at ${grouped(size)} requests`).join(', then ')}.`,
      };
    },
  },
  hit: {
    about: 'prefix-cache hit rate needed for a --ttft',
    answer: ({ scenario, ttft }) => {
      if (ttft === undefined) throw new InputError(wrongLevers('hit', "a target such as --ttft '200 ms'"));
      const found = solve.hitRateForTtft(scenario, ttft);
      return {
        value: found,
        sentence:
          found.value !== undefined
            ? `TTFT meets ${clockTime(ttft)} with a hit rate of ${percent(found.value)}.`
            : found.ends[0] <= 0
              ? `TTFT meets ${clockTime(ttft)} without any hit.`
              : `No hit rate brings TTFT to ${clockTime(ttft)}.`,
      };
    },
  },
  acceptance: {
    about: 'acceptance above which a --change speculation=... pays',
    answer: ({ scenario, levers }) => {
      const wanted = 'one lever, such as --change speculation=eagle:k=3:acceptance=0.7';
      const { speculation } = applyLevers([oneLever('acceptance', levers, wanted)], scenario).deployment;
      if (speculation === undefined) throw new InputError(wrongLevers('acceptance', wanted));
      const found = solve.acceptanceThatPays(scenario, speculation);
      return {
        value: found,
        sentence:
          found.value === undefined
            ? `Drafting ${speculation.tokens} tokens ${found.ends[1] < 0 ? 'pays at any acceptance' : 'never pays'}.`
            : `Drafting ${speculation.tokens} tokens pays above an acceptance of ${digits(found.value)}.`,
      };
    },
  },
  prompt: {
    about: 'prompt length at which prefill leaves its floor of weights and overhead',
    answer: ({ scenario }) => {
      const found = solve.promptWherePrefillComputes(scenario);
      return {
        value: found,
        sentence:
          found.value === undefined
            ? 'Prefill is on one side of its floor at any length.'
            : `Below ${grouped(Math.round(found.value))} prompt tokens TTFT is mostly weights and overhead, which a shorter prompt does not shorten.`,
      };
    },
  },
  context: {
    about: 'context at which a decode step reads as much KV cache as weights',
    answer: ({ scenario }) => {
      const found = solve.contextWhereCacheEqualsWeights(scenario);
      return {
        value: found,
        sentence:
          found.value === undefined
            ? 'The KV cache never weighs as much as the weights.'
            : `From ${grouped(Math.round(found.value))} tokens of context on, a decode step reads more KV cache than weights.`,
      };
    },
  },
  replicas: {
    about: 'replicas that keep up with a --rate',
    answer: ({ scenario }) => {
      const found = solve.replicasForRate(scenario);
      if (found === undefined) throw new InputError(wrongLevers('replicas', 'a load such as --rate 20'));
      return {
        value: found,
        sentence: `Each replica takes up to ${digits(found.eachTakes)} requests/s, so it takes at least ${grouped(found.replicas)}.`,
      };
    },
  },
  price: {
    about: 'price at which the device of a --change hardware=... is as cheap per token',
    answer: async ({ scenario, levers }) => {
      const lever = oneLever('price', levers, 'one lever, such as --change hardware=h200');
      const found = solve.priceWhereOtherWins(scenario, lever, await pricesOf());
      const hourly = (dollars: number): string => formatRounded(dollars, 'price');
      return {
        value: found ?? null,
        sentence:
          found === undefined
            ? `No price of ${scenario.deployment.hardware.title} is known.`
            : `${plainText(lever.label)} is cheaper per token below ${hourly(found.dollarsPerSecond)} a device (now ${found.now === undefined ? 'unknown' : hourly(found.now)}; ${scenario.deployment.hardware.title} costs ${hourly(found.ownDollarsPerSecond)}).`,
      };
    },
  },
};

export const breakEvenCommand: Command = {
  positionals: '<question>',
  counts: [1, 1],
  options: {
    ...scenarioOptions,
    ...changeOption,
    ttft: { type: 'text', group: 'Target', describe: "time to the first token to meet: '200 ms'" },
    json: { type: 'flag', group: 'Output', describe: 'the documented JSON object' },
  },
  epilogue: `Questions
${Object.entries(questions)
  .map(([name, { about }]) => `  ${name.padEnd(12)}${about}`)
  .join('\n')}

Examples
  twoclocks breakeven load -m llama-3.1-8b -g h100 --batch 1 --change weights=int4
  twoclocks breakeven hit -m llama-3.1-8b -g h100 --prompt 16k --ttft '100 ms'`,
  run,
};

async function run(given: Given, { catalog }: Surroundings): Promise<Outcome> {
  const [name = ''] = given.positionals;
  const question = Object.hasOwn(questions, name) ? questions[name] : undefined;
  if (question === undefined) throw new InputError(unknownQuestion(name, Object.keys(questions)));
  const { scenario } = await readScenario(given, catalog);
  checkScenario(scenario);
  const levers = (await readChanges(given, catalog)).flatMap((change) => change.levers);
  const { value, sentence } = await question.answer({ scenario, levers, ttft: await readSeconds(given, 'ttft') });
  if (given.flags.has('json')) {
    return { output: jsonText({ schema: 'twoclocks/breakeven@1', question: name, answer: value, sentence }), code: 0 };
  }
  const lines = [
    ...wrapText(deploymentTitle(scenario.deployment), screenWidth, 2),
    workloadTitle(scenario.workload),
    '',
    ...wrapText(sentence, screenWidth, 2),
  ];
  return { output: `${lines.join('\n')}\n`, code: 0 };
}

function oneLever(question: string, levers: readonly Lever[], expected: string): Lever {
  const [lever] = levers;
  if (lever === undefined || levers.length > 1) throw new InputError(wrongLevers(question, expected));
  return lever;
}
