import type { Estimate } from '../../estimate.ts';
import type { Scenario } from '../../profile/scenario.ts';
import { formatRounded } from '../../quantity/format-quantity.ts';
import { grows, growsWords } from '../grows.ts';
import { deploymentTitle, gradeWords, workloadTitle } from '../scenario-title.ts';
import type { Heading } from './chart-frame.ts';

/** The heading of a chart about one scenario: what was asked, of what, and what the numbers rest on. */
export function headingOf(
  title: string,
  scenario: Scenario,
  now: Pick<Estimate, 'evidence' | 'load' | 'memory'>,
  remark = '',
): Heading {
  const { load } = scenario.workload;
  return {
    title,
    lines: [
      deploymentTitle(scenario.deployment),
      `${capital(workloadTitle(scenario.workload))}.`,
      ...(grows(now) && load.kind === 'rate'
        ? [`Unstable: ${growsWords(load.requestsPerSecond, now)}; TTFT grows as long as this load lasts.`]
        : []),
      ...(now.memory.fits
        ? []
        : [
            `It does not fit: each device is short of ${formatRounded(now.memory.shortBy, 'bytes')}; times are those if it did.`,
          ]),
      `${capital(gradeWords(scenario, now.evidence))}.`,
      ...(remark === '' ? [] : [remark]),
    ],
  };
}

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** What a shaded band means. */
export const bandWords = 'Bands: 80 % of measurements are expected inside.';
