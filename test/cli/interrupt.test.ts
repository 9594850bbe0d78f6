import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { at, jsonOf, run, scratch } from '../support/run-command.ts';

const command = fileURLToPath(new URL('../../bin/twoclocks.js', import.meta.url));
const file = scratch();

/** Far more than any machine simulates before it is interrupted. */
const endless = ['simulate', '-m', 'llama-3.1-8b', '-g', 'h100', '--rate', '20', '--requests', '10M'] as const;

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

const interrupted = (words: readonly string[], milliseconds: number): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [command, ...words], { stdio: ['ignore', 'pipe', 'ignore'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const timer = setTimeout(() => child.kill('SIGINT'), milliseconds);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, output });
    });
  });

/** Waits longer and longer until the simulation itself hears Ctrl-C; before it begins, the program just ends. */
async function stoppedWithin(words: readonly string[]): Promise<Ended> {
  for (const milliseconds of [1000, 2000, 4000, 8000, 16_000]) {
    const ended = await interrupted(words, milliseconds);
    if (ended.signal === null) return ended;
    expect(ended).toEqual({ code: null, signal: 'SIGINT', output: '' });
  }
  throw new Error('no simulation began within 16 seconds');
}

describe('Ctrl-C during a simulation', () => {
  it('prints what is known so far, says that it was stopped, and ends with 0', async () => {
    const { code, output } = await stoppedWithin(endless);
    expect(code).toBe(0);
    const [, answered = '', sent = ''] =
      /^Event simulation, seed 1: ([\d,]+) of ([\d,]+) requests answered in /m.exec(output) ?? [];
    const [few, many] = [answered, sent].map((text) => Number(text.replaceAll(',', '')));
    expect(few).toBeGreaterThan(0);
    expect(few).toBeLessThan(Number(many));
    expect(output).toMatch(/^TTFT +\S+ ms/m);
    expect(output).toContain(`Warning: stopped early: ${few} of ${many} requests sent were answered.`);
    expect(output.endsWith('\n')).toBe(true);
  });

  it('leaves whole JSON with the outcome, which no replay takes for a whole run', async () => {
    const { code, output } = await stoppedWithin([...endless, '--json']);
    expect(code).toBe(0);
    const json = jsonOf({ output, code: 0 });
    expect(at(json, 'outcome')).toBe('stopped');
    expect(Number(at(json, 'requests.answered'))).toBeGreaterThan(0);
    expect(Number(at(json, 'requests.sent'))).toBeLessThan(10e6);
    const path = file('stopped.json', output);
    expect(await run(['replay', path])).toEqual({
      error: `twoclocks: ${path}: the run was stopped before its end; only whole runs can be computed again.\n`,
      code: 2,
    });
  });
});
