import { describe, expect, it } from 'vitest';
import { type Dimension, dimensions } from '../../src/quantity/dimension.ts';
import { evaluateExpression } from '../../src/quantity/expression.ts';
import { QuantityError } from '../../src/quantity/quantity-error.ts';
import { run } from '../support/run-command.ts';

/** The value of a printed expression in whatever dimension it has. */
function valueOf(text: string): { readonly value: number; readonly dimension: Dimension } {
  for (const dimension of dimensions) {
    if (dimension === 'count') continue;
    try {
      return { value: evaluateExpression(text, new Map(), dimension), dimension };
    } catch (error) {
      if (!(error instanceof QuantityError) || !error.message.includes('expected')) throw error;
    }
  }
  throw new Error(`no dimension fits '${text}'`);
}

async function explained(words: string): Promise<readonly string[]> {
  const { output = '', error } = await run(['estimate', ...words.split(' '), '--explain']);
  expect(error).toBeUndefined();
  return output.split('\n');
}

/** Every kind of architecture, of operator, of load, and of what the host and kernels add. */
const scenarios = [
  ['dense, tensor parallel, in flight', '-m llama-3.1-8b -g h100 --tp 2 -c 8'],
  ['textbook', '-m llama-3.1-8b -g h100 --tp 2 -c 8 --ideal'],
  ['FP8 with quantised activations', '-m llama-3.1-70b -g h100 --tp 4 --weights fp8 --kv fp8 --batch 16'],
  ['latent attention, experts on other ranks', '-m deepseek-v3 -g h200 --tp 1 --dp 8 --ep 8 -p 4000 -c 64'],
  ['selected tokens', '-m deepseek-v3.2 -g b200-sxm --tp 8 -p 16k -c 4'],
  ['compressed cache', '-m deepseek-v4-flash -g b200-sxm --tp 4 -p 8k'],
  ['sliding windows', '-m gemma-3-27b -g rtx-5090 --weights w4a16 -p 6000 -o 600'],
  ['windows and experts in four bits', '-m gpt-oss-120b -g h100 -p 3000 -o 3000'],
  ['chunked attention', '-m llama-4-scout-17b-16e -g h100 --tp 8 -p 20k -c 2'],
  ['Mamba hybrid', '-m nemotron-3-nano-30b-a3b -g h100 -c 8'],
  ['delta nets', '-m qwen3-next-80b-a3b -g h100 --tp 2 --rate 1'],
  ['parallel blocks, multi-query', '-m falcon-7b -g a100 -p 500'],
  ['pipeline', '-m llama-3.1-70b -g a100 --tp 4 --pp 2 --rate 0.5'],
  ['launches one by one', '-m qwen2.5-7b -g a100 -e transformers --batch 4'],
  ['few rows on a processor', '-m llama-3.1-8b -g xeon-8480plus -e llama.cpp --weights q4_k_m'],
  ['scores through memory', '-m llama-2-7b -g rtx-3090 -e llama.cpp@b2000 --weights q4_0'],
  ['unified memory', '-m llama-3.1-8b -g apple-m4-max-40c -e mlx --weights mlx-4bit'],
  ['chunks behind a cache', '-m llama-3.1-8b -g h100 -c 4 -p 20k --cached 3k'],
  ['a batch in chunks', '-m llama-3.1-8b -g a100 --batch 40 -p 3000'],
  ['cached prompt, one output token', '-m llama-3.1-8b -g mi300x -e sglang -p 4000 --cached 3000 -o 1'],
  ['more than fits', '-m llama-3.1-405b -g rtx-4090 --batch 4'],
  ['an unstable rate', '-m llama-3.1-70b -g h100 --tp 4 --rate 500'],
] as const;

describe('estimate --explain', () => {
  it.each(scenarios)('%s: every printed formula gives the printed result', async (_name, words) => {
    const lines = await explained(words);
    const formulas = lines.filter((line) => line.includes(' = '));
    expect(formulas.length).toBeGreaterThan(20);
    for (const line of formulas) {
      const [expression = '', result = ''] = line.split(' = ').slice(-2);
      const [left, right] = [valueOf(expression), valueOf(result)];
      expect([line, left.dimension]).toEqual([line, right.dimension]);
      // Times are printed with three digits, everything else with six; a sum of rounded terms loses a little.
      const allowed = left.dimension === 'time' ? 0.006 : 1e-4;
      expect([line, Math.abs(left.value - right.value) <= allowed * right.value]).toEqual([line, true]);
    }
  });

  it('goes from shapes to both clocks, the request, throughput and memory', async () => {
    const lines = await explained('-m llama-3.1-8b -g h100 --tp 2 -c 8');
    const text = lines.join('\n');
    expect(text).toContain(`    FLOPs: layers * 2 * tokens * hidden size * (heads / TP + 2 * KV heads / TP) * head size
      = 32 * 2 * 1000 * 4096 * (32 / 2 + 2 * 8 / 2) * 128 * 1 FLOP = 805.306 GFLOP`);
    const labels = lines.flatMap((line) => /^ {0,2}(\S[^=:]*) = /.exec(line)?.[1] ?? []);
    expect(labels).toEqual(
      expect.arrayContaining(['TTFT', 'TPOT', 'E2E', 'requests', 'output tokens', 'usable', 'largest batch']),
    );
  });

  it('says what is missing where the model does not fit', async () => {
    const lines = await explained('-m llama-3.1-405b -g rtx-4090');
    expect(lines.some((line) => line.startsWith('  does not fit: short by = '))).toBe(true);
  });
});
