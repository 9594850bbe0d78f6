import type { Estimate } from '../estimate.ts';
import type { Scenario } from '../profile/scenario.ts';
export const explanationText = (_s: Scenario, _e: Estimate): string => '';
