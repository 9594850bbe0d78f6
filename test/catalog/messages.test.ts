import { describe, expect, it } from 'vitest';
import * as message from '../../src/catalog/messages.ts';

describe('messages of the catalog', () => {
  it.each([
    [
      message.unknownName('hardware', 'p100', ['tesla-p40', 'blackhole-p100']),
      "no hardware profile for 'p100', nearest: tesla-p40, blackhole-p100.",
    ],
    [message.unknownName('models', '', []), "no model profile for ''."],
    [
      message.ambiguousName('hardware', 'tpu v5', ['tpu-v5e', 'tpu-v5p'], 0),
      "'tpu v5' fits several hardware profiles, name one of them: tpu-v5e, tpu-v5p.",
    ],
    [
      message.ambiguousName('models', 'qwen', ['qwen3-32b', 'qwen3-8b'], 20),
      "'qwen' fits several model profiles, name one of them: qwen3-32b, qwen3-8b and 20 more.",
    ],
    [
      message.unknownScenarioField('', 'promt', ['prompt', 'output']),
      "the scenario has the unknown field 'promt', nearest known field 'prompt'.",
    ],
    [message.readAs('engines', 'tensorrt-llm', 'trt-llm', []), "engine 'tensorrt-llm' is read as trt-llm."],
    [
      message.readAs('models', 'Qwen/Qwen3-32B-FP8', 'qwen3-32b', ['fp8']),
      "model 'Qwen/Qwen3-32B-FP8' is read as qwen3-32b; not part of that profile: fp8.",
    ],
    [
      message.notBuilt('/x'),
      'the bundled profiles are missing at /x, build them with: node scripts/run.js scripts/build-catalog.ts.',
    ],
    [
      message.damagedProfile('/x/a.json'),
      'the bundled profile /x/a.json is damaged, build it again with: node scripts/run.js scripts/build-catalog.ts.',
    ],
    [message.noSuchProfile('models', '../x'), "no bundled model profile is named '../x'."],
    [message.fileNameDiffers('a.json', 'b'), "a.json: name is 'b', expected that of the file."],
    [
      message.nameTaken('engines', 'sgl', 'sglang', 'x'),
      "the engine name 'sgl' belongs to sglang and to x, expected one owner.",
    ],
    [message.noAliasTarget('models', 'a', 'b'), "the model alias 'a' stands for 'b', which is no profile."],
    [message.unpricedDevice('x'), "prices: 'x' is no hardware profile."],
    [message.profileTooLarge('a.json', 2_000_000, 1_000_000), 'a.json has 2000000 bytes, expected at most 1000000.'],
    [message.noJson('a.json', 'Unexpected end of JSON input'), 'a.json is no JSON file: Unexpected end of JSON input.'],
    [
      message.noSuchProfile('models', `a\u0007${'b'.repeat(80)}`),
      `no bundled model profile is named 'a ${'b'.repeat(55)}...'.`,
    ],
  ])('%s', (sentence, expected) => {
    expect(sentence).toBe(expected);
  });
});
