import { keyValueBytesPerToken, keyValueForm } from '../profile/key-value-bytes.ts';
import type { Model } from '../profile/model.ts';
import { parameterCount } from '../profile/parameter-count.ts';

/** What people ask of a model first, derived from its shapes. */
export interface ModelFacts {
  readonly parameters: { readonly total: number; readonly active: number };
  /** KV cache of one token in 16 bits, bytes, while every window still grows. */
  readonly keyValueBytesPerToken: number;
  /** State of recurrent layers per sequence, bytes. */
  readonly stateBytes: number;
}

export function modelFacts(model: Model): ModelFacts {
  const { total, active } = parameterCount(model);
  return {
    parameters: { total, active },
    keyValueBytesPerToken: keyValueBytesPerToken(model, 2),
    stateBytes: keyValueForm(model, 2).fixed,
  };
}
