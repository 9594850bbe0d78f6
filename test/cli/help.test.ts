import { describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { run } from '../support/run-command.ts';

describe('help', () => {
  it('lists every command by group, with worked examples', async () => {
    const { output = '', code } = await run(['--help']);
    expect(code).toBe(0);
    for (const { name, group } of commands) {
      expect(output).toContain(`\n  ${name} `);
      expect(output).toContain(`\n${group}\n`);
    }
    expect(output).toContain('twoclocks estimate --model llama-3.1-70b --hardware h100 --tp 4');
  });

  it.each(commands.map(({ name }) => name))(
    'explains %s with options in groups and examples that run',
    async (name) => {
      const { output = '' } = await run([name, '--help']);
      expect(output).toContain(`twoclocks ${name}`);
      expect(output).toMatch(/\nExamples?\n/);
      expect(output).not.toContain('undefined');
      expect(await run(['help', name])).toEqual({ output, code: 0 });
    },
  );

  it('has a version', async () => {
    expect(await run(['--version'])).toEqual({ output: '0.0.0-test\n', code: 0 });
  });
});

describe('completion', () => {
  it('prints a script for the shell', async () => {
    expect((await run(['completion'])).output).toContain('--get-yargs-completions');
  });

  it('offers commands, options and names', async () => {
    const offered = async (...typed: readonly string[]): Promise<readonly string[]> =>
      ((await run(['--get-yargs-completions', 'twoclocks', ...typed])).output ?? '').trim().split('\n');
    expect(await offered('est')).toContain('estimate');
    expect(await offered('estimate', '--mod')).toContain('--model');
    expect(await offered('estimate', '--model', 'llama-3.1-7')).toEqual(['llama-3.1-70b']);
    expect(await offered('show', 'h200-n')).toEqual(['h200-nvl-141gb']);
  });
});

describe('twoclocks alone', () => {
  it('shows a default scenario and whether a bigger GPU would help', async () => {
    const { output = '', code } = await run([]);
    expect(code).toBe(0);
    expect(output).toContain('Llama 3.1 70B on 4 x NVIDIA H100 SXM5 80GB (TP 4)');
    expect(output).toMatch(
      /Would a bigger GPU help\?\n {2}H200 .*TTFT .*TPOT .*moves (TTFT only|TPOT only|both clocks)/,
    );
    expect(output).toContain('twoclocks --help');
  });
});
