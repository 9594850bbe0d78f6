import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chartNames } from '../../src/present/chart/chart-names.ts';
import { run } from '../support/run-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'twoclocks-chart-'));
const file = (name: string): string => join(folder, name);
const small = ['-m', 'llama-3.1-8b', '-g', 'h100'] as const;
const kinds = chartNames.map(({ name }) => name);

describe('chart', () => {
  it.each(['svg', 'png', 'json', 'html'])(
    'writes .%s with a receipt from which it is drawn again to the byte',
    async (format) => {
      const path = file(`clocks.${format}`);
      expect(await run(['chart', 'waterfall', ...small, '-o', path])).toEqual({ output: '', code: 0 });
      const { output = '', code } = await run(['replay', path]);
      expect(output).toContain('Drawn again: identical to the file, byte for byte.\n');
      expect(code).toBe(0);
    },
  );

  it('notices a picture that was changed by hand', async () => {
    const path = file('changed.svg');
    await run(['chart', 'waterfall', ...small, '-o', path]);
    writeFileSync(path, readFileSync(path, 'utf8').replace('#0b3c6f', '#0b3c70'));
    const { output = '', code } = await run(['replay', path]);
    expect(output).toMatch(/Differs: drawn again, the file is another from byte \d+ on\.\n$/);
    expect(code).toBe(1);
  });

  it('keeps the changes and titles of a comparison', async () => {
    const path = file('change.svg');
    const title = 'Will <script>alert(1)</script> & "more" help?';
    await run(['chart', 'what-if', ...small, '--change', 'hardware=h200', '--title', title, '-o', path]);
    const svg = readFileSync(path, 'utf8');
    expect(svg).not.toContain('<script');
    expect(svg).toContain('&lt;script&gt;');
    expect((await run(['replay', path])).code).toBe(0);
  });

  it('lists its kinds, for people and as JSON', async () => {
    expect((await run(['chart', '--list'])).output?.split('\n').length).toBe(kinds.length + 1);
    const listed: unknown = JSON.parse((await run(['chart', '--list', '--json'])).output ?? '');
    expect(listed).toEqual(chartNames.map(({ name, summary }) => ({ name, summary })));
  });

  it.each([
    [['chart', 'pie', ...small], `there is no chart 'pie'; expected ${kinds.slice(0, -1).join(', ')} or accuracy.`],
    [
      ['chart', 'waterfal', ...small],
      `there is no chart 'waterfal', did you mean 'waterfall'; expected ${kinds.slice(0, -1).join(', ')} or accuracy.`,
    ],
    [['chart', 'waterfall', ...small, '-o', file('x.pdf')], `the format of '${file('x.pdf').slice(0, 57)}`],
    [
      ['chart', 'waterfall', ...small, '--format', 'png'],
      'a PNG cannot be printed; expected --out with the name of a file.',
    ],
    [
      ['chart', 'waterfall', ...small, '--change', 'tp=2'],
      "--change means nothing to the chart 'waterfall'; it is for what-if.",
    ],
    [['chart', 'accuracy', ...small, '--measurements', file('none.csv')], 'cannot be read'],
  ])('refuses %j', async (words, sentence) => {
    const { error, code } = await run(words);
    expect(error).toContain(sentence);
    expect(code).toBe(2);
  });

  it('leaves nothing behind where it cannot write', async () => {
    const before = readdirSync(folder);
    const { error, code } = await run(['chart', 'waterfall', ...small, '-o', file('no/such/folder/x.svg')]);
    expect(error).toContain('cannot be written');
    expect(code).toBe(2);
    expect(readdirSync(folder)).toEqual(before);
    expect(existsSync(file('no'))).toBe(false);
  });
});

describe('scenario files', () => {
  const plan = file('plan.yaml');
  writeFileSync(
    plan,
    `schema: twoclocks/scenarios@1
title: Chat
defaults: { model: llama-3.1-8b, prompt: 2k, output: 300 }
scenarios:
  today: { hardware: h100, concurrency: 16 }
  h200: { extends: today, hardware: h200 }
comparisons:
  bigger: { question: 'Will it <b>help</b>?', base: today, with: [h200], changes: ['tp=2'], charts: [what-if] }
`,
  );

  it('say the same as options; what is typed goes first', async () => {
    const typed = ['-m', 'llama-3.1-8b', '-g', 'h200', '-p', '2k', '-o', '300', '-b', '4'];
    const { output } = await run(['estimate', ...typed, '--json']);
    expect((await run(['estimate', '-s', `${plan}#h200`, '-b', '4', '--json'])).output).toBe(output);
  });

  it('are drawn and reported with their comparisons', async () => {
    const picture = file('plan.svg');
    expect((await run(['chart', 'what-if', '-s', `${plan}#bigger`, '-o', picture])).code).toBe(0);
    expect((await run(['replay', picture])).code).toBe(0);
    expect((await run(['report', plan, '-o', file('report.html')])).code).toBe(0);
    const html = readFileSync(file('report.html'), 'utf8');
    expect(html).toContain('Will it &lt;b&gt;help&lt;/b&gt;?');
    for (const heading of ['Derivation', 'Assumptions', 'Sources', 'What is not modelled', 'The third clock']) {
      expect(html).toContain(`>${heading}</h`);
    }
    expect((await run(['report', plan, '-o', file('report.md')])).code).toBe(0);
    expect(readFileSync(file('report.md'), 'utf8')).toContain('(report-bigger-what-if.svg)');
    expect((await run(['replay', file('report-bigger-what-if.svg')])).code).toBe(0);
    const answer = readFileSync(file('report.md'), 'utf8').split('\n\n')[3] ?? '';
    expect(answer.split(/(?<=\.) (?=[A-Z])/)).toHaveLength(3);
    expect(answer).toMatch(/^TTFT is .* With h200 TTFT is .* TTFT is shortest with /);
  });

  it('reports no wait where it grows, and no time on what does not fit', async () => {
    await run(['report', '-m', 'llama-3.1-8b', '-g', 'h100', '--rate', '200', '-o', file('grows.md')]);
    const grows = readFileSync(file('grows.md'), 'utf8');
    expect(grows).toContain('TTFT grows as long as this load lasts');
    expect(grows).toMatch(/\n\| as it is \| grows \|  \|/);
    await run(['report', '-m', 'llama-3.1-70b', '-g', 'l40s', '-o', file('short.md')]);
    expect(readFileSync(file('short.md'), 'utf8')).toContain('| as it is | does not fit |');
  });

  it.each([
    ['', "holds several scenarios; expected '#' and one of their names behind the path: today, h200, bigger."],
    ['#tody', "plan.yaml: the scenario is 'tody', expected one of today, h200; nearest 'today'."],
  ])('refuses %j', async (name, sentence) => {
    const { error, code } = await run(['estimate', '-s', `${plan}${name}`]);
    expect(error).toContain(sentence);
    expect(code).toBe(2);
  });

  it.each([
    ['scenarios: {}', "schema is missing, expected 'twoclocks/scenarios@1'"],
    [
      'schema: twoclocks/scenarios@1\nscenarios: { a: { modl: x } }',
      "the unknown field 'modl', nearest known field 'model'",
    ],
    [
      'schema: twoclocks/scenarios@1\nscenarios: { a: { extends: b } }',
      "scenarios.a.extends is 'b', expected one of a",
    ],
    [
      'schema: twoclocks/scenarios@1\nscenarios: { a: { extends: b }, b: { extends: a } }',
      'scenarios.a extends itself: a -> b -> a.',
    ],
    ['schema: [', 'expected YAML or JSON'],
    ['schema: twoclocks/scenarios@1\nscenarios: { __proto__: { model: x } }', "the key '__proto__' is refused"],
  ])('refuses a file that is none: %j', async (text, sentence) => {
    const path = file('bad.yaml');
    writeFileSync(path, text);
    const { error, code } = await run(['estimate', '-s', path]);
    expect(error).toContain(sentence);
    expect(code).toBe(2);
  });
});
