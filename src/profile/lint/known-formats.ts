import { numberFormat } from '../../quantity/number-format.ts';
import { QuantityError } from '../../quantity/quantity-error.ts';
import type { Model } from '../model.ts';
import type { Finding } from './finding.ts';

/** Formats that a model's checkpoints are said to be in exist: what is misspelt would be noticed by the first estimate only. */
export function knownFormats({ checkpoint, fp8Checkpoint }: Model): readonly Finding[] {
  const named = Object.entries(checkpoint).map(([part, name]): [string, string] => [
    `checkpoint.${part}`,
    String(name),
  ]);
  if (fp8Checkpoint !== undefined) named.push(['fp8Checkpoint', fp8Checkpoint]);
  return named.flatMap(([path, name]) => {
    const message = refusalOf(name);
    return message === undefined ? [] : [{ rule: 'known-formats', severity: 'error', path, message } as const];
  });
}

function refusalOf(name: string): string | undefined {
  try {
    numberFormat(name);
    return undefined;
  } catch (error) {
    if (error instanceof QuantityError) return error.message;
    throw error;
  }
}
