import { distance } from 'fastest-levenshtein';
import { ggufFormat, ggufNames } from './gguf-formats.ts';
import { packedFormat, packedForms } from './packed-formats.ts';
import { plainFormats } from './plain-formats.ts';
import { QuantityError } from './quantity-error.ts';
import type { NumberFormat } from './stored-format.ts';

const byName: ReadonlyMap<string, NumberFormat> = new Map(plainFormats.map((format) => [format.name, format]));

/** Other spellings of plain formats: data types of frameworks, quantisation methods, data-sheet words. */
const aliases: ReadonlyMap<string, string> = new Map([
  ['float32', 'fp32'],
  ['f32', 'fp32'],
  ['float16', 'fp16'],
  ['f16', 'fp16'],
  ['half', 'fp16'],
  ['bfloat16', 'bf16'],
  ['fp8-e4m3', 'fp8'],
  ['e4m3', 'fp8'],
  ['float8', 'fp8'],
  ['fp8-e4m3fn', 'fp8'],
  ['w8a8-fp8', 'fp8'],
  ['e5m2', 'fp8-e5m2'],
  ['fp8-blockwise', 'fp8-block'],
  ['fp8-block-128x128', 'fp8-block'],
  ['w8a8', 'int8'],
  ['int8-w8a8', 'int8'],
  ['int8-weight-only', 'w8a16'],
  ['int8-w8a16', 'w8a16'],
  ['gptq', 'w4a16-gptq'],
  ['awq', 'w4a16-awq'],
  ['int4-awq', 'w4a16-awq'],
  ['int4-gptq', 'w4a16-gptq'],
  ['autoround', 'w4a16-autoround'],
  ['compressed-tensors-w4a16-g32', 'w4a16-ct-g32'],
  ['compressed-tensors-w4a16-g32-asym-rtn', 'w4a16-ct-g32-asym'],
  ['w4a8-fp8', 'w4a8-awq'],
  ['w4a8-int8', 'w4a8'],
  ['qserve', 'w4a8'],
  ['bitsandbytes', 'nf4'],
  ['bnb-nf4', 'nf4'],
  ['bnb-4bit', 'nf4'],
  ['bitsandbytes-nf4', 'nf4'],
  ['bnb-int8', 'llm-int8'],
  ['bitsandbytes-int8', 'llm-int8'],
  ['fp4', 'nvfp4'],
  ['w4a4', 'nvfp4'],
  ['aqlm', 'w2a16-aqlm'],
  ['quip#', 'w2a16-quip#'],
  ['qtip', 'w2a16-qtip'],
  ['mlx-4bit', 'mlx-q4-g64'],
  ['mlx-8bit', 'mlx-q8-g64'],
  ['q4f16-1', 'q4f16_1'],
]);

/** Every fixed name and the forms of the numbered families, for lists and messages. */
export const numberFormatNames: readonly string[] = [
  ...byName.keys(),
  ...packedForms,
  ...ggufNames.map((name) => `gguf-${name}`),
];

/** Looks a format up by any of its spellings: 'FP8', 'bfloat16', 'Q4_K_M', 'gguf-q4_k_m', 'exl2-4.0-bpw'. */
export function findNumberFormat(name: string): NumberFormat | undefined {
  if (name.length > 100) return undefined;
  // A remark in brackets says what the name already means: 'gguf-unsloth-f16 (mxfp4 experts + f16)'.
  const folded = name
    .toLowerCase()
    .replace(/\s*\(.*$/, '')
    .trim();
  const dashed = folded.replaceAll('_', '-');
  const plain = byName.get(folded) ?? byName.get(aliases.get(dashed) ?? dashed);
  if (plain !== undefined) return plain;
  const packed = packedFormat(aliases.get(dashed) ?? folded);
  if (packed !== undefined) return packed;
  return folded.startsWith('gguf-') ? ggufFormat(folded.slice('gguf-'.length)) : ggufFormat(folded);
}

/**
 * The format of that name.
 * @param where Field path for the message: 'deployment.weights'.
 * @throws QuantityError that names the nearest formats.
 */
export function numberFormat(name: string, where?: string): NumberFormat {
  const format = findNumberFormat(name);
  if (format !== undefined) return format;
  const shown = name.length > 60 ? `${name.slice(0, 60)}...` : name;
  const path = where === undefined ? '' : `${where}: `;
  throw new QuantityError(`${path}no number format '${shown}', nearest: ${nearest(shown).join(', ')}`);
}

function nearest(name: string): string[] {
  const folded = name.toLowerCase();
  const scored = numberFormatNames.map((known) => ({
    known,
    score: Math.min(distance(folded, known), distance(folded, known.replace(/^gguf-/, ''))),
  }));
  return scored
    .sort((a, b) => a.score - b.score)
    .slice(0, 3)
    .map(({ known }) => known);
}
