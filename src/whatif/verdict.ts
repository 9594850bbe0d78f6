import type { Estimate } from '../estimate.ts';
import type { Workload } from '../profile/workload.ts';
import { formatRounded } from '../quantity/format-quantity.ts';
import type { Clock } from '../serving/clock.ts';
import type { Ceiling, ClockCeiling } from './ceiling.ts';
import { bindingGroup, groupTotal, type RateGroup, rateGroups } from './rate-group.ts';

export type Moved = 'ttft' | 'tpot' | 'both' | 'neither';

/** Smaller changes than this are lost between two runs of the same benchmark. */
export const noticeable = 0.03;

/** A clock with less than this share of the whole request does not decide what a user waits for. */
const small = 0.1;

const moves = (before: Clock, after: Clock): boolean => Math.abs(after.seconds / before.seconds - 1) > noticeable;

const isUnstable = ({ load }: Estimate): boolean => load.stability?.verdict === 'unstable';

/**
 * Which clocks a change moves by more than 3 %. An answer of one token has no TPOT; a queue that grows without end, or
 * does so no longer, moves TTFT whatever the number.
 */
export function movedClocks(before: Estimate, after: Estimate, output: number): Moved {
  const first = isUnstable(before) === isUnstable(after) ? moves(before.ttft, after.ttft) : true;
  const next = output > 1 && moves(before.tpot, after.tpot);
  if (first && next) return 'both';
  return first ? 'ttft' : next ? 'tpot' : 'neither';
}

const headlines: Readonly<Record<Moved, string>> = {
  ttft: 'Moves TTFT, not TPOT',
  tpot: 'Moves TPOT, not TTFT',
  both: 'Moves both clocks',
  neither: 'Moves neither clock',
};

/** What a change of device brings, after / before per device. */
export interface RateRatios {
  readonly flops: number;
  readonly bandwidth: number;
}

/**
 * The answer in words: which clock moves and by how much, what each clock was on and is on now, and what no more of
 * that would take away. Where requests pile up there is no TTFT to state, only that it grows.
 */
export function verdictOf(
  before: Estimate,
  after: Estimate,
  ceiling: Ceiling,
  { output, load }: Workload,
  rates: RateRatios | undefined,
): string {
  const moved = movedClocks(before, after, output);
  const decodes = output > 1;
  const piles = isUnstable(after);
  const headline = decodes ? headlines[moved] : headlines[moved].replace(', not TPOT', '');
  const clocks = [
    piles
      ? 'TTFT grows without end'
      : isUnstable(before)
        ? `TTFT grew without end and is ${seconds(after.ttft.seconds)} now`
        : `TTFT ${change(before.ttft, after.ttft)}`,
    ...(decodes ? [`TPOT ${change(before.tpot, after.tpot)}`] : []),
  ];
  const sentences = [
    ...(after.memory.fits
      ? []
      : [`Does not fit: each device is short of ${formatRounded(after.memory.shortBy, 'bytes')}.`]),
    ...(piles && load.kind === 'rate' ? [unstable(after, load.requestsPerSecond)] : []),
    `${headline}: ${clocks.join(', ')}.`,
    ...(rates === undefined
      ? []
      : [`Each device has ${times(rates.flops)} the FLOP/s and ${times(rates.bandwidth)} the memory bandwidth.`]),
    ...(piles ? [] : [reason('TTFT', before.ttft, after.ttft, ceiling.ttft)]),
    ...(decodes ? [reason('TPOT', before.tpot, after.tpot, ceiling.tpot)] : []),
    ...(piles || isUnstable(before) ? [] : wholeRequest(before, after, moved)),
  ];
  return sentences.join(' ');
}

/** More arrive than leave: how many times the groups of devices would do. */
function unstable({ load }: Estimate, arriving: number): string {
  const largest = load.stability?.largestRate ?? 0;
  const more = arriving / largest;
  return `Unstable: ${rate(arriving)} arrive and ${rate(largest)} leave at most; it takes ${more.toFixed(2)} times as many replicas.`;
}

const times = (ratio: number): string => `${ratio.toPrecision(3)} times`;

const rate = (requests: number): string => formatRounded(requests, 'request-rate');

const change = (before: Clock, after: Clock): string =>
  `${seconds(before.seconds)} to ${seconds(after.seconds)} (${signed(after.seconds / before.seconds - 1)})`;

/** Why a clock moves or stays: what it was on, what it is on now, and the most that more of it could do. */
function reason(name: string, before: Clock, after: Clock, ceiling: ClockCeiling): string {
  const was = bindingGroup(before);
  const is = bindingGroup(after);
  const on =
    was.group === is.group
      ? `${name} was and stays on ${is.group.words} (${percent(was.share)}, now ${percent(is.share)})`
      : `${name} was on ${was.group.words} (${percent(was.share)}) and is on ${is.group.words} now (${percent(is.share)})`;
  const why = moves(before, after) ? `; ${mostOf(before, after)}` : '';
  return `${on}${why}; with no limit there ${seconds(ceiling.seconds)} would be left.`;
}

/** The part of the breakdown that most of a change comes from. */
function mostOf(before: Clock, after: Clock): string {
  const parts = rateGroups.map((group) => ({
    group,
    was: groupTotal(before.breakdown, group),
    is: groupTotal(after.breakdown, group),
  }));
  const falls = after.seconds < before.seconds;
  const [most] = parts.toSorted((a, b) => (falls ? a.is - a.was - (b.is - b.was) : b.is - b.was - (a.is - a.was)));
  return most === undefined ? '' : `${spent(most.group)} goes from ${seconds(most.was)} to ${seconds(most.is)}`;
}

const spent = ({ name, words }: RateGroup): string => (name === 'queue' ? 'waiting for others' : `time on ${words}`);

/** A clock may move without anybody noticing, where it is a small part of the request. */
function wholeRequest(before: Estimate, after: Estimate, moved: Moved): readonly string[] {
  const ratio = after.e2e.seconds / before.e2e.seconds - 1;
  const share = before.ttft.seconds / before.e2e.seconds;
  if (moved === 'ttft' && share < small && Math.abs(ratio) <= noticeable) {
    return [
      `The whole request hardly changes (${signed(ratio)}): TTFT is ${percent(share)} of its ${seconds(before.e2e.seconds)}.`,
    ];
  }
  return [`The whole request takes ${seconds(after.e2e.seconds)} (${signed(ratio)}).`];
}

const seconds = (value: number): string => formatRounded(value, 'time');

const percent = (share: number): string => `${(100 * share).toFixed(share > 0 && share < 0.095 ? 1 : 0)} %`;

const signed = (share: number): string => {
  const value = Math.abs(100 * share);
  const digits = value < 9.95 ? value.toFixed(1) : value.toFixed(0);
  return `${share < 0 ? '-' : '+'}${digits} %`;
};
