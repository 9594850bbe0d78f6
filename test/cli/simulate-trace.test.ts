import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { azureRequests, azureTraces } from '../support/azure-traces.ts';
import { at, jsonOf, run, scratch } from '../support/run-command.ts';
import { toyCatalog } from '../support/toy-catalog.ts';

const toy = ['simulate', '-m', 'toy-13m', '-g', 'toy', '-e', 'none'] as const;
const file = scratch();

/** What a simulation says without naming the trace that it read. */
async function resultOf(path: string): Promise<Record<string, unknown>> {
  const outcome = await run([...toy, '--trace', path, '--json'], toyCatalog);
  expect(outcome.error).toBeUndefined();
  const { simulation: _, ...result } = jsonOf(outcome);
  return result;
}

const rowsOf = (rows: typeof azureRequests): string =>
  `arrival,prompt,output\n${rows.map(({ arrival, prompt, output }) => `${arrival},${prompt},${output}\n`).join('')}`;

describe('simulate --trace of Azure', () => {
  it.each(Object.entries(azureTraces))('%s is simulated as the same requests in seconds are', async (name, text) => {
    const [azure, plain] = await Promise.all([
      resultOf(file(name, text)),
      resultOf(file(`${name}-plain.csv`, rowsOf(azureRequests))),
    ]);
    expect(at(azure, 'requests.answered')).toBe(azureRequests.length);
    expect(at(azure, 'seconds')).toBeGreaterThan(2.25);
    for (const figure of [
      'ttft.mean',
      'tpot.mean',
      'e2e.mean',
      'seconds',
      'running.mean',
      'throughput.outputTokensPerSecond',
    ])
      // Dates hold a microsecond's fraction no better than that.
      expect(Number(at(azure, figure)) / Number(at(plain, figure)), figure).toBeCloseTo(1, 5);
    expect(at(azure, 'running.most')).toBe(at(plain, 'running.most'));
  });

  it('reads the compressed file as it is published', async () => {
    const name = 'AzureLMMInferenceTrace_multimodal.csv';
    const text = azureTraces[name] ?? '';
    const [plain, compressed] = await Promise.all([
      resultOf(file(name, text)),
      resultOf(file(`${name}.gz`, gzipSync(text))),
    ]);
    expect(compressed).toEqual(plain);
  });

  it.each([
    ['18:15:47 16.11.2023', "'18:15:47 16.11.2023'; expected a date such as '2023-11-16 18:17:03.9799600'"],
    ['2023-11-16 18:15:47+2', "'2023-11-16 18:15:47+2'; expected a date such as '2023-11-16 18:17:03.9799600'"],
  ])('refuses the time %s', async (time, said) => {
    const path = file('wrong.csv', `TIMESTAMP,ContextTokens,GeneratedTokens\n${time},5,5\n`);
    expect(await run([...toy, '--trace', path], toyCatalog)).toEqual({
      error: `twoclocks: ${path}: line 2, column TIMESTAMP is ${said}.\n`,
      code: 2,
    });
  });

  it('takes offsets from the time, so that order is that of the clock', async () => {
    const path = file(
      'zones.csv',
      'TIMESTAMP,ContextTokens,GeneratedTokens\n2024-05-10 02:00:00+02:00,60,5\n2024-05-09 19:30:01-04:30,60,5\n2024-05-10 00:00:02Z,60,5\n',
    );
    const result = await resultOf(path);
    expect(at(result, 'requests.answered')).toBe(3);
    expect(Number(at(result, 'seconds'))).toBeGreaterThan(2);
    expect(Number(at(result, 'seconds'))).toBeLessThan(3);
  });
});
