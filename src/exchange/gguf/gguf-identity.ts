import { GgufError } from './gguf-error.ts';
import type { GgufHeader } from './gguf-header.ts';
import * as messages from './messages.ts';

/**
 * Architectures (`general.architecture`) of which at least one model was held against its published parameters, by the
 * tensor names of llama.cpp (src/llama-arch.cpp, src/models/*.cpp, 2026). Others are read the same way, with a note.
 */
export const checkedArchitectures: ReadonlySet<string> = new Set(
  `llama llama4 qwen2 qwen2moe qwen3 qwen3moe qwen3next qwen35 qwen35moe gemma gemma2 gemma3 gemma4 phi2
   phi3 gpt-oss deepseek2 deepseek4 falcon starcoder2 command-r mamba mamba2 jamba nemotron_h nemotron_h_moe chatglm glm4
   glm4moe minicpm3 olmo2 granite granitehybrid lfm2 stablelm gpt2 bloom mpt`.split(/\s+/u),
);

/** Other contents of GGUF files, by `general.type`. */
const otherTypes: Readonly<Record<string, string>> = {
  adapter: 'the file is a LoRA adapter',
  mmproj: 'the file is a vision or audio projector (mmproj)',
  vocab: 'the file is a vocabulary',
  imatrix: 'the file is an importance matrix',
};

/** By architecture, where the type is not stated. */
const otherArchitectures: Readonly<Record<string, string>> = {
  clip: 'the file is a vision or audio projector (clip)',
  bert: 'the file is a text encoder (bert)',
  t5: 'the file is an encoder and decoder (t5)',
  t5encoder: 'the file is a text encoder (t5encoder)',
};

/** @throws GgufError where the file says that it holds something else than a generating language model */
export function refuseOtherKinds({ metadata, tensors }: GgufHeader, where: string): void {
  const type = metadata.get('general.type');
  const architecture = metadata.get('general.architecture');
  const other = lookUp(otherTypes, type) ?? lookUp(otherArchitectures, architecture);
  if (other !== undefined) throw new GgufError(messages.notALanguageModel(where, other));
  if (typeof architecture === 'string' && metadata.get(`${architecture}.attention.causal`) === false) {
    throw new GgufError(messages.notALanguageModel(where, 'the file is a text encoder (attention.causal is false)'));
  }
  if (tensors.length === 0) throw new GgufError(messages.notALanguageModel(where, 'the file holds no tensor'));
}

function lookUp(table: Readonly<Record<string, string>>, key: unknown): string | undefined {
  return typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined;
}

/** A profile name: lower case letters, digits, `.`, `_` and `-`. */
export function modelName(header: GgufHeader, where: string): string {
  const name = modelTitle(header, where)
    .toLowerCase()
    .replaceAll(/[^a-z0-9.+_-]+/gu, '-')
    .replaceAll(/^[^a-z0-9]+|-+$/gu, '')
    .slice(0, 100);
  return name === '' ? 'gguf-model' : name;
}

/** `general.name`, or the file's own name; printable characters only. */
export function modelTitle({ metadata }: GgufHeader, where: string): string {
  const stated = metadata.get('general.name');
  const file = where
    .split(/[\\/]/u)
    .at(-1)
    ?.replace(/(-\d{5}-of-\d{5})?\.gguf$/u, '');
  for (const candidate of [stated, file]) {
    const title =
      typeof candidate === 'string'
        ? candidate
            .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
            .trim()
            .slice(0, 200)
        : '';
    if (title !== '') return title;
  }
  return 'GGUF model';
}
