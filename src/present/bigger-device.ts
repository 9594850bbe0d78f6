import type { Estimate } from '../estimate.ts';
import type { Hardware } from '../profile/hardware.ts';
import type { Scenario } from '../profile/scenario.ts';
import { matrixFormats } from '../quantity/matrix-format.ts';
import { engineLimits } from '../roofline/engine-limits.ts';
import type { Clock } from '../serving/clock.ts';
import { alignColumns } from './align-columns.ts';
import { clockTime, grouped, percent } from './clock-time.ts';
import { plainText } from './plain-text.ts';
import { levers, total } from './what-binds.ts';
import { wrapText } from './wrap-text.ts';

export interface Estimated {
  readonly scenario: Scenario;
  readonly estimate: Estimate;
}

/** A clock that changes by less than this does not move. */
const still = 0.05;
const width = 100;

/** Whether another device would help: which clock it moves, by how much, and why. */
export function biggerDeviceText(base: Estimated, others: readonly Estimated[]): string {
  const rows = others.map((other) => {
    const { ttft, tpot } = other.estimate;
    return [
      `  ${plainText(shortTitle(other.scenario.deployment.hardware))}`,
      `TTFT ${clockTime(ttft.seconds)} (${change(base.estimate.ttft, ttft)})`,
      `TPOT ${clockTime(tpot.seconds)} (${change(base.estimate.tpot, tpot)})`,
      verdict(base, other),
    ];
  });
  const reasons = [
    ...others.map((other) => advantage(base, other)),
    `Why: TTFT reacts ${shares(base.estimate.ttft)}; TPOT reacts ${shares(base.estimate.tpot)}.`,
    ...others.flatMap((other) => otherBudget(base, other)),
  ];
  const lines = [...alignColumns(rows), ...reasons.flatMap((text) => wrapText(`  ${text}`, width, 4))];
  return `Would a bigger GPU help?\n${lines.join('\n')}\n`;
}

const ratio = (before: Clock, after: Clock): number => after.seconds / before.seconds - 1;

function change(before: Clock, after: Clock): string {
  const share = ratio(before, after);
  return `${share > 0 ? '+' : '-'}${percent(Math.abs(share))}`;
}

function verdict(base: Estimated, other: Estimated): string {
  const moved = (['ttft', 'tpot'] as const).filter(
    (name) => Math.abs(ratio(base.estimate[name], other.estimate[name])) >= still,
  );
  const [only] = moved;
  if (only === undefined) return 'moves neither clock';
  return moved.length === 2 ? 'moves both clocks' : `moves ${only.toUpperCase()} only`;
}

function advantage(base: Estimated, other: Estimated): string {
  const before = base.scenario.deployment.hardware;
  const after = other.scenario.deployment.hardware;
  const has = [
    `${times(after.memory.bandwidth / before.memory.bandwidth)} the memory bandwidth`,
    `${times(peakRatio(before, after))} the FLOP/s`,
    ...(before.link.bandwidth > 0 && after.link.bandwidth > 0
      ? [`${times(after.link.bandwidth / before.link.bandwidth)} the link`]
      : []),
  ];
  return `${plainText(shortTitle(after))} has ${has.join(', ')}.`;
}

/** '62 % to FLOP/s and 14 % to memory bandwidth'. */
function shares({ elasticity }: Clock): string {
  const scored = levers
    .map((lever) => ({ more: lever.more, share: total(elasticity, lever.resources) }))
    .filter(({ share }) => share >= 0.05)
    .toSorted((a, b) => b.share - a.share)
    .map(({ more, share }) => `${percent(share)} to ${more}`);
  const last = scored.pop();
  return last === undefined
    ? 'to no rate of the chip'
    : [...(scored.length === 0 ? [] : [scored.join(', ')]), last].join(' and ');
}

/** An engine may cut prompts otherwise on a larger device, which moves TTFT by itself. */
function otherBudget(base: Estimated, other: Estimated): readonly string[] {
  if (base.scenario.grade === 'ideal') return [];
  const [before, after] = [base, other].map(({ scenario: { deployment } }) =>
    engineLimits(deployment.release, deployment.hardware),
  );
  if (before === undefined || after === undefined || before.tokenBudget === after.tokenBudget) return [];
  const { hardware, engine } = other.scenario.deployment;
  return [
    `On ${plainText(shortTitle(hardware))}, ${plainText(engine.title)} takes ${grouped(after.tokenBudget)} tokens a step instead of ${grouped(before.tokenBudget)}: prompts that arrive together then wait for one longer step.`,
  ];
}

const times = (factor: number): string => `${factor.toPrecision(3)} x`;

/** Ratio of the peaks in 16 bits, or in the first format that both have. */
function peakRatio(before: Hardware, after: Hardware): number {
  for (const format of ['bf16', 'fp16', ...matrixFormats] as const) {
    const [old, next] = [before.matrix[format], after.matrix[format]];
    if (old !== undefined && next !== undefined) return next / old;
  }
  return 1;
}

const shortTitle = ({ title, vendor }: Hardware): string =>
  title.startsWith(`${vendor} `) ? title.slice(vendor.length + 1) : title;
