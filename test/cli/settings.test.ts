import { describe, expect, it } from 'vitest';
import { at, jsonOf, run, toyEstimate } from '../support/run-command.ts';

const small = ['--ideal', '--prompt', '100', '--output', '10', '--batch', '1'] as const;

/** Seconds of a clock under settings. */
async function seconds(clock: 'ttft' | 'tpot', ...settings: readonly string[]): Promise<number> {
  const words = settings.flatMap((setting) => ['--set', setting]);
  const outcome = await toyEstimate(...small, ...words, '--json');
  expect(outcome.error).toBeUndefined();
  return Number(at(jsonOf(outcome), `${clock}.seconds`));
}

describe('--set', () => {
  // TTFT of the toy is 2.422 ms at 1 TFLOP/s; at twice that, all but the head's 2 MB at 1 TB/s halves.
  it('takes a quantity, an expression over what is there, and sees what was set before', async () => {
    expect(await seconds('ttft')).toBeCloseTo(2.422e-3, 12);
    expect(await seconds('ttft', 'hardware.matrix.bf16=2 TFLOP/s', 'hardware.matrix.fp16=2 TFLOP/s')).toBeCloseTo(
      1.212e-3,
      12,
    );
    const twice = ['hardware.matrix.bf16=hardware.matrix.bf16*2', 'hardware.matrix.fp16=hardware.matrix.bf16'];
    expect(await seconds('ttft', ...twice)).toBeCloseTo(1.212e-3, 12);
  });

  it('changes models, engines and workloads as well', async () => {
    // A head of twice as many rows: 2 MFLOP more.
    expect(await seconds('ttft', 'model.vocabulary=2000')).toBeCloseTo(2.424e-3, 12);
    expect(await seconds('ttft', 'workload.prompt=workload.prompt/2')).toBeCloseTo(1.207e-3, 12);
    const outcome = await run([
      'estimate',
      '-m',
      'llama-3.1-8b',
      '-g',
      'h100',
      '--set',
      'engine.overhead.step=10 ms',
      '--json',
    ]);
    const { receipt } = jsonOf(outcome);
    expect(JSON.stringify(receipt)).toContain('"step":"10 ms"');
    expect(JSON.stringify(receipt)).toContain('set by the user');
  });

  it('says what was changed from what', async () => {
    const { output } = await toyEstimate(...small, '--set', 'hardware.memory.bandwidth=2 TB/s');
    expect(output).toMatch(/^Note: hardware\.memory\.bandwidth is set to 2 TB\/s \(was 1 TB\/s\)\.\n/);
  });

  it.each([
    [
      'hardware.memory.bandwith=3 TB/s',
      "--set: there is no field 'hardware.memory.bandwith'; nearest: hardware.memory.bandwidth.",
    ],
    [
      'hardware.memory.bandwidth=3 GB',
      "hardware.memory.bandwidth: '3 GB' is an amount of data, expected a rate such as '3.35 TB/s'.",
    ],
    ['hardware.memory.bandwidth=0 TB/s', "after --set, hardware: memory.bandwidth is '0 B/s', expected more than 0."],
    [
      'hardware.memory.bandwidth=hardware.memory.capacity',
      "hardware.memory.bandwidth: 'hardware.memory.capacity' gives an amount of data, expected a rate such as '3.35 TB/s'.",
    ],
    [
      '__proto__.x=1',
      "'__proto__.x=1' does not start with a field path, expected one such as 'hardware.memory.bandwidth'.",
    ],
    [
      'hardware.constructor.name=1',
      "'hardware.constructor.name=1' does not start with a field path, expected one such as 'hardware.memory.bandwidth'.",
    ],
    ['engine.scheduling.graphs=yes', "--set: engine.scheduling.graphs is 'yes'; expected true or false."],
    [
      'workload.concurrency=4',
      '--set: workload.concurrency does not exist under a batch load; set workload.batch, or give --concurrency instead.',
    ],
    ['model.hiddenSize=0', 'after --set, model: hiddenSize is 0, expected a whole number from 1 to 10000000000000.'],
    [
      'hardware.memory',
      "'hardware.memory' sets nothing, expected a path and a value such as 'hardware.memory.bandwidth=4.8 TB/s'.",
    ],
  ])('refuses %s in one sentence', async (setting, sentence) => {
    expect(await toyEstimate(...small, '--set', setting)).toEqual({ error: `twoclocks: ${sentence}\n`, code: 2 });
  });

  it('sets a utilisation only where it is used', async () => {
    expect(await seconds('ttft', 'utilisation.compute=0.5')).toBeCloseTo(4.844e-3, 12);
    const typical = await toyEstimate('--set', 'utilisation.compute=0.5');
    expect(typical.code).toBe(2);
  });
});
