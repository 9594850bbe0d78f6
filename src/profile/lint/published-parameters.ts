import type { Model } from '../model.ts';
import { publishedScopeCount } from '../parameter-count.ts';
import type { Finding } from './finding.ts';
import { otherParameterCount } from './messages.ts';

/** The parameters that follow from a model's shapes are the published ones: the best check of every dimension at once. */
export function publishedParameters(model: Model): readonly Finding[] {
  const { published } = model;
  if (published?.total === undefined) return [];
  const { total, tolerance, scope } = published;
  const derived = publishedScopeCount(model, scope);
  const allowed = tolerance === 'exact' ? 0 : tolerance;
  return Math.abs(derived / total - 1) <= allowed
    ? []
    : [
        {
          rule: 'published-parameters',
          severity: 'error',
          path: 'published.total',
          message: otherParameterCount(total, derived, allowed),
        },
      ];
}
