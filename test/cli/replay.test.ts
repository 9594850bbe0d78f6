import { describe, expect, it } from 'vitest';
import { at, jsonOf, run, scratch, toyEstimate } from '../support/run-command.ts';
import { catalogHardware, toyCatalog } from '../support/toy-catalog.ts';

const write = scratch();
const toyJson = async (...words: readonly string[]): Promise<string> =>
  (await toyEstimate('--prompt', '100', ...words, '--json')).output ?? '';

describe('replay', () => {
  it.each([
    ['a batch', ['--batch', '3']],
    ['requests in flight', ['--concurrency', '5', '--tp', '2']],
    ['a rate', ['--rate', '2.5', '--kv', 'fp8']],
    ['the floor at a utilisation', ['--ideal', '--utilisation', '0.6']],
    ['one output token', ['--output', '1']],
    [
      'changed profiles',
      [
        '--set',
        'hardware.memory.bandwidth=hardware.memory.bandwidth*1.1',
        '--set',
        'model.vocabulary=1001',
        '--set',
        'engine.overhead.step=1.7 ms',
      ],
    ],
  ])('gives the same digits: %s', async (_name, words) => {
    const outcome = await run(['replay', '-'], toyCatalog, await toyJson(...words));
    expect(outcome.error).toBeUndefined();
    expect(outcome.output).toMatch(/\nIdentical to the receipt, to the last digit\.\n$/);
    expect(outcome.output).not.toContain('Note:');
    expect(outcome.code).toBe(0);
  });

  it('keeps a version that is not known, and its warning', async () => {
    const { output: json = '' } = await run(
      ['estimate', '-m', 'toy-13m', '-g', 'toy', '-e', 'none@99', '--json'],
      toyCatalog,
    );
    const warning = 'bare hardware 99 is newer than the newest release known';
    expect(json).toContain(warning);
    const outcome = await run(['replay', '-', '--json'], toyCatalog, json);
    expect(outcome).toMatchObject({ code: 0 });
    expect(jsonOf(outcome)).toMatchObject({ identical: true, notes: [] });
    expect(outcome.output).toContain(warning);
  });

  it('takes a bare receipt from a file, and an import that only the receipt holds', async () => {
    const result: unknown = JSON.parse(await toyJson('--set', 'hardware.memory.capacity=90 GB'));
    const path = write('receipt.json', JSON.stringify(at(result, 'receipt')));
    expect(await run(['replay', path], toyCatalog)).toMatchObject({ code: 0 });
  });

  it('names the first figure that differs, in the receipt or in what is printed around it', async () => {
    const json = await toyJson();
    const seconds = String(at(JSON.parse(json), 'ttft.seconds'));
    const printed = json.replace(`"seconds": ${seconds}`, '"seconds": 1');
    const { output, code } = await run(['replay', '-'], toyCatalog, printed);
    expect(output).toContain(`\nDiffers: ttft.seconds was 1, is ${seconds}.\n`);
    expect(code).toBe(1);
    const forged = json.replace(/"memory.weights": \d+/, '"memory.weights": 1');
    expect(jsonOf(await run(['replay', '-', '--json'], toyCatalog, forged))).toMatchObject({
      identical: false,
      difference: { figure: 'memory.weights', was: 1 },
    });
  });

  it('says which profile of the catalogue has changed since', async () => {
    const slower = { ...catalogHardware, memory: { ...catalogHardware.memory, bandwidth: 9e11 } };
    const catalog = { ...toyCatalog, hardware: () => Promise.resolve(slower) };
    const { output, code } = await run(['replay', '-'], catalog, await toyJson());
    expect(output).toContain("Note: the catalogue's hardware profile toy has changed since the receipt was written.\n");
    expect(code).toBe(1);
  });

  it.each([
    [
      'nothing in it',
      '{"a": 1}',
      'standard input: there is no receipt in it; expected an object with "schema": "twoclocks/receipt@1".',
    ],
    ['no JSON', 'ttft', 'standard input: not valid JSON at line 1, column 1, expected a value.'],
    ['empty', '', "'standard input' is empty; expected JSON."],
    [
      'a field of no receipt',
      '{"schema": "twoclocks/receipt@1", "extra": 1}',
      "standard input: the file has the unknown field 'extra', known fields are schema, tool, scenario, figures.",
    ],
  ])('refuses %s', async (_name, input, sentence) => {
    expect(await run(['replay', '-'], toyCatalog, input)).toEqual({ error: `twoclocks: ${sentence}\n`, code: 2 });
  });
});
