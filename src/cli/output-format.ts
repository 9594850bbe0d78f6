import type { Given } from './command.ts';
import { InputError } from './input-error.ts';
import { formatsDisagree } from './messages.ts';

export type OutputFormat = 'text' | 'json' | 'csv' | 'md';

/** `--json` is short for `--format json`. */
export function outputFormat({ text, flags }: Given): OutputFormat {
  const { format } = text;
  const json = flags.has('json');
  if (json && format !== undefined && format !== 'json') throw new InputError(formatsDisagree(format));
  if (json) return 'json';
  return format === 'json' || format === 'csv' || format === 'md' ? format : 'text';
}

/** JSON as every command prints it. */
export const jsonText = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
