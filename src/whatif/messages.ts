/*
 * Every sentence of what-if for people: why a change cannot be read or does not apply, and what to do instead.
 */

// Reading a change

export const notAChange = (text: string): string =>
  `'${shortened(text)}' changes nothing; expected a lever and its value such as 'tp=8', 'hardware=h200' or 'weights=int4,kv=fp8'.`;

export const tooLong = (characters: number, limit: number): string =>
  `a change of ${characters} characters is longer than any needs; expected at most ${limit}.`;

export const unknownLever = (name: string, nearest: string | undefined, known: readonly string[]): string =>
  `there is no lever '${shortened(name)}'${nearest === undefined ? '' : `; nearest: '${nearest}'`}. Levers are ${known.join(', ')}, and fields such as hardware.memory.bandwidth.`;

export const unknownField = (path: string, nearest: string | undefined): string =>
  `there is no field '${shortened(path)}' to change${nearest === undefined ? '' : `; nearest: '${nearest}'`}.`;

export const notACount = (name: string, text: string): string =>
  `${name} is '${shortened(text)}'; expected a whole number of at least 1 such as 8, 2000 or 2k.`;

export const notANumber = (name: string, text: string, expected: string): string =>
  `${name} is '${shortened(text)}'; expected ${expected}.`;

export const unknownChoice = (name: string, text: string, choices: readonly string[]): string =>
  `${name} is '${shortened(text)}'; expected one of ${choices.join(', ')}.`;

export const missingPart = (name: string, part: string, example: string): string =>
  `${name} does not say its ${part}; expected for example '${example}'.`;

export const contradiction = (one: string, other: string, part: string): string =>
  `'${shortened(one)}' and '${shortened(other)}' contradict each other: both set ${part}; leave one of them out, or give them as changes of their own.`;

export const relativeOnly = (path: string, text: string): string =>
  `${path} is '${shortened(text)}'; it stands for the peaks of all formats, expected a factor such as '*1.5'.`;

export const noFieldYet = (path: string, device: string): string =>
  `${device} has no ${path}, so nothing can be changed in it.`;

export const tooManyLevers = (levers: number, most: number): string =>
  `${levers} levers have more orders than can be weighed; expected at most ${most}.`;

// Applying a change

export const refused = (change: string, reason: string): string => `'${change}' does not apply: ${reason}`;

export const devicesDoNotDivide = (devices: number, others: number): string =>
  `${devices} devices cannot be shared by the ${others} groups of the other ranks; expected a multiple of ${others}.`;

export const groupsAreDisaggregated = (name: string): string =>
  `prefill and decode have groups of their own here, so ${name} follows from 'disaggregate=...'; change that.`;

export const noGraphsToTurn = (engine: string): string =>
  `${engine} launches nothing, so there are no graphs to turn on or off.`;

export const samplerUnknown = (engine: string): string =>
  `what choosing tokens costs under ${engine} is not known; its sampler counts as the largest logit alone.`;

export const noPrefixCache = (engine: string, release: string): string =>
  `${engine} ${release} keeps no prefix cache; expected an engine or release that does.`;

export const hitRateOutside = (share: number): string => `the hit rate is ${share}; expected a share between 0 and 1.`;

export const acceptanceOutside = (share: number): string =>
  `the acceptance is ${share}; expected the chance that a drafted token is kept, between 0 and 1.`;

export const nothingDecoded: string = 'an answer of one token is never decoded, so there is nothing to draft.';

export const disaggregationWantsDataOne: string =
  'data parallel groups share their experts, so that prefill and decode cannot be split among them; expected dp = 1.';

export const noPowerLimit = (device: string): string =>
  `the power limit of ${device} is not known, so a cap has nothing to go by.`;

export const powerAbove = (watts: number, device: string, limit: number): string =>
  `${watts} W is above the ${limit} W that ${device} takes; expected less.`;

export const powerBelow = (watts: number, least: number): string =>
  `${watts} W is below the ${Math.round(least)} W that leakage, memory and board take by themselves; expected more.`;

// Cautions: what a lever may cost that no clock shows

export const losesDetail = (noun: string, bits: number): string =>
  `${noun} of ${Math.round(bits * 100) / 100} bits may answer worse: check the quality on your own prompts.`;

export const roundsCache = (bits: number): string =>
  `a KV cache of ${Math.round(bits * 100) / 100} bits rounds what the model remembers: check long contexts.`;

export const speculationVaries: string = 'the acceptance depends on what is written: measure it on your own prompts.';

/** A user's text as a short quotation without control characters. */
function shortened(text: string): string {
  const clean = text.slice(0, 200).replace(/\p{Cc}/gu, ' ');
  return clean.length <= 60 ? clean : `${clean.slice(0, 57)}...`;
}
