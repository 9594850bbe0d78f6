import type { Estimate } from '../estimate.ts';
import { digits } from './clock-time.ts';

/** Whether requests arrive faster than they leave: then no wait has a mean. */
export const grows = ({ load }: Pick<Estimate, 'load'>): boolean => load.stability?.verdict === 'unstable';

/** '50.0 requests/s arrive, at most 10.9 can leave' of an unstable load. */
export function growsWords(requestsPerSecond: number, { load }: Pick<Estimate, 'load'>): string {
  const most = load.stability?.largestRate ?? Number.NaN;
  return `${digits(requestsPerSecond)} requests/s arrive, at most ${digits(most)} can leave`;
}
