import { ggufTypeBits } from './gguf-types.ts';
import { weightOnly, type NumberFormat } from './stored-format.ts';

interface Family {
  readonly pattern: RegExp;
  /** How its names are written, for messages. */
  readonly form: string;
  readonly read: (name: string, numbers: readonly number[], text: string) => NumberFormat | undefined;
}

/** exllama quantises the head to 6 bits unless told otherwise and leaves the embedding alone. */
const exllamaHeadBits = 6;

const families: readonly Family[] = [
  {
    // torchao and gpt-fast keep a 16-bit scale and a 16-bit zero point per group.
    pattern: /^int([2-8])-g(\d+)$/,
    form: 'int4-g<group>',
    read: (name, [bits = 4, group = 128]) =>
      weightOnly(
        name,
        bits + 32 / group,
        'bf16',
        'pytorch-labs/gpt-fast quantize.py: scales_and_zeros in 16 bits each',
      ),
  },
  {
    pattern: /^w([2-8])a16-(?:awq-|gptq-)?g(\d+)$/,
    form: 'w4a16-g<group>',
    read: (name, [bits = 4, group = 128]) =>
      weightOnly(
        name,
        bits + (16 + bits) / group,
        'fp16',
        'GPTQ/AWQ layout: 16-bit scale and packed zero point per group',
      ),
  },
  {
    pattern: /^w([2-8])a16-ct-g(\d+)$/,
    form: 'w4a16-ct-g<group>',
    read: (name, [bits = 4, group = 128]) =>
      weightOnly(name, bits + 16 / group, 'bf16', 'vllm-project/compressed-tensors pack-quantized, symmetric'),
  },
  {
    pattern: /^exl([23])-(\d(?:\.\d+)?)-?bpw(?:-mcg|-mul1)?$/,
    form: 'exl2-<bits>-bpw',
    read: (name, [generation = 2, bits = 4]) => ({
      ...weightOnly(
        name,
        bits,
        'fp16',
        `turboderp-org/exllamav${String(generation)}: average bits as stated, head_bits 6`,
      ),
      headBits: exllamaHeadBits,
    }),
  },
  {
    pattern: /^mlx-q(\d)-g(\d+)$/,
    form: 'mlx-q4-g<group>',
    read: (name, [bits = 4, group = 64]) => {
      const stored = bits + 32 / group;
      return {
        ...weightOnly(
          name,
          stored,
          'bf16',
          'ml-explore/mlx affine mode: 16-bit scale and bias per group, embedding and head too',
        ),
        headBits: stored,
        embeddingBits: stored,
      };
    },
  },
  {
    pattern: /^isq-([a-z0-9_]+)$/,
    form: 'isq-q4_k',
    read: (name, _numbers, type) => {
      const bits = ggufTypeBits(type);
      if (bits === undefined) return undefined;
      const source = 'EricLBuehler/mistral.rs in-situ quantisation of linear layers and head';
      return { ...weightOnly(name, bits, 'bf16', source), headBits: bits };
    },
  },
];

/** Ways in which names of the numbered families are written. */
export const packedForms: readonly string[] = families.map(({ form }) => form);

/** Reads names with numbers in them: exl2-4.0-bpw, mlx-q4-g64, int4-g32, w4a16-g128, isq-q6_k. */
export function packedFormat(name: string): NumberFormat | undefined {
  for (const { pattern, read } of families) {
    const match = pattern.exec(name);
    if (match === null) continue;
    const numbers = match.slice(1).map(Number);
    // A group of nothing or of more than a matrix has rows is no group.
    if (numbers.some((number) => number === 0 || number > 65_536)) return undefined;
    return read(name, numbers, match[1] ?? '');
  }
  return undefined;
}
