import { describe, expect, it } from 'vitest';
import { toyCatalog } from '../support/toy-catalog.ts';
import { at, jsonOf, run, sumOf } from '../support/run-command.ts';

// Toy: a decode step reads 26 MB of weights and 4 kB of KV a token at 1 TB/s and computes as long at 1 TFLOP/s.

const toy = ['-m', 'toy-13m', '-g', 'toy', '-e', 'none', '-p', '100', '-o', '10', '-b', '1'];
const decide = (command: string, ...words: readonly string[]) => run([command, ...toy, ...words], toyCatalog);
const said = async (command: string, ...words: readonly string[]): Promise<string> => {
  const { output = '', code } = await decide(command, ...words);
  expect(code).toBe(0);
  return output;
};

describe('twoclocks whatif', () => {
  it('shows changes side by side and the verdict on each', async () => {
    const text = await said('whatif', '--ideal', '--change', 'hardware.compute=*2', '--change', 'output=20');
    const lines = text.split('\n');
    expect(lines[3]).toMatch(/^\s+TTFT\s+TPOT\s+E2E\s+tokens\/s/);
    expect(lines[4]).toMatch(/^now\s+2\.42 ms\s+26\.4 us|^now\s+2\.42 ms\s+0\.0264 ms/);
    expect(lines[5]).toMatch(/^hardware\.compute=\*2\s+1\.21 ms\s+-50 %/);
    expect(text).toContain('\nhardware.compute=*2\n  Moves TTFT, not TPOT: TTFT 2.42 ms to 1.21 ms (-50 %)');
    expect(lines.every((line) => line.length <= 100)).toBe(true);
  });

  it('writes whatif@1 with a receipt that replays the base', async () => {
    const outcome = await decide('whatif', '--json', '--change', 'tp=2,weights=fp8');
    const json = jsonOf(outcome);
    expect(Object.keys(json)).toEqual(['schema', 'base', 'changes', 'elasticities', 'receipt']);
    expect(json['schema']).toBe('twoclocks/whatif@1');
    expect(at(json, 'base.schema')).toBe('twoclocks/estimate@1');
    expect(at(json, 'changes.0.levers')).toEqual(['tp=2', 'weights=fp8']);
    for (const key of ['label', 'levers', 'ttft', 'tpot', 'e2e', 'moved', 'verdict', 'ceiling']) {
      expect(at(json, `changes.0.${key}`)).toBeDefined();
    }
    for (const clock of ['ttft', 'tpot', 'e2e']) {
      const after = Number(at(json, `changes.0.${clock}.after`));
      expect(sumOf(at(json, `changes.0.${clock}.breakdown`)) / after).toBeCloseTo(1, 12);
    }
    const replayed = await run(['replay', '-', '--json'], toyCatalog, outcome.output);
    expect(replayed.code).toBe(0);
    expect(jsonOf(replayed)['identical']).toBe(true);
  });

  it('writes tables', async () => {
    const csv = await said('whatif', '--format', 'csv', '--change', 'tp=2');
    expect(csv.split('\r\n')[0]).toMatch(/^change,moved,TTFT before \(ms\),TTFT after \(ms\),TTFT ratio,/);
    expect(csv.split('\r\n')[1]).toMatch(/^tp=2,/);
    expect(await said('whatif', '--format', 'md', '--change', 'tp=2')).toMatch(/^\| change \| moved \|/);
  });

  it('ends with 2 and one sentence where a change is wrong or missing', async () => {
    expect(await decide('whatif', '--change', 'tp=3')).toEqual({
      error:
        "twoclocks: 'tp=3' does not apply: parallelism.tensor is 3, which does not divide the 10 attention heads of toy-13m; nearest that do: 2, 5.\n",
      code: 2,
    });
    expect(await decide('whatif', '--change', 'tp=2,tp=5')).toEqual({
      error:
        "twoclocks: 'tp=2' and 'tp=5' contradict each other: both set parallelism.tensor; leave one of them out, or give them as changes of their own.\n",
      code: 2,
    });
    expect(await decide('whatif')).toEqual({
      error:
        "twoclocks: --change is missing; expected a lever such as 'hardware=h200'; 'twoclocks advise' tries all of them.\n",
      code: 2,
    });
  });

  it('answers the question of the house on real profiles', async () => {
    const words = [
      'whatif',
      '-m',
      'llama-3.1-70b',
      '-g',
      'h100-sxm5-80gb',
      '--tp',
      '4',
      '-c',
      '1',
      '--change',
      'hardware=h200',
    ];
    const { error, code, output = '' } = await run(words);
    // Two cards are an H200.
    if (code === 2) expect(error).toMatch(/h200-nvl-141gb.*h200-sxm-141gb/);
    else expect(output).toContain('Moves TPOT, not TTFT');
    const { output: sxm = '' } = await run([...words.slice(0, -1), 'hardware=h200-sxm-141gb']);
    expect(sxm).toContain('Moves TPOT, not TTFT');
    expect(sxm).toContain('1.43 times the memory bandwidth');
  });
});

describe('twoclocks advise', () => {
  it('ranks for each clock, and names the first to try', async () => {
    const text = await said('advise', '--top', '3');
    for (const title of ['For a shorter TTFT', 'For a shorter TPOT', 'For a shorter request', 'For cheaper tokens']) {
      expect(text).toContain(title);
    }
    expect(text).toMatch(/first to try: .+\)/);
    expect(text.split('\n').every((line) => line.length <= 130)).toBe(true);
  });

  it('starts from a complaint', async () => {
    expect(await said('advise', '--complaint', 'trickle')).toContain(
      "'the text trickles' is about the pace of the tokens after it (TPOT).",
    );
    const { error } = await decide('advise', '--complaint', 'nonsense');
    expect(error).toContain('expected one of slow-start, trickle, long-documents, peak, summaries');
  });

  it('writes advise@1', async () => {
    const json = jsonOf(await decide('advise', '--json'));
    expect(json['schema']).toBe('twoclocks/advise@1');
    expect(at(json, 'first.ttft')).toEqual(expect.any(String));
    expect(at(json, 'ranks.tpot.0')).toEqual(expect.any(String));
    expect((await said('advise', '--format', 'csv')).split('\r\n')[0]).toMatch(/^lever,TTFT ratio,/);
  });
});

describe('twoclocks elasticity', () => {
  it('shows numbers with shades and a total', async () => {
    const text = await said('elasticity', '--ideal');
    expect(text).toMatch(/\nflops\s+-1\.000\s+██/);
    expect(text).toMatch(/\ntotal\s+\+1\.000\s+\+1\.000\s+\+1\.000\s+-1\.000/);
    expect(jsonOf(await decide('elasticity', '--json'))['schema']).toBe('twoclocks/elasticity@1');
    expect((await said('elasticity', '--format', 'csv')).split('\r\n').at(-2)).toMatch(/^total,/);
  });
});

describe('twoclocks breakeven', () => {
  it('answers each question in a sentence', async () => {
    expect(await said('breakeven', 'context', '--ideal')).toContain(
      'From 6,499 tokens of context on, a decode step reads more KV cache than weights.',
    );
    expect(await said('breakeven', 'tp')).toMatch(/TPOT is shortest with TP \d+: TP 1 /);
    expect(await said('breakeven', 'bound')).toContain('TPOT ');
    expect(await said('breakeven', 'prompt')).toMatch(/prompt tokens TTFT is mostly weights|one side of its floor/);
    expect(await said('breakeven', 'hit', '--ttft', '1 s')).toContain('TTFT meets 1.00 s without any hit.');
    expect(await said('breakeven', 'hit', '--ttft', '1 ns')).toContain('No hit rate brings TTFT to');
    expect(await said('breakeven', 'load', '--change', 'weights=int4')).toContain('w4a16-awq weights ');
    expect(await said('breakeven', 'acceptance', '--change', 'speculation=ngram:k=2:acceptance=0.5')).toContain(
      'Drafting 2 tokens ',
    );
    expect(await said('breakeven', 'price', '--change', 'hardware.memory.bandwidth=*2')).toContain(
      'No price of Toy device is known.',
    );
    const { output } = await run(['breakeven', 'replicas', ...toy.slice(0, -2), '--rate', '1000'], toyCatalog);
    expect(output).toMatch(/Each replica takes up to [\d,.]+ requests\/s, so it takes at least \d+\./);
  });

  it('says what a question wants', async () => {
    const refused = async (...words: readonly string[]): Promise<string> =>
      (await decide('breakeven', ...words)).error ?? '';
    expect(await refused('load')).toBe(
      "twoclocks: 'twoclocks breakeven load' wants one lever, such as --change weights=int4.\n",
    );
    expect(await refused('hit')).toBe("twoclocks: 'twoclocks breakeven hit' wants a target such as --ttft '200 ms'.\n");
    expect(await refused('replicas')).toBe(
      "twoclocks: 'twoclocks breakeven replicas' wants a load such as --rate 20.\n",
    );
    expect(await refused('acceptance', '--change', 'tp=2')).toContain(
      'such as --change speculation=eagle:k=3:acceptance=0.7',
    );
    expect(await refused('nothing')).toContain(
      'expected load, tp, bound, hit, acceptance, prompt, context, replicas or price',
    );
  });
});

describe('twoclocks design', () => {
  it('says what would meet the targets', async () => {
    expect(await said('design', '--ideal', '--ttft', '1.21 ms')).toMatch(
      /Needed per device: 2(?:\.\d+)? TFLOP\/s \(it has 1 TFLOP\/s\)/,
    );
    expect(await said('design', '--tpot', '1 ns')).toContain('No FLOP/s and no bandwidth meets the targets');
    expect((await decide('design')).error).toBe('twoclocks: there is no target; expected --ttft, --tpot or both.\n');
    expect((await decide('design', '--ttft', '3')).error).toContain("--ttft: '3' has no unit");
  });
});

describe('twoclocks waterfall', () => {
  it('shows steps that add up and order-free shares', async () => {
    const text = await said('waterfall', '--change', 'weights=fp8', '--change', 'tp=2');
    expect(text).toContain('\n+ weights=fp8 ');
    expect(text).toContain('whatever the order');
    expect(jsonOf(await decide('waterfall', '--json', '--change', 'tp=2'))['schema']).toBe('twoclocks/waterfall@1');
    expect((await said('waterfall', '--format', 'md', '--change', 'tp=2')).split('\n')).toHaveLength(4);
  });
});

describe('twoclocks check', () => {
  it('prints the inequality, and ends with 1 where a claim is impossible', async () => {
    const { output = '', code } = await decide('check', '--tokens-per-second', '1000000');
    expect(code).toBe(1);
    expect(output).toContain('TPOT 1 µs < 26.4 µs = (0.026 GB weights + 0.00042 GB KV) / 1 TB/s');
    expect(output).toContain('Impossible by a factor of 26.42');
    expect((await decide('check', '--ttft', '10 ms')).code).toBe(0);
    expect((await decide('check')).error).toContain('there is no claim; expected --ttft, --tpot');
    expect(jsonOf(await decide('check', '--json', '--throughput', '100'))['schema']).toBe('twoclocks/check@1');
  });
});
