import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readHuggingFace } from '../../src/exchange/hugging-face/read-folder.ts';
import { llama } from './hugging-face-configurations.ts';

const config = JSON.stringify(llama([64, 8, 4, 2, 128, 100]));
let folder = '';

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'models-')), 'Tiny-Llama-8L');
  await mkdir(folder);
});
afterEach(async () => {
  await rm(join(folder, '..'), { recursive: true });
});

const write = (name: string, content: string | Uint8Array): Promise<void> => writeFile(join(folder, name), content);

describe('readHuggingFace', () => {
  it('reads a folder and its config.json alike, and names the model after the folder', async () => {
    await write('config.json', config);
    const byFolder = await readHuggingFace(folder);
    expect(byFolder.model.name).toBe('tiny-llama-8l');
    expect((await readHuggingFace(join(folder, 'config.json'))).model).toEqual(byFolder.model);
  });

  it('reads the quantisation files beside it', async () => {
    await write('config.json', config);
    await write('quantize_config.json', '{"bits": 4, "group_size": 128}');
    expect((await readHuggingFace(folder)).model.checkpoint.layers).toBe('w4a16-gptq');
    await write('hf_quant_config.json', '{"quantization": {"quant_algo": "FP8", "kv_cache_quant_algo": null}}');
    expect((await readHuggingFace(folder)).model.checkpoint.layers).toBe('fp8');
  });

  it('reads how tokens are to be chosen', async () => {
    await write('config.json', config);
    expect((await readHuggingFace(folder)).model.generation).toBeUndefined();
    await write('generation_config.json', '{"do_sample": true, "temperature": 0.6, "top_p": 0.95, "top_k": 20}');
    expect((await readHuggingFace(folder)).model.generation).toMatchObject({ topP: 0.95, topK: 20 });
    await write('generation_config.json', '{"bos_token_id": 1, "top_k": -1}');
    expect((await readHuggingFace(folder)).model.generation).toEqual({
      citation: { source: 'generation_config.json' },
    });
    await write('generation_config.json', '{"top_p": 95}');
    await expect(readHuggingFace(folder)).rejects.toThrow(
      /^generation_config\.json: top_p is 95, expected a share from 0 to 1\.$/,
    );
  });

  it('reads Infinity where Python wrote it', async () => {
    await write('config.json', config.replace('{', '{"time_step_limit": [0.0, Infinity], '));
    expect((await readHuggingFace(folder)).model.hiddenSize).toBe(64);
  });

  it.each([
    ['an empty file', '', /config\.json: the file is empty, expected a Hugging Face config\.json\.$/],
    ['blanks', ' \n', /config\.json: the file is empty, expected a Hugging Face config\.json\.$/],
    [
      'half a file',
      config.slice(0, 40),
      /config\.json: the JSON text ends at line \d+, column \d+ before its last bracket is closed, the file seems to be cut short\.$/,
    ],
    [
      'a binary file',
      new Uint8Array([71, 71, 85, 70, 3, 0, 0, 0]),
      /config\.json: the file is binary, not text, expected a Hugging Face config\.json\.$/,
    ],
  ])('refuses %s', async (_name, content, sentence) => {
    await write('config.json', content);
    await expect(readHuggingFace(folder)).rejects.toThrow(sentence);
  });

  it('refuses a file larger than any configuration', async () => {
    await write('config.json', Buffer.alloc(64 * 1024 * 1024 + 1, ' '));
    await expect(readHuggingFace(folder)).rejects.toThrow(
      /config\.json: the file has 67108865 bytes, expected at most 67108864\.$/,
    );
  });

  it('refuses what is not there', async () => {
    await expect(readHuggingFace(join(folder, 'nothing'))).rejects.toThrow(
      /nothing: no such file or folder, expected a folder with a config\.json, or the path of one\.$/,
    );
    await expect(readHuggingFace(folder)).rejects.toThrow(
      /Tiny-Llama-8L: the folder holds no config\.json, expected a Hugging Face model folder\.$/,
    );
  });

  it('refuses a device that never ends', async () => {
    await expect(readHuggingFace('/dev/zero')).rejects.toThrow('/dev/zero: neither a file nor a folder');
  });
});
