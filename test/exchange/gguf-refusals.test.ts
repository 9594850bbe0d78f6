import { describe, expect, it } from 'vitest';
import { GgufError } from '../../src/exchange/gguf/gguf-error.ts';
import { importGguf } from '../../src/exchange/gguf/import-gguf.ts';
import { parseGgufHeader } from '../../src/exchange/gguf/parse-gguf-header.ts';
import { llamaLike } from '../support/gguf-models.ts';
import {
  memorySource,
  type WrittenFile,
  type WrittenTensor,
  type WrittenValue,
  writeGguf,
} from '../support/gguf-writer.ts';

// Each sentence: the file, the key or tensor with its value, what was expected instead.
const tiny = llamaLike({ hidden: 8, heads: 2, keyValueHeads: 1, size: 4, layers: 2, width: 16, vocabulary: 10 });

function sentence(file: WrittenFile): string {
  const { header, size } = writeGguf(file);
  try {
    importGguf(parseGgufHeader(memorySource(header, size), 'model.gguf'), 'model.gguf');
  } catch (error) {
    if (error instanceof GgufError) return error.message;
    throw error;
  }
  return 'accepted';
}

function withKeys(keys: Readonly<Record<string, WrittenValue>>): WrittenFile {
  return { ...tiny, metadata: { ...tiny.metadata, ...keys } };
}

function withTensor(name: string, change: Partial<WrittenTensor>): WrittenFile {
  return { ...tiny, tensors: tiny.tensors.map((tensor) => (tensor.name === name ? { ...tensor, ...change } : tensor)) };
}

function without(name: RegExp): WrittenFile {
  return { ...tiny, tensors: tiny.tensors.filter((tensor) => !name.test(tensor.name)) };
}

describe('files that hold something else', () => {
  it.each([
    [withKeys({ 'general.type': 'adapter' }), 'the file is a LoRA adapter'],
    [withKeys({ 'general.type': 'mmproj' }), 'the file is a vision or audio projector (mmproj)'],
    [withKeys({ 'general.architecture': 'clip' }), 'the file is a vision or audio projector (clip)'],
    [withKeys({ 'general.architecture': 'bert' }), 'the file is a text encoder (bert)'],
    [withKeys({ 'llama.attention.causal': false }), 'the file is a text encoder (attention.causal is false)'],
    [{ ...tiny, tensors: [] }, 'the file holds no tensor'],
    [without(/^token_embd/), 'holds no token embedding (token_embd.weight) under the architecture "llama"'],
  ])('are named', (file, what) => {
    expect(sentence(file)).toBe(`model.gguf: ${what}; expected a language model that generates text.`);
  });
});

describe('metadata and tensors that do not fit', () => {
  it.each<[WrittenFile, string]>([
    [
      { ...tiny, metadata: { 'llama.block_count': 2 } },
      "general.architecture is missing or no name; expected that of a language model's architecture, such as llama.",
    ],
    [
      { ...tiny, metadata: { 'general.architecture': 'llama', 'llama.embedding_length': 8 } },
      'the metadata key "llama.block_count" is missing; expected a whole number.',
    ],
    [
      withKeys({ 'llama.block_count': -3 }),
      'the metadata key "llama.block_count" is -3; expected a whole number from 0, or a list with one for each layer.',
    ],
    [
      withKeys({ 'llama.block_count': 2n ** 60n }),
      'the metadata key "llama.block_count" is 1152921504606846976; expected a whole number from 0, or a list with one for each layer.',
    ],
    [
      withKeys({ 'llama.block_count': 'two' }),
      'the metadata key "llama.block_count" is two; expected a whole number from 0, or a list with one for each layer.',
    ],
    [
      withKeys({ 'llama.attention.head_count': [2] }),
      'the metadata key "llama.attention.head_count" is a list that is too short; expected a whole number from 0, or a list with one for each layer.',
    ],
    [
      withKeys({ 'llama.block_count': 4_000_000_000 }),
      'block_count promises 4000000000 layers but the file has no tensor of layer 2 (blk.2.*).',
    ],
    [without(/^blk\.0\./), 'block_count promises 2 layers but the file has no tensor of layer 0 (blk.0.*).'],
    [
      without(/^blk\.1\.attn_output/),
      'the tensor "blk.1.attn_output.weight" is missing; without it the model cannot be understood.',
    ],
    [
      withTensor('output.weight', { dimensions: [8, 11] }),
      'the tensor "output.weight" has the shape [8, 11]; expected [8, 10].',
    ],
    [
      withTensor('blk.0.attn_q.weight', { dimensions: [8, 9] }),
      'the tensor "blk.0.attn_q.weight" has the shape [8, 9]; expected outputs in whole heads, as attention.head_count and head_count_kv say.',
    ],
    [
      withKeys({ 'llama.attention.head_count_kv': 0 }),
      'layer 0 has 2 heads and 0 KV heads; expected whole groups of at least one head.',
    ],
    [
      withTensor('blk.0.ffn_down.weight', { dimensions: [15, 8] }),
      'the tensor "blk.0.ffn_up.weight" has the shape [8, 16]; expected [8, 15].',
    ],
    [
      withTensor('token_embd.weight', { type: 'I32' }),
      'the tensor "token_embd.weight" is stored as I32; expected a format for weights.',
    ],
  ])('%# are named', (file, what) => {
    expect(sentence(file)).toBe(`model.gguf: ${what}`);
  });

  it('of mixers without a form are named', () => {
    const mamba = {
      ...tiny,
      tensors: [
        ...tiny.tensors,
        ...['ssm_in', 'ssm_out'].map((name) => ({ name: `blk.0.${name}.weight`, dimensions: [8, 8], type: 'F16' })),
      ],
    };
    expect(sentence(mamba)).toBe(
      'model.gguf: layer 0 runs attention and Mamba side by side, which this tool has no form for.',
    );
    const rwkv = {
      ...without(/attn/),
      tensors: [
        ...without(/attn/).tensors,
        ...[0, 1].map((layer) => ({ name: `blk.${layer}.time_mix_key.weight`, dimensions: [8, 8], type: 'F16' })),
      ],
    };
    expect(sentence(rwkv)).toBe('model.gguf: layer 0 mixes tokens as RWKV does, which this tool has no form for.');
    const linear = without(/attn_[qkv]\./);
    expect(sentence(linear)).toBe(
      'model.gguf: layer 0 has a plain matrix in place of attention, which this tool has no form for.',
    );
  });
});
