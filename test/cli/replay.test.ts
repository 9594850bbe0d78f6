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
    ['a rate that no queue survives', ['--rate', '1e6']],
    ['replicas behind a router', ['--rate', '2.5', '--replicas', '3', '--router', 'round-robin']],
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

  it('keeps the router of a simulation', async () => {
    const words = ['simulate', '-m', 'toy-13m', '-g', 'toy', '-e', 'none', '--rate', '2', '--replicas', '2'];
    const { output: json = '' } = await run([...words, '--router', 'random', '--requests', '50', '--json'], toyCatalog);
    expect(at(JSON.parse(json), 'simulation.workload.router')).toBe('random');
    expect(at(JSON.parse(json), 'receipt.scenario.router')).toBe('random');
    expect(await run(['replay', '-'], toyCatalog, json)).toMatchObject({ code: 0 });
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

describe('replay of a simulation', () => {
  const toy = ['simulate', '-m', 'toy-13m', '-g', 'toy', '-e', 'none', '--json'] as const;
  const again = (text: string): ReturnType<typeof run> => run(['replay', '-'], toyCatalog, text);
  const outputOf = async (...words: readonly string[]): Promise<string> =>
    (await run([...toy, ...words], toyCatalog)).output ?? '';

  it.each([
    ['random arrivals', ['--rate', '50', '--requests', '200', '--seed', '7', '-p', '100', '-o', '10']],
    [
      'lengths that vary, and objectives',
      [
        '-c',
        '4',
        '--requests',
        '60',
        '--prompt-lengths',
        'lognormal:90,0.8',
        '--output-lengths',
        'uniform:2..20',
        '--slo-ttft',
        '20 ms',
      ],
    ],
    [
      'sessions with a prefix',
      [
        '--rate',
        '5',
        '--arrivals',
        'sessions',
        '--turns',
        '3',
        '--requests',
        '90',
        '--prefix-tokens',
        '32',
        '--replicas',
        '2',
        '--router',
        'prefix-aware',
      ],
    ],
    [
      'changed profiles',
      ['--rate', '5', '--requests', '50', '--set', 'hardware.memory.bandwidth=hardware.memory.bandwidth*1.1'],
    ],
  ])('gives the same bytes: %s', async (_name, words) => {
    const text = await outputOf(...words);
    expect(await again(text)).toEqual({
      output: 'Simulated again: identical to the file, byte for byte.\n',
      code: 0,
    });
    expect((await run(['replay', '-', '--json'], toyCatalog, text)).output).toBe(text);
  });

  it('finds a value that is not what comes out, and does not mind the layout', async () => {
    const text = await outputOf('--rate', '50', '--requests', '200');
    const other = await again(text.replace(/"answered": 200/, '"answered": 199'));
    expect(other).toEqual({ output: 'Differs: requests.answered was 199, is 200.\n', code: 1 });
    const flat = await again(JSON.stringify(JSON.parse(text)));
    expect(flat.code).toBe(0);
    expect(flat.output).toContain('every value is the same');
  });

  it('reads a trace again, unless its content has changed', async () => {
    const path = write('trace.csv', 'arrival,prompt,output\n0,100,10\n1,-3,10\n2,100,10\n');
    const text = await outputOf('--trace', path, '--skip-bad');
    expect((await again(text)).output).toBe('Simulated again: identical to the file, byte for byte.\n');
    write('trace.csv', 'arrival,prompt,output\n0,100,10\n');
    expect((await again(text)).error).toContain('is not the one that was simulated');
  });

  it('refuses what it cannot run again', async () => {
    const text = await outputOf('--rate', '50', '--requests', '200');
    const stopped = await again(text.replace('"complete"', '"stopped"'));
    expect(stopped.error).toContain('only whole runs can be computed again');
    const odd = await again(text.replace('"kind": "poisson"', '"kind": "tides"'));
    expect(odd.code).toBe(2);
    expect(odd.error).toContain('a kind of arrivals');
    const endless = await again(text.replace('"requests": 200', '"requests": 1e15'));
    expect(endless.error).toContain('workload.requests is');
  });
});
