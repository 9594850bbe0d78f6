import type { Estimate } from '../../estimate.ts';
import { tokensPerStep } from '../../phase/speculative.ts';
import type { Scenario, Speculation } from '../../profile/scenario.ts';
import { formatRounded } from '../../quantity/format-quantity.ts';
import type { StepExplanation } from '../../serving/explanation.ts';
import { type DerivationLine, equation, plain, rounding, share, time } from './derivation-line.ts';

type SumTerm = readonly [words: string, expression: string, seconds: number];

/** TTFT from the prefill steps, the request's own costs, the way to another pool, and what waits in front. */
export function firstTokenLines(
  { ttft }: Estimate,
  prefill: StepExplanation,
  request: number,
  transfer: number,
): readonly DerivationLine[] {
  const { steps, seconds } = prefill;
  return clockLines(
    'TTFT',
    ttft.seconds,
    [
      ['prefill steps', `${share(steps)} * ${time(seconds)}`, steps * seconds],
      ['request: API, tokenising, return', time(request), request],
      ['KV cache on its way to a decode group, as far as prefill does not hide it', time(transfer), transfer],
    ],
    'steps and prompts of other requests in front',
  );
}

/** TPOT from the mean decode step, the tokens kept of it, and the prompts that share its steps. */
export function tokenLines(
  { tpot }: Estimate,
  decode: StepExplanation,
  speculation: Speculation | undefined,
): readonly DerivationLine[] {
  const rest = 'prompts of other requests in the same steps';
  if (speculation === undefined)
    return clockLines('TPOT', tpot.seconds, [['decode step', time(decode.seconds), decode.seconds]], rest);
  const kept = tokensPerStep(speculation);
  const { tokens, acceptance } = speculation;
  const sum = Array.from({ length: tokens }, (_, index) => ` + ${acceptance}^${index + 1}`);
  const step = `${time(decode.seconds)} / ${share(kept)}`;
  return [
    ...(tokens > mostWritten
      ? [plain(`Tokens kept of a step: 1 + acceptance + ... + acceptance^${tokens} = ${share(kept)}`)]
      : [equation('Tokens kept of a step: 1 + acceptance + ...', `1${sum.join('')}`, kept, 'ratio')]),
    ...clockLines('TPOT', tpot.seconds, [['decode step, by the tokens kept of it', step, decode.seconds / kept]], rest),
  ];
}

/** Terms of a sum that are written out. */
const mostWritten = 16;

function clockLines(
  name: string,
  seconds: number,
  terms: readonly SumTerm[],
  restWords: string,
): readonly DerivationLine[] {
  const used = terms.filter(([, , part]) => part > 0);
  const rest = seconds - used.reduce((total, [, , part]) => total + part, 0);
  const shown: readonly SumTerm[] =
    Math.abs(rest) < rounding * seconds ? [] : [[restWords, time(Math.abs(rest)), rest]];
  const all = [...used, ...shown];
  return [
    equation(
      name,
      all.map(([, expression, part], index) => `${part < 0 ? ' - ' : index === 0 ? '' : ' + '}${expression}`).join(''),
      seconds,
    ),
    ...all.map(([words, , part]) =>
      plain(`  ${part < 0 ? 'less ' : ''}${words}: ${formatRounded(Math.abs(part), 'time')}`),
    ),
  ];
}

/** The whole request, and how many of them and of their tokens leave in a second. */
export function requestLines(
  { workload }: Scenario,
  { ttft, tpot, e2e, throughput, load }: Estimate,
): readonly DerivationLine[] {
  const { output } = workload;
  const answer =
    output === 1
      ? equation('E2E', time(ttft.seconds), e2e.seconds)
      : equation('E2E', `${time(ttft.seconds)} + (${output} - 1) * ${time(tpot.seconds)}`, e2e.seconds);
  const { requestsPerSecond: rate, outputTokensPerSecond, outputTokensPerSecondPerDevice } = throughput;
  const tokens = `${digits(rate)} req/s * ${output} tok/req`;
  return [
    answer,
    equation('requests', ratePerSecond(workload.load, e2e.seconds, load), rate, 'request-rate'),
    equation('output tokens', tokens, outputTokensPerSecond, 'token-rate'),
    ...(load.devices === 1
      ? []
      : [
          equation(
            '  per device',
            `${digits(outputTokensPerSecond)} tok/s / ${load.devices}`,
            outputTokensPerSecondPerDevice,
            'token-rate',
          ),
        ]),
    ...(output === 1
      ? []
      : [equation('  per user', `1 tok / ${time(tpot.seconds)}`, throughput.tokensPerSecondPerUser, 'token-rate')]),
  ];
}

/** Those in the system over their time in it; of an arrival rate what arrives as long as it also leaves. */
function ratePerSecond(load: Scenario['workload']['load'], seconds: number, { stability }: Estimate['load']): string {
  if (load.kind !== 'rate') return `${load.size} req / ${time(seconds)}`;
  const arriving = `${digits(load.requestsPerSecond)} req/s`;
  const largest = stability?.largestRate ?? Infinity;
  return largest === Infinity ? arriving : `min(${arriving}, ${digits(largest)} req/s)`;
}

const digits = share;
