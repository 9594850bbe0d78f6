import type { GgufKeys } from './gguf-keys.ts';
import type { Reach } from './windows.ts';

/** What a block's reader needs to know beside its tensors. */
export interface BlockContext {
  readonly keys: GgufKeys;
  readonly hiddenSize: number;
  readonly reach: Reach;
  /** The layer takes K and V from an earlier one, whatever tensors it holds. */
  readonly sharesKeyValue: boolean;
  readonly where: string;
}
