import { describe, expect, it } from 'vitest';
import { importGguf, type ImportedGguf } from '../../src/exchange/gguf/import-gguf.ts';
import { parseGgufHeader } from '../../src/exchange/gguf/parse-gguf-header.ts';
import { parameterCount } from '../../src/profile/parameter-count.ts';
import { gptOss, llama2With7B, llama31With8B, llamaLike } from '../support/gguf-models.ts';
import { quantised } from '../support/gguf-recipe.ts';
import { memorySource, type WrittenFile, writeGguf } from '../support/gguf-writer.ts';

// Llama-2-7B, Q4_0, by hand: 32 layers of 4 x 4096^2 + 3 x 4096 x 11008 = 6,476,005,376 and a table of 32000 x 4096 =
// 131,072,000 at 4.5 bits, a head of the same size at 6.5625, 65 norms of 4096 at 32:
// 3,716,481,024 + 107,520,000 + 1,064,960 = 3,825,065,984 bytes.

function imported(file: WrittenFile): ImportedGguf {
  const { header, size } = writeGguf(file);
  return importGguf(parseGgufHeader(memorySource(header, size), 'model.gguf'), 'model.gguf');
}

const llama32With1B = llamaLike(
  { layers: 16, hidden: 2048, heads: 32, keyValueHeads: 8, size: 64, width: 8192, vocabulary: 128_256 },
  { tied: true, frequencies: true },
);
const llama33With70B = llamaLike(
  { layers: 80, hidden: 8192, heads: 64, keyValueHeads: 8, size: 128, width: 28_672, vocabulary: 128_256 },
  { frequencies: true },
);
const qwen3With4B = llamaLike(
  { layers: 36, hidden: 2560, heads: 32, keyValueHeads: 8, size: 128, width: 9728, vocabulary: 151_936 },
  { tied: true, norms: true },
);
const qwen3With32B = llamaLike(
  { layers: 64, hidden: 5120, heads: 64, keyValueHeads: 8, size: 128, width: 25_600, vocabulary: 151_936 },
  { norms: true },
);

// Parameters and bytes as llama-bench printed them (model_n_params, model_size): lhl/strix-halo-testing at 5ee14b5b,
// EricLBuehler/mistral.rs at 9e922623. The i1 files of Llama 3 were quantised with an importance matrix.
const published: readonly (readonly [string, WrittenFile, number, number])[] = [
  ['Llama-2-7B Q4_0', quantised(llama2With7B, 'Q4_0'), 6_738_415_616, 3_825_065_984],
  ['Llama-2-7B Q4_K_M', quantised(llama2With7B, 'Q4_K_M'), 6_738_415_616, 4_080_263_168],
  ['Llama-3.1-8B Q4_K_M', quantised(llama31With8B, 'Q4_K_M'), 8_030_261_312, 4_912_898_304],
  ['Llama-3.2-1B Q4_K_M', quantised(llama32With1B, 'Q4_K_M'), 1_235_814_432, 799_862_912],
  ['Llama-3.3-70B Q4_K_M', quantised(llama33With70B, 'Q4_K_M'), 70_553_706_560, 42_512_531_712],
  ['Qwen3-4B Q4_K_M', quantised(qwen3With4B, 'Q4_K_M'), 4_022_468_096, 2_491_323_904],
  ['Qwen3-4B Q6_K', quantised(qwen3With4B, 'Q6_K'), 4_022_468_096, 3_300_304_384],
  ['Qwen3-32B Q8_0', quantised(qwen3With32B, 'Q8_0'), 32_762_123_264, 34_811_744_256],
  ['gpt-oss-20b F16', gptOss(24, 32), 20_914_757_184, 13_779_630_336],
  ['gpt-oss-120b F16', gptOss(36, 128), 116_829_156_672, 65_355_994_368],
];

describe('bytes and parameters of published files', () => {
  it.each(published)('%s', (_name, file, elements, bytes) => {
    const result = imported(file);
    expect(result.elements).toBe(elements);
    expect(result.weightBytes).toBe(bytes);
    expect(result.bitsPerWeight).toBeCloseTo((8 * result.weightBytes) / elements, 12);
    expect(parameterCount(result.model).total).toBe(result.model.published?.total);
  });
});

describe('formats of the parts of a file', () => {
  it('names one type by itself and the head by its own', () => {
    const { model, notes } = imported(quantised(llama2With7B, 'Q4_0'));
    expect(model.checkpoint).toEqual({ layers: 'gguf-q4_0', embedding: 'gguf-q4_0', head: 'gguf-q6_k' });
    expect(notes).toEqual([]);
    // 8 x 3,825,065,984 / 6,738,415,616 = 4.5412.
    expect(model.notes).toBe("The file's tensors take 3825065984 bytes, 4.5412 bits per weight.");
  });

  it('takes for a mixed part the name nearest to its own mean, and says so where that is coarse', () => {
    // Attention of Llama-3.1-8B in Q4_K_M: V, a tenth of it, is Q6_K in 16 of 32 layers: 4.5 + 0.1 x 2.0625 / 2 = 4.603.
    // Down, a third of the feed-forward, likewise: 4.5 + 2.0625 / 6 = 4.844.
    const { model, notes } = imported(quantised(llama31With8B, 'Q4_K_M'));
    expect(model.checkpoint).toEqual({
      layers: 'gguf-q4_k_m',
      attention: 'gguf-q4_k',
      embedding: 'gguf-q4_k',
      head: 'gguf-q6_k',
    });
    expect(notes).toEqual([
      'Attention and other token mixers: Q4_K 95.0 %, Q6_K 5.0 %, 4.603 bits per weight in all; stands as gguf-q4_k (4.500 bits), the nearest.',
      'Feed-forward matrices: Q4_K 83.3 %, Q6_K 16.7 %, 4.844 bits per weight in all; stands as gguf-q4_k_m (4.797 bits), the nearest.',
    ]);
  });

  it('lets a tied head stand in the format of the table', () => {
    const { model } = imported(quantised(qwen3With4B, 'Q4_K_M'));
    expect(model.embedding.tied).toBe(true);
    expect(model.checkpoint).toMatchObject({ embedding: 'gguf-q6_k', head: 'gguf-q6_k' });
  });

  it('keeps the experts of gpt-oss apart from the rest', () => {
    const { model } = imported(gptOss(24, 32));
    expect(model.checkpoint).toEqual({ layers: 'fp16', experts: 'gguf-mxfp4', embedding: 'fp16', head: 'fp16' });
  });
});
