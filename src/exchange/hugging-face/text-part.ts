import { type Fields, fieldsOf, isRecord } from './fields.ts';

/** Sections that hold the language model of a multimodal configuration. */
const wrappers = ['text_config', 'llm_config', 'language_config', 'thinker_config'];

/** Keys that may stand outside the section and hold for it. */
const inherited = ['tie_word_embeddings', 'torch_dtype', 'dtype'];

export interface Parts {
  readonly outer: Fields;
  /** Fields of the language model alone. */
  readonly text: Fields;
}

/** Finds the language model in a configuration, which may itself be wrapped once more (Qwen-Omni). */
export function textPart(config: unknown, where: string): Parts {
  const outer = fieldsOf(config, where);
  return { outer, text: unwrapped(outer, 0) };
}

function unwrapped(outer: Fields, depth: number): Fields {
  const name = wrappers.find((key) => isRecord(outer.values[key]));
  const inner = name === undefined ? undefined : outer.values[name];
  if (name === undefined || !isRecord(inner) || depth > 2) return outer;
  const values: Record<string, unknown> = { ...inner };
  for (const key of inherited) {
    if (Object.hasOwn(outer.values, key) && outer.values[key] !== null) values[key] ??= outer.values[key];
  }
  return unwrapped({ ...outer, values, prefix: `${outer.prefix}${name}.` }, depth + 1);
}
