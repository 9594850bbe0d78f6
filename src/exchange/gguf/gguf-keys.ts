import { GgufError } from './gguf-error.ts';
import type { GgufHeader, GgufValue } from './gguf-header.ts';
import * as messages from './messages.ts';

/** Metadata under a model's own architecture (`llama.block_count` by `block_count`), as whole numbers. */
export interface GgufKeys {
  readonly architecture: string;
  /** A size or count of the whole model; undefined where the file does not say. */
  readonly optional: (key: string) => number | undefined;
  /** @throws GgufError where the file does not say */
  readonly required: (key: string) => number;
  /** The value for one layer, whether the file gives one for all or a list; undefined where it does not say. */
  readonly optionalOfLayer: (key: string, layer: number) => number | undefined;
  readonly requiredOfLayer: (key: string, layer: number) => number;
  /** A list with one value for each layer; undefined where the file has none or a single value. */
  readonly list: (key: string) => readonly number[] | undefined;
  readonly flag: (key: string) => boolean;
}

const architectureName = /^[a-zA-Z0-9][a-zA-Z0-9._+-]{0,63}$/u;

/** @throws GgufError where `general.architecture` is missing */
export function ggufKeys({ metadata }: GgufHeader, where: string): GgufKeys {
  const architecture = metadata.get('general.architecture');
  if (typeof architecture !== 'string' || !architectureName.test(architecture)) {
    throw new GgufError(messages.noArchitecture(where));
  }

  const find = (key: string): { readonly name: string; readonly value: GgufValue | undefined } => {
    const name = `${architecture}.${key}`;
    return { name, value: metadata.get(name) };
  };
  const whole = (name: string, value: GgufValue | undefined): number => {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
    throw new GgufError(messages.wrongKey(where, name, shown(value)));
  };
  const optionalOfLayer = (key: string, layer: number): number | undefined => {
    const { name, value } = find(key);
    if (value === undefined) return undefined;
    return typeof value === 'object' ? whole(name, value.numbers?.[layer]) : whole(name, value);
  };
  const present = (key: string, value: number | undefined): number => {
    if (value === undefined) throw new GgufError(messages.missingKey(where, `${architecture}.${key}`));
    return value;
  };
  const optional = (key: string): number | undefined => {
    const { name, value } = find(key);
    return value === undefined ? undefined : whole(name, value);
  };
  return {
    architecture,
    optional,
    required: (key) => present(key, optional(key)),
    optionalOfLayer,
    requiredOfLayer: (key, layer) => present(key, optionalOfLayer(key, layer)),
    list: (key) => {
      const { value } = find(key);
      return typeof value === 'object' ? value.numbers : undefined;
    },
    flag: (key) => find(key).value === true,
  };
}

function shown(value: GgufValue | undefined): string {
  if (value === undefined) return 'a list that is too short';
  return typeof value === 'object' ? `a list of ${value.length} values` : String(value);
}
