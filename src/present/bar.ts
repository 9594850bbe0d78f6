import { type Breakdown, breakdownTotal, resources } from '../roofline/resource.ts';
import { resourceMarks } from './resource-words.ts';

/**
 * A breakdown as one bar of exactly `width` characters, one mark per resource. Largest remainders get the places that
 * rounding leaves, so that the bar is as long for every clock. Empty where nothing takes time.
 */
export function bar(breakdown: Breakdown, width: number): string {
  const total = breakdownTotal(breakdown);
  if (!(total > 0) || total === Infinity) return '';
  const exact = resources.map((resource) => ({ resource, places: (breakdown[resource] / total) * width }));
  const whole = exact.map((entry) => ({ ...entry, count: Math.floor(entry.places) }));
  const missing = width - whole.reduce((sum, { count }) => sum + count, 0);
  const rounded = new Set(whole.toSorted((a, b) => b.places - b.count - (a.places - a.count)).slice(0, missing));
  return whole
    .map((entry) => resourceMarks[entry.resource].repeat(entry.count + (rounded.has(entry) ? 1 : 0)))
    .join('');
}
