import { closeSync, openSync, readdirSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run, scratch, toyEstimate } from '../support/run-command.ts';
import { toyCatalog } from '../support/toy-catalog.ts';

const write = scratch();

const profile = {
  name: 'card',
  title: 'Card',
  vendor: 'Somebody',
  architecture: 'hopper',
  released: 2026,
  formFactor: 'PCIe',
  memory: { capacity: '80 GiB', bandwidth: '3 TB/s', kind: 'HBM3' },
  matrix: { bf16: '900 TFLOP/s' },
  link: { kind: 'none', topology: 'none' },
  host: { kind: 'PCIe 5.0 x16', bandwidth: '63 GB/s' },
  units: { kind: 'SM' },
  confidence: 'low',
  sources: [],
};

/** What `estimate` says to a hardware file with this content. */
async function saidTo(name: string, content: string | Uint8Array): Promise<string> {
  const path = write(name, content);
  const outcome = await run(['estimate', '-m', 'toy-13m', '-g', path, '-e', 'none'], toyCatalog);
  expect(outcome.code).toBe(2);
  expect(outcome.output).toBeUndefined();
  return outcome.error ?? '';
}

const changed = (changes: object): string => JSON.stringify({ ...profile, ...changes });

describe('a hardware file that is wrong', () => {
  it('is fine before it is made wrong', async () => {
    const path = write('fine.json', JSON.stringify(profile));
    expect((await run(['estimate', '-m', 'toy-13m', '-g', path, '-e', 'none'], toyCatalog)).code).toBe(0);
  });

  it.each([
    [
      'negative',
      changed({ memory: { ...profile.memory, bandwidth: '-3 TB/s' } }),
      "twoclocks: x.json: memory.bandwidth: '-3 TB/s' is negative, expected a rate such as '3.35 TB/s'.\n",
    ],
    [
      'unknown unit',
      changed({ memory: { ...profile.memory, bandwidth: '3 TBs' } }),
      "twoclocks: x.json: memory.bandwidth: '3 TBs' has the unknown unit 'TBs', nearest known unit 'TB/s'.\n",
    ],
    [
      'NaN',
      JSON.stringify(profile).replace('2026', 'NaN'),
      'twoclocks: x.json: released is NaN, expected a whole number from 1990 to 2100.\n',
    ],
    [
      'missing field',
      changed({ memory: { capacity: '80 GiB', kind: 'HBM3' } }),
      "twoclocks: x.json: memory.bandwidth is missing, expected a rate such as '3.35 TB/s'.\n",
    ],
    [
      'unknown field',
      changed({ vender: 'x' }),
      "twoclocks: x.json: the file has the unknown field 'vender', nearest known field 'vendor'.\n",
    ],
    [
      'prototype key',
      JSON.stringify(profile).replace('{', '{"__proto__": {"polluted": true},'),
      "twoclocks: x.json: the key '__proto__' at line 1, column 2 is refused, no file has a field of that name.\n",
    ],
    ['empty', '', "twoclocks: 'EMPTY' is empty; expected JSON.\n"],
    [
      'truncated',
      JSON.stringify(profile).slice(0, 100),
      'twoclocks: x.json: the JSON text ends at line 1, column 101 before its last bracket is closed, the file seems to be cut short.\n',
    ],
    [
      'binary',
      new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2]),
      "twoclocks: 'EMPTY' is a binary file; expected JSON.\n",
    ],
  ])('%s: one sentence', async (_name, content, sentence) => {
    const said = await saidTo('x.json', content);
    expect(said.replace(/'[^']*x\.json'/, "'EMPTY'").replace(/'\/[^']*\.\.\.'/, "'EMPTY'")).toBe(sentence);
    expect({}).not.toHaveProperty('polluted');
  });

  it('200 MB: refused before a byte is read', async () => {
    const path = write('large.json', '');
    closeSync(openSync(path, 'r+'));
    truncateSync(path, 200e6);
    const { output, error, code } = await run(['lint', path], toyCatalog);
    expect(code).toBe(2);
    expect(error).toMatch(/^twoclocks: '.*' has 200 MB; expected a JSON file of at most 16 MB\.\n$/);
    // Nothing was read, so there is nothing to count.
    expect(output).toBeUndefined();
  });

  it('is no file at all', async () => {
    expect(await run(['estimate', '-m', './nothing.json', '-g', 'toy', '-e', 'none'], toyCatalog)).toEqual({
      error: "twoclocks: './nothing.json' cannot be read: there is no such file.\n",
      code: 2,
    });
  });
});

describe('options that are wrong', () => {
  it.each([
    [
      '--tp 3',
      'parallelism.tensor is 3, which does not divide the 10 attention heads of toy-13m; nearest that do: 2, 5.',
    ],
    ['--prompt 0', 'workload.prompt is 0; expected a whole number of at least 1.'],
    ['--prompt -5', "--prompt is '-5'; expected a whole number such as 2000, 2k or 128_000."],
    ['--prompt 1.5', "--prompt is '1.5'; expected a whole number such as 2000, 2k or 128_000."],
    ['--prompt 0x10', "--prompt is '0x10'; expected a whole number such as 2000, 2k or 128_000."],
    ['--prompt', '--prompt needs a value.'],
    [
      '--cached 2k',
      'workload.cached is 2000; expected fewer than workload.prompt = 1000, as at least one token has to be computed.',
    ],
    [
      '--cached 101%',
      "--cached is '101%'; expected tokens of the prompt such as 2k, or a share of it from 0 to 100 %.",
    ],
    [
      '--cached half',
      "--cached is 'half'; expected tokens of the prompt such as 2k, or a share of it from 0 to 100 %.",
    ],
    ['--rate 0', "--rate is '0'; expected requests per second such as 4 or 0.5."],
    ['--rate NaN', "--rate is 'NaN'; expected requests per second such as 4 or 0.5."],
    [
      '--batch 2 --rate 3',
      '--batch and --rate are given together; a load is exactly one of --batch, --concurrency and --rate.',
    ],
    [
      '--utilisation 0.6',
      '--utilisation sets the share of peak that the textbook sum uses; give it together with --ideal.',
    ],
    ['--ideal --utilisation 1.5', 'utilisation.compute is 1.5; expected a share above 0 and up to 1.'],
    ['--devices 8 --tp 4', '--devices is 8, but --tp x --pp x --dp x --replicas = 4; leave one of them out.'],
    [
      '--devices 3 --pp 2',
      '--devices is 3, which --pp x --dp x --replicas = 2 does not divide; expected a multiple of 2.',
    ],
    ['--weights fp9', "precision.weights: no number format 'fp9', nearest: fp8, fp32, fp16."],
    [
      '--weigths fp8',
      "'twoclocks estimate' has no option '--weigths', did you mean '--weights'; 'twoclocks estimate --help' lists all.",
    ],
    ['-x 1', "'twoclocks estimate' has no option '-x'; 'twoclocks estimate --help' lists all."],
    ['--tp 2 --tp 4', "--tp was given 2 times ('2', '4'); expected once."],
    ['--format yaml', "--format is 'yaml'; expected one of text, json, csv, md."],
    ['--ideal=maybe', "--ideal takes no value, but 'maybe' was given."],
    ['more', "'twoclocks estimate' takes no further argument, but 'more' was given."],
  ])('%s', async (words, sentence) => {
    expect(await toyEstimate(...words.split(' '))).toEqual({ error: `twoclocks: ${sentence}\n`, code: 2 });
  });

  it.each([
    ['estmate', "no command 'estmate', did you mean 'estimate'; 'twoclocks --help' lists all."],
    ['--foo', "'twoclocks' has no option '--foo'; 'twoclocks --help' lists all."],
    ['estimate -g toy', "--model is missing; expected a name such as 'llama-3.1-70b' or a path."],
    ['estimate -m toy-13m -g toi', "no hardware profile for 'toi', nearest: toy."],
    ['estimate -m toy-13m -g toy -e none@x', "none has no release 'x'; known from: 1."],
    ['list colours', "there is no list of 'colours'; expected hardware, models or engines."],
    [
      'breakeven laod -m toy-13m -g toy',
      "'twoclocks breakeven' has no question 'laod', did you mean 'load'; expected load, tp, bound, hit, acceptance, prompt, context, replicas or price.",
    ],
    ['lint', "'twoclocks lint' wants <profile.json...>; 'twoclocks lint --help' shows examples."],
  ])('%s', async (words, sentence) => {
    expect(await run(words.split(' '), toyCatalog)).toEqual({ error: `twoclocks: ${sentence}\n`, code: 2 });
  });

  it('asks where a name means several', async () => {
    const { error, code } = await run(['estimate', '-m', 'llama-3.1', '-g', 'h100']);
    expect(code).toBe(2);
    expect(error).toBe("twoclocks: which model is 'llama-3.1': llama-3.1-70b, llama-3.1-8b or llama-3.1-405b?\n");
  });

  it('says how many more fit, where there are many', async () => {
    const { error } = await run(['estimate', '-m', 'llama', '-g', 'h100']);
    expect(error).toMatch(
      /^twoclocks: which model is 'llama': llama-2-70b, llama-3-8b, .*, or one of \d+ more \('twoclocks list models' shows all\)\?\n$/,
    );
  });

  it('shows control characters of what was typed as escapes', async () => {
    const { error } = await run(['estimate', '-m', '\u001b[2Jx', '-g', 'toy'], toyCatalog);
    expect(error).not.toContain('\u001b');
  });
});

describe('a file that is written', () => {
  it('is never left half-written', async () => {
    const model = write('model.json', '{"model_type": "no-such-model"}');
    const before = readdirSync(dirname(model));
    const { code } = await run(['import', model, '-o', `${dirname(model)}/out.json`]);
    expect(code).toBe(2);
    expect(readdirSync(dirname(model))).toEqual(before);
  });
});
