import type { LengthDistribution } from '../serving/simulate/workload-spec.ts';
import { InputError } from './input-error.ts';
import { dashed, shown } from './messages.ts';
import { readCount } from './read-number.ts';

const forms =
  "a count such as 500, or 'uniform:100..900', 'normal:500,100', 'lognormal:500,0.8' or 'empirical:100,200,400'";

/**
 * Lengths as people type them: 500, 2k, uniform:LEAST..MOST, normal:MEAN,DEVIATION, lognormal:MEAN,VARIATION,
 * empirical:A,B,C.
 * @throws InputError
 */
export function readLengths(name: string, text: string): LengthDistribution {
  const [kind = '', rest] = text.split(':', 2);
  if (rest === undefined) return { kind: 'fixed', tokens: readCount(name, text) };
  const values = rest.split(kind === 'uniform' ? '..' : ',').map((each) => each.trim());
  const [first = '', second = ''] = values;
  if (kind === 'empirical') return { kind, values: values.map((each) => readCount(name, each)) };
  if (values.length === 2) {
    switch (kind) {
      case 'uniform':
        return { kind, least: readCount(name, first), most: readCount(name, second) };
      case 'normal':
        return { kind, mean: readCount(name, first), deviation: readCount(name, second) };
      case 'lognormal':
        if (/^\d+(?:\.\d+)?$/.test(second)) return { kind, mean: readCount(name, first), variation: Number(second) };
    }
  }
  throw new InputError(`${dashed(name)} is ${shown(text)}; expected ${forms}.`);
}
