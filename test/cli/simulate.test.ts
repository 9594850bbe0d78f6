import { describe, expect, it } from 'vitest';
import { at, jsonOf, run, scratch } from '../support/run-command.ts';
import { toyCatalog } from '../support/toy-catalog.ts';

const toy = ['simulate', '-m', 'toy-13m', '-g', 'toy', '-e', 'none'] as const;
const file = scratch();

describe('simulate', () => {
  it('prints distributions, and the same JSON for the same seed', async () => {
    const words = [...toy, '-p', '100', '-o', '10', '--rate', '50', '--requests', '200'];
    const text = await run(words, toyCatalog);
    expect(text.code).toBe(0);
    expect(text.output).toContain('Event simulation, seed 1: 200 of 200 requests answered');
    expect(text.output).toMatch(/\nTTFT +\S+ ms/);
    const first = await run([...words, '--json', '--seed', '5'], toyCatalog);
    const second = await run([...words, '--json', '--seed', '5'], toyCatalog);
    expect(first.output).toBe(second.output);
    expect(at(jsonOf(first), 'schema')).toBe('twoclocks/simulate@1');
    expect(at(jsonOf(first), 'requests.answered')).toBe(200);
  });

  it.each([
    ['regular arrivals', ['--rate', '50', '--arrivals', 'constant'], 200],
    ['bunched arrivals', ['--rate', '50', '--arrivals', 'gamma', '--burstiness', '0.3'], 200],
    [
      'sessions of several turns',
      ['--rate', '5', '--arrivals', 'sessions', '--turns', 'uniform:2..4', '--think', '1 s'],
      200,
    ],
    ['users who pause', ['-c', '8', '--think', '0.5 s'], 200],
    ['all at once', ['-b', '200'], 200],
    [
      'normal and empirical lengths',
      ['--rate', '50', '--prompt-lengths', 'normal:90,20', '--output-lengths', 'empirical:5,30'],
      200,
    ],
    [
      'uniform and lognormal lengths',
      ['--rate', '50', '--prompt-lengths', 'uniform:10..90', '--output-lengths', 'lognormal:9,0.5'],
      200,
    ],
  ])('answers %s, every one', async (_name, words, requests) => {
    const json = jsonOf(await run([...toy, ...words, '--requests', String(requests), '--json'], toyCatalog));
    expect(at(json, 'requests.answered')).toBe(requests);
    for (const clock of ['ttft', 'tpot', 'itl', 'e2e', 'queueWait']) {
      expect(Number(at(json, `${clock}.p50`))).toBeLessThanOrEqual(Number(at(json, `${clock}.p99`)));
    }
    expect(Number(at(json, 'little.present')) / Number(at(json, 'little.rateTimesTime'))).toBeCloseTo(1, 9);
  });

  it('counts the answers that keep objectives', async () => {
    const words = [...toy, '-c', '4', '--requests', '50', '--slo-ttft', '1 ms', '--json'];
    expect(at(jsonOf(await run(words, toyCatalog)), 'goodput.share')).toBe(0);
  });

  it('reads a trace, and leaves bad lines out only where asked to', async () => {
    const path = file('trace.csv', 'arrival,prompt,output\n0,100,10\n1,-3,10\n2,100,10\n');
    expect(await run([...toy, '--trace', path], toyCatalog)).toEqual({
      error: `twoclocks: ${path}: line 3, column prompt is '-3'; expected a whole number of tokens, at least 1.\n`,
      code: 2,
    });
    const lenient = await run([...toy, '--trace', path, '--skip-bad', '--json'], toyCatalog);
    expect(at(jsonOf(lenient), 'requests.answered')).toBe(2);
    expect(String(at(jsonOf(lenient), 'notes'))).toContain('1 bad lines of the trace were left out');
  });

  it.each([
    [
      ['--prompt-lengths', 'uniform:9..2', '--rate', '1'],
      'workload.prompt goes from 9 to 2; expected the smaller length first.',
    ],
    [
      ['--prompt-lengths', 'zipf:3', '--rate', '1'],
      "--prompt-lengths is 'zipf:3'; expected a count such as 500, or 'uniform:100..900', 'normal:500,100', 'lognormal:500,0.8' or 'empirical:100,200,400'.",
    ],
    [
      ['-c', '4', '--arrivals', 'gamma'],
      "--arrivals is 'gamma', which needs --rate; a batch or a number in flight has no arrivals of its own.",
    ],
    [['--requests', '0', '--rate', '1'], 'workload.requests is 0; expected a whole number from 1 to 10000000.'],
    [['--trace', 'nowhere.csv'], "--trace: 'nowhere.csv' cannot be read: ENOENT."],
  ])('%j', async (words, sentence) => {
    expect(await run([...toy, ...words], toyCatalog)).toEqual({ error: `twoclocks: ${sentence}\n`, code: 2 });
  });
});
