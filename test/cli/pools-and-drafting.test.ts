import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { at, jsonOf, run, scratch, toyEstimate } from '../support/run-command.ts';
import { runs } from '../support/thorough.ts';
import { toyCatalog } from '../support/toy-catalog.ts';

const file = scratch();
const toy = ['-m', 'toy-13m', '-g', 'toy', '-e', 'none'] as const;
const llama = ['-m', 'llama-3.1-8b', '-g', 'h100', '-p', '2k', '--output', '300', '-c', '64'] as const;
const drafted = 'draft:k=4:acceptance=0.8:model=llama-3.2-1b';

/** Pools and speculation as people write them. */
const pools = fc
  .tuple(
    fc.integer({ min: 1, max: 6 }),
    fc.integer({ min: 1, max: 6 }),
    fc.constantFrom('', ':link=own', ':link=3 GB/s'),
  )
  .map(([prefill, decode, link]) => `${prefill}p${decode}d${link}`);
const speculation = fc
  .tuple(
    fc.constantFrom('eagle', 'mtp', 'ngram'),
    fc.integer({ min: 1, max: 8 }),
    fc.integer({ min: 0, max: 100 }),
    fc.constantFrom('', ':cost=0.2'),
  )
  .map(([method, tokens, share, cost]) => `${method}:k=${tokens}:acceptance=${share / 100}${cost}`);
const load = fc
  .tuple(fc.constantFrom('--batch', '--concurrency', '--rate'), fc.integer({ min: 1, max: 400 }))
  .map(([name, amount]) => [name, String(amount)]);

describe('an option for what --change can state', () => {
  it('estimates what whatif says after the change, to the last digit', async () => {
    const change = fc.oneof(
      pools.map((text) => ({ option: ['--disaggregate', text], lever: `disaggregate=${text}` })),
      speculation.map((text) => ({ option: ['--speculation', text], lever: `speculation=${text}` })),
      fc.tuple(pools, speculation).map(([one, other]) => ({
        option: ['--pools', one, '--speculate', other],
        lever: `disaggregate=${one},speculation=${other}`,
      })),
    );
    await fc.assert(
      fc.asyncProperty(change, load, fc.integer({ min: 2, max: 900 }), async ({ option, lever }, loaded, prompt) => {
        const shared = [...toy, ...loaded, '-p', String(prompt), '--output', '50', '--json'];
        const stated = jsonOf(await run(['estimate', ...shared, ...option], toyCatalog));
        const changed = jsonOf(await run(['whatif', ...shared, '--change', lever], toyCatalog));
        for (const clock of ['ttft', 'tpot', 'e2e']) {
          // What grows without end is no number in an estimate.
          if (at(stated, `${clock}.seconds`) === null) continue;
          expect(at(stated, `${clock}.seconds`)).toBe(at(changed, `changes.0.${clock}.after`));
          expect(at(stated, `${clock}.breakdown`)).toEqual(at(changed, `changes.0.${clock}.breakdown`));
        }
        expect(at(stated, 'throughput.requestsPerSecond')).toBe(
          at(changed, 'changes.0.throughput.requestsPerSecond.after'),
        );
        expect(at(stated, 'memory')).toEqual(at(changed, 'changes.0.memory'));
      }),
      runs(40),
    );
  });

  it('replays to the last digit, whatever it states', async () => {
    await fc.assert(
      fc.asyncProperty(pools, speculation, load, async (split, method, loaded) => {
        const { output = '' } = await toyEstimate('--pools', split, '--speculate', method, ...loaded, '--json');
        const replayed = await run(['replay', '-', '--json'], toyCatalog, output);
        expect(jsonOf(replayed)).toMatchObject({ identical: true, notes: [] });
        expect(at(jsonOf(replayed), 'estimate.receipt')).toEqual(at(JSON.parse(output), 'receipt'));
      }),
      runs(40),
    );
  });

  it.each(['3p5d', '3P5D', '3p+5d', '3+5', ' 3 + 5 ', 'prefill 3, decode 5', '3p5d:link=network'])(
    'reads %j',
    async (text) => {
      const json = jsonOf(await toyEstimate('--disaggregate', text, '--json'));
      expect(at(json, 'receipt.scenario.disaggregation')).toEqual({ prefill: 3, decode: 5, link: 'network' });
      expect(at(json, 'receipt.scenario.parallelism.replicas')).toBe(8);
      expect(at(json, 'load.devices')).toBe(8);
    },
  );

  it.each([
    ['eagle3:k=3:acceptance=70%', { method: 'eagle', tokens: 3, acceptance: 0.7 }],
    ['NEXTN:tokens=1:acceptance=0.8', { method: 'mtp', tokens: 1, acceptance: 0.8 }],
    ['draft_model:k=2:acceptance=1:cost=0.1', { method: 'draft', tokens: 2, acceptance: 1, cost: 0.1 }],
  ])('reads %s by the names of the engines', async (text, expected) => {
    const stated = jsonOf(await toyEstimate('--speculate', text, '--json'));
    expect(at(stated, 'receipt.scenario.speculation')).toEqual(expected);
  });

  it('shares devices among the groups of both pools', async () => {
    const json = jsonOf(await toyEstimate('--devices', '16', '--pools', '3+5', '--json'));
    expect(at(json, 'receipt.scenario.parallelism')).toMatchObject({ tensor: 2, replicas: 8 });
    expect(await toyEstimate('--pools', '3+5', '--replicas', '8')).toMatchObject({ code: 0 });
  });

  it('states none with off', async () => {
    const [off, plain] = [await toyEstimate('--pools', 'off', '--speculate', 'OFF'), await toyEstimate()];
    expect(off).toEqual(plain);
  });

  it('may be changed by --set, with the number of groups', async () => {
    const set = ['--set', 'disaggregation.decode=disaggregation.decode*2', '--set', 'speculation.acceptance=0.5'];
    const changed = jsonOf(
      await toyEstimate('--pools', '1+2', '--speculate', 'eagle:k=2:acceptance=0.9', ...set, '--json'),
    );
    const stated = jsonOf(await toyEstimate('--pools', '1+4', '--speculate', 'eagle:k=2:acceptance=0.5', '--json'));
    expect(at(changed, 'receipt.scenario.parallelism.replicas')).toBe(5);
    expect(at(changed, 'receipt')).toEqual(at(stated, 'receipt'));
  });
});

describe('the text of an estimate', () => {
  it('names pools and drafts, what each pool can take, and the ratio at which both are full', async () => {
    const words = [...llama, '--pools', '6+2:link=host', '--speculate', drafted];
    const { output = '' } = await run(['estimate', ...words]);
    const json = jsonOf(await run(['estimate', ...words, '--json']));
    expect(output).toContain('6 prefill + 2 decode groups over the host link');
    expect(output).toContain('Llama 3.2 1B drafting 4 tokens, acceptance 80 %');
    // Room for 331,497 tokens, 2000 of the prompt and half of the 300 of the answer each: 154 sequences.
    expect(output).toMatch(
      /^Pools +prefill up to 130 requests\/s on 6 groups, decode up to [\d.]+ on 2 \(154 sequences each\)$/m,
    );
    expect(at(json, 'pools.limitedBy')).toBe('decode');
    const ratio = `${String(at(json, 'pools.fullAt.prefill'))} prefill : ${String(at(json, 'pools.fullAt.decode'))} decode`;
    expect(output).toContain(`pools full at ${ratio}; decode limits the rate\n`);
    expect(output).toMatch(/^ +4 prefill \+ 4 decode of these 8 groups would carry [\d.]+ requests\/s$/m);
    expect(Math.max(...output.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it('says that one token leaves decode nothing to do', async () => {
    const { output } = await toyEstimate('--pools', '1+1', '--output', '1', '--rate', '5');
    expect(output).toMatch(/^Pools .* on 1 group; an answer of one token leaves nothing to decode$/m);
  });

  it('derives every number of it, formulas checked', async () => {
    for (const words of [
      ['--pools', '3+5', '--speculate', drafted],
      ['--pools', '1+1:link=own', '--tp', '2', '--speculate', 'ngram:k=7:acceptance=0.6'],
      ['--speculate', 'eagle:k=3:acceptance=0.7', '--ideal'],
      ['--speculate', 'mtp:k=2:acceptance=0.7:cost=0.1', '--pp', '2'],
    ]) {
      const { output = '', error } = await run(['estimate', ...llama, ...words, '--explain']);
      expect(error).toBeUndefined();
      expect(output).toMatch(/^Tokens kept of a step: 1 \+ acceptance \+ \.\.\. = 1 \+ 0\.\d\^1/m);
      expect(output.includes('KV cache on its way to a decode group')).toBe(words.includes('--pools'));
    }
  });

  it('derives one pass of a draft as the step that drafts counts it', async () => {
    const { output = '' } = await run(['estimate', ...llama, '--speculate', drafted, '--explain']);
    const block = output.slice(output.indexOf('\nDraft by Llama 3.2 1B, one pass of 4'));
    const [, pass] = /\n {2}all operators = .* = ([\d.]+ \S+)\n/.exec(block) ?? [];
    const [, used = ''] = /drafting: passes \* operators of a pass = 4 \* ([\d.]+ \S+) = /.exec(block) ?? [];
    expect(pass).toBeDefined();
    // The block rounds to three digits, the sum to six.
    expect(Number.parseFloat(used)).toBeCloseTo(Number.parseFloat(pass ?? ''), 1);
    expect(used.split(' ')[1]).toBe(pass?.split(' ')[1]);
  });
});

describe('every command that takes a scenario', () => {
  const stated = [
    ...toy,
    '-p',
    '100',
    '--output',
    '20',
    '-c',
    '4',
    '--pools',
    '1+2',
    '--speculate',
    'eagle:k=2:acceptance=0.6',
  ];
  const title = /1 prefill \+ 2 decode groups over the network.*EAGLE drafting 2/s;

  it.each([
    ['estimate', []],
    ['whatif', ['--change', 'weights=fp8']],
    ['elasticity', []],
    ['breakeven', ['bound']],
    ['waterfall', ['--change', 'weights=fp8', '--change', 'kv=fp8']],
    ['check', ['--ttft', '1 ms']],
    ['simulate', ['--requests', '40']],
  ])('%s', async (command, words) => {
    const { output = '', error } = await run([command, ...words, ...stated], toyCatalog);
    expect(error).toBeUndefined();
    expect(output.replaceAll(/\s+/g, ' ')).toMatch(title);
  });

  it('draws and draws again', async () => {
    const path = file('pools.svg', '');
    expect(await run(['chart', 'waterfall', ...stated, '-o', path], toyCatalog)).toMatchObject({ code: 0 });
    const again = await run(['replay', path], toyCatalog);
    expect(again.output).toMatch(/\nDrawn again: identical to the file, byte for byte\.\n$/);
  });

  it('simulates again, byte for byte', async () => {
    const { output = '' } = await run(['simulate', ...stated, '--requests', '60', '--json'], toyCatalog);
    const again = await run(['replay', '-'], toyCatalog, output);
    expect(again.output).toBe('Simulated again: identical to the file, byte for byte.\n');
  });

  it('keeps more tokens of a step the more are accepted, in the simulation too', async () => {
    const tpotOf = async (text: string): Promise<number> =>
      Number(
        at(
          jsonOf(
            await run(
              ['simulate', ...toy, '-c', '1', '--requests', '9', '--output', '101', '--speculate', text, '--json'],
              toyCatalog,
            ),
          ),
          'tpot.mean',
        ),
      );
    const [plain, half, all] = await Promise.all([
      tpotOf('off'),
      tpotOf('ngram:k=4:acceptance=0.5'),
      tpotOf('ngram:k=4:acceptance=1'),
    ]);
    expect(half).toBeLessThan(plain);
    expect(all).toBeLessThan(half);
    // Five tokens a step at best, each step no shorter than a plain one.
    expect(all).toBeGreaterThan(plain / 5.001);
  });
});

describe('help and completion', () => {
  it('lists both under their headings, with their other names', async () => {
    const { output = '' } = await run(['estimate', '--help']);
    expect(output).toMatch(/Spread over devices:[^:]*--disaggregate, --disaggregation, --pools /s);
    expect(output).toMatch(/What runs:.*--speculation, --speculate .*Spread over devices:/s);
    const { output: offered = '' } = await run(['--get-yargs-completions', 'twoclocks', 'simulate', '--d']);
    expect(offered.split('\n')).toContain('--disaggregate');
  });
});
