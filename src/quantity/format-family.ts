import { findNumberFormat } from './number-format.ts';

/** Kinds of weight files by the tool chain that writes them; 16- and 32-bit checkpoints belong to none. */
export const formatFamilies = ['gguf', 'mlx', 'exllama', 'checkpoint'] as const;

export type FormatFamily = (typeof formatFamilies)[number];

/** What people call them. */
export const formatFamilyWords: Readonly<Record<FormatFamily, string>> = {
  gguf: 'GGUF types',
  mlx: 'MLX formats',
  exllama: 'EXL2 and EXL3',
  checkpoint: 'quantised safetensors checkpoints (FP8, AWQ, GPTQ ...)',
};

/** The family of a number format by its name; undefined for plain 16- and 32-bit weights, which every tool reads. */
export function formatFamily(name: string): FormatFamily | undefined {
  const format = findNumberFormat(name);
  if (format === undefined || /^(?:fp|bf)(?:16|32)$/.test(format.name)) return undefined;
  return prefixes.find(([prefix]) => format.name.startsWith(prefix))?.[1] ?? 'checkpoint';
}

const prefixes: readonly (readonly [prefix: string, family: FormatFamily])[] = [
  ['gguf-', 'gguf'],
  ['mlx-', 'mlx'],
  ['exl', 'exllama'],
];
