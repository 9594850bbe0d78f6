import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { falcon7B } from '../support/gguf-dense-models.ts';
import { writeGguf } from '../support/gguf-writer.ts';
import { jsonOf, run, scratch } from '../support/run-command.ts';
import { toyCatalog } from '../support/toy-catalog.ts';

const write = scratch();

/** Two layers of hidden size 8, 2 heads of 4, MLP 16 gated, vocabulary 10, tied: 10 x 8 + 2 x (4 x 64 + 3 x 128 + 2 x 8) + 8. */
const configuration = {
  model_type: 'llama',
  architectures: ['LlamaForCausalLM'],
  hidden_size: 8,
  num_hidden_layers: 2,
  num_attention_heads: 2,
  num_key_value_heads: 2,
  intermediate_size: 16,
  vocab_size: 10,
  max_position_embeddings: 64,
  tie_word_embeddings: true,
  torch_dtype: 'bfloat16',
};
const parameters = 10 * 8 + 2 * (4 * 64 + 3 * 128 + 2 * 8) + 8;

describe('list', () => {
  it('aligns names and facts, and keeps what has the words', async () => {
    expect(await run(['list', 'models'], toyCatalog)).toEqual({
      output: 'toy-13m  Toy 13M: 14 M parameters\n',
      code: 0,
    });
    const { output = '' } = await run(['list', 'hardware', 'H100', 'NVL']);
    expect(
      output
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).toEqual(['h100-nvl-94gb']);
  });

  it('lists as JSON', async () => {
    const { output = '' } = await run(['list', 'engine', '--json'], toyCatalog);
    expect(JSON.parse(output)).toEqual([{ name: 'none', aliases: [], summary: 'bare hardware' }]);
  });
});

describe('show', () => {
  it('prints values with units and sources with dates', async () => {
    const { output } = await run(['show', 'H100']);
    expect(output).toMatch(/^NVIDIA H100 SXM5 80GB \(h100-sxm5-80gb\)\n/);
    expect(output).toMatch(/^memory +80 GiB HBM3$/m);
    expect(output).toMatch(/^memory bandwidth +3\.35 TB\/s$/m);
    expect(output).toMatch(/^bf16 dense +989\.4 TFLOP\/s$/m);
    expect(output).toMatch(/^- .*, \d{4}-\d{2}-\d{2}/m);
  });

  // Llama 3.1 70B: 80 layers x 8 KV heads x (128 + 128) x 2 bytes = 327,680 bytes = 320 KiB.
  it('gives parameters and KV bytes of a model, the same as JSON', async () => {
    const { output } = await run(['show', 'llama-3.1-70b']);
    expect(output).toMatch(/^parameters +70,553,706,496 in all, 70,553,706,496 active per token$/m);
    expect(output).toMatch(/^KV per token +320 KiB in 16 bits$/m);
    expect(jsonOf(await run(['show', 'llama-3.1-70b', '--json']))).toMatchObject({
      kind: 'models',
      parameters: { total: 70_553_706_496, active: 70_553_706_496 },
      keyValueBytesPerToken: 327_680,
    });
  });

  it('shows the releases of an engine', async () => {
    expect((await run(['show', 'vllm'])).output).toMatch(/^0\.4\.0 +since 2024-03-30: prefill-first, graphs$/m);
  });
});

describe('import', () => {
  it('counts the parameters of a config.json and writes a profile that estimate takes', async () => {
    const path = write('config.json', JSON.stringify(configuration));
    const out = path.replace('config.json', 'profile.json');
    const outcome = await run(['import', path, '--json', '-o', out]);
    expect(jsonOf(outcome)).toMatchObject({
      schema: 'twoclocks/import@1',
      from: 'hugging-face',
      parameters: { total: parameters, active: parameters },
    });
    expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject({ hiddenSize: 8 });
    const { code } = await run(['estimate', '-m', out, '-g', 'toy', '-e', 'none'], toyCatalog);
    expect(code).toBe(0);
    expect((await run(['import', path.replace('/config.json', '')])).output).toContain(
      `${parameters.toLocaleString('en')} in all`,
    );
  });

  it('takes a GGUF file, and a receipt holds what was in it', async () => {
    const { file, parameters: known } = falcon7B;
    const path = write('falcon.gguf', writeGguf(file).header);
    const json = jsonOf(await run(['import', path, '--json']));
    expect(json).toMatchObject({ from: 'gguf', parameters: { total: known } });
    const estimated = await run(['estimate', '-m', path, '-g', 'rtx-4090', '-e', 'llama.cpp', '--json']);
    const { output } = await run(['replay', '-'], undefined, estimated.output);
    expect(output).toContain('Identical to the receipt');
    expect(output).not.toContain('is not the one that it was written with');
  });

  it.each([
    [
      'a type that nobody knows',
      '{"model_type": "lama", "hidden_size": 8}',
      "config.json: model type 'lama' is not understood, nearest known type 'llama'.",
    ],
    [
      'something else',
      '{"a": 1}',
      'is no model; expected a model profile, a Hugging Face config.json, a folder with one, or a GGUF file.',
    ],
    ['a GGUF file cut short', 'GGUF', ''],
  ])('refuses %s in one sentence', async (_name, content, sentence) => {
    const { output, error, code } = await run(['import', write('config.json', content)]);
    expect({ output, code }).toEqual({ code: 2 });
    expect(error).toContain(sentence);
    expect(error?.split('\n')).toHaveLength(2);
  });
});

describe('lint', () => {
  it('knows models, engines and prices too, and what is wrong with them', async () => {
    const shipped = ['model-profiles/llama-3.1-8b.json', 'engine-profiles/vllm.json', 'prices/2026-09-25.json'];
    expect(await run(['lint', ...shipped])).toEqual({ output: '3 profiles, nothing found.\n', code: 0 });
    const json = readFileSync('model-profiles/llama-3.1-8b.json', 'utf8');
    const wrong = write('wrong.json', json.replace('"hiddenSize": 4096', '"hiddenSize": 4097'));
    const { output, code } = await run(['lint', wrong]);
    expect(code).toBe(1);
    expect(output).toMatch(
      /published are 8030261248 parameters, but the dimensions give \d+ .* \[published-parameters\]/,
    );
    const format = write('format.json', json.replace('"layers": "bf16"', '"layers": "bf61"'));
    expect((await run(['lint', format])).output).toMatch(/no number format 'bf61', nearest: bf16.* \[known-formats\]/);
    const misspelt = write('misspelt.json', json.replace('"hiddenSize"', '"hiddenSise"'));
    expect((await run(['lint', misspelt])).output).toContain("nearest known field 'hiddenSize'");
  });

  const good = readFileSync('hardware-profiles/h100-sxm5-80gb.json', 'utf8');

  it('finds nothing in a shipped profile', async () => {
    expect(await run(['lint', 'hardware-profiles/h100-sxm5-80gb.json'])).toEqual({
      output: '1 profile, nothing found.\n',
      code: 0,
    });
  });

  it('exits 1 and names the rule where a peak is the sparse one', async () => {
    const path = write('sparse.json', good.replace('"bf16": "989.4 TFLOP/s"', '"bf16": "1978.9 TFLOP/s"'));
    const { output, code } = await run(['lint', path]);
    expect(code).toBe(1);
    expect(output).toMatch(/sparse\.json: error: matrix\.bf16: .* \[sparse-peak\]\n/);
    const { output: json = '' } = await run(['lint', path, '--json']);
    expect(JSON.parse(json)).toContainEqual(expect.objectContaining({ rule: 'sparse-peak', path: 'matrix.bf16' }));
  });

  it('exits 2 where one of several cannot be read, and still looks at the others', async () => {
    const { output, error, code } = await run(['lint', 'hardware-profiles/h100-sxm5-80gb.json', './nothing.json']);
    expect(code).toBe(2);
    expect(error).toBe("twoclocks: './nothing.json' cannot be read: there is no such file.\n");
    expect(output).toBe('1 profile, nothing found.\n');
  });
});
