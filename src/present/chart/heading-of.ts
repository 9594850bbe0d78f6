import type { Estimate } from '../../estimate.ts';
import type { Scenario } from '../../profile/scenario.ts';
import { deploymentTitle, gradeWords, workloadTitle } from '../scenario-title.ts';
import type { Heading } from './chart-frame.ts';

/** The heading of a chart about one scenario: what was asked, of what, and what the numbers rest on. */
export const headingOf = (title: string, scenario: Scenario, evidence: Estimate['evidence'], remark = ''): Heading => ({
  title,
  lines: [
    deploymentTitle(scenario.deployment),
    `${capital(workloadTitle(scenario.workload))}.`,
    `${capital(gradeWords(scenario, evidence))}.`,
    ...(remark === '' ? [] : [remark]),
  ],
});

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** What a shaded band means. */
export const bandWords = 'Bands: 80 % of measurements are expected inside.';
