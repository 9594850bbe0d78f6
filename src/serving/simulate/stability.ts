import type { SimulationResult } from './simulation-result.ts';
import type { Tally } from './tally.ts';

/** More requests were present at the end than in the middle by this share of those that came in between: they arrive faster than they leave. */
const growthShare = 0.0075;

/** Growth that a few requests more or less explain. */
const growthLeast = 20;

/** So many times what can run at once, and requests wait for a place. */
const queueingTimes = 1.2;

/** Waits beyond the few steps that planning takes are waits for a place. */
const longWaitSteps = 4;

/** Busy for more than this share of the time, a queue with one place is dominated by chance. */
const nearSaturation = 0.9;

/** Whether more requests arrived than left, as far as a finite run can tell. */
export function stabilityOf(tally: Tally, isOpen: boolean, servers: number): SimulationResult['stability'] {
  if (!isOpen) {
    return {
      verdict: 'not an arrival rate',
      reason: 'each request waits for an answer before it, so no queue can grow without end',
    };
  }
  const { bins, width } = tally.series;
  const lastSent = tally.sentAt[Math.max(0, tally.sent - 1)] ?? 0;
  const until = Math.floor(lastSent / width);
  /** Mean number present over a share of the time in which requests arrived. */
  const presentIn = (from: number, to: number): number => {
    let present = 0;
    let sum = 0;
    let count = 0;
    for (let index = 0; index < Math.min(bins.length, Math.max(1, to * until)); index++) {
      const { arrivals = 0, completions = 0, refusals = 0 } = bins[index] ?? {};
      present += arrivals - completions - refusals;
      if (index < from * until) continue;
      sum += present;
      count += 1;
    }
    return count === 0 ? present : sum / count;
  };
  const middle = presentIn(3 / 8, 1 / 2);
  const end = presentIn(7 / 8, 1);
  const between = tally.sent / 2;
  // A run that is short against what is under way at once has not settled by its middle, unless requests wait already.
  const places = tally.mostRunning * servers;
  const hasSettled = between > 2 * places || end > queueingTimes * places;
  if (hasSettled && end - middle > Math.max(growthLeast, growthShare * between)) {
    return {
      verdict: 'unstable',
      reason: `more requests arrived than left: ${middle.toFixed(0)} were present in the middle of the run, ${end.toFixed(0)} at its last arrivals`,
    };
  }
  return waitsLong(tally, lastSent * servers)
    ? {
        verdict: 'near saturation',
        reason: 'requests wait for a place nearly always, but the queue did not keep growing',
      }
    : {
        verdict: 'stable',
        reason: hasSettled
          ? 'the queue did not grow while requests arrived'
          : 'the queue stayed short, but the run is too short to tell whether it would grow',
      };
}

function waitsLong({ wait, sent, gaps, busySeconds }: Tally, time: number): boolean {
  if (gaps.count === 0) return time > 0 && busySeconds / time > nearSaturation;
  let sum = 0;
  let count = 0;
  for (let id = 0; id < sent; id++) {
    const seconds = wait[id] ?? Number.NaN;
    if (Number.isNaN(seconds)) continue;
    sum += seconds;
    count += 1;
  }
  return count > 0 && sum / count > (longWaitSteps * gaps.sum) / gaps.count;
}
