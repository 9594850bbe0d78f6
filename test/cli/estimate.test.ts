import { describe, expect, it } from 'vitest';
import { at, jsonOf, keysOf, run, sumOf, toyEstimate } from '../support/run-command.ts';

const small = ['--ideal', '--prompt', '100', '--output', '10', '--batch', '1'] as const;

describe('estimate as text', () => {
  // Prefill of 100 tokens at 1 TFLOP/s: matrices 2 x 12e6 x 100 = 2.4 GFLOP, attention 4 x 1000 x 100^2 / 2 = 0.02
  // GFLOP, and the head's 2 MB at 500 GB/s, 4 us, outlast its 2 us of FLOPs: 2.42 ms.
  // Decode: 13e6 parameters x 2 bytes at 500 GB/s = 52 us, KV of 105 tokens x 4000 bytes = 0.84 us: 0.0528 ms.
  it('prints both clocks, what they are spent on, what fits and what binds', async () => {
    const { output, code } = await toyEstimate(...small, '--set', 'hardware.memory.bandwidth=500 GB/s');
    expect(code).toBe(0);
    expect(output).toBe(`\
Note: hardware.memory.bandwidth is set to 500 GB/s (was 1 TB/s).
Toy 13M on Toy device, bf16 weights
prompt 100 tokens, output 10, one request alone

          ideal
TTFT    2.42 ms
TPOT  0.0528 ms
E2E     2.90 ms

TTFT  ████████████████████████████████████████████████████████████  2.42 ms
      █ compute 100 %
TPOT  ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▒  0.0528 ms
      ▓ reading weights 98 %  ▒ reading KV cache 2 %

Throughput  3,449 output tokens/s, 345 requests/s, 18,925 tokens/s per user
Memory      weights 26.7 MiB of 93.1 GiB usable (93.1 GiB), KV 3.91 KiB per token
            room for 24,861,928 tokens: largest batch 226,017

TTFT is 100 % compute: 10 % more FLOP/s takes about 9 % off; more memory bandwidth does next to
  nothing.
TPOT is 98 % reading weights: 10 % more memory bandwidth takes about 9 % off; more FLOP/s does next
  to nothing.
Grade: ideal: textbook roofline, every efficiency 1, no overhead; a lower bound.
Both clocks are healthy. Neither says whether the tokens are grounded in the right context: that is
  the third clock.
`);
  });

  it('says that a utilisation stands in place of the ideal: half the peak, twice the time', async () => {
    const { output } = await toyEstimate(...small, '--utilisation', '50 %');
    expect(output).toContain('TTFT    4.84 ms\n');
    expect(output).toContain(
      'Grade: ideal with 50 % of peak FLOP/s and 50 % of peak bandwidth: textbook roofline, no overhead.',
    );
  });

  it('names typical, band and floor where it predicts, and fits one screen', async () => {
    const words = ['estimate', '-m', 'llama-3.1-70b', '-g', 'h100', '--tp', '4', '-p', '2k', '-o', '300', '-c', '16'];
    const { output = '' } = await run(words);
    const lines = output.split('\n');
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(lines[0]).toBe('Llama 3.1 70B on 4 x NVIDIA H100 SXM5 80GB (TP 4), vLLM 0.27.0, bf16 weights');
    expect(lines[1]).toBe('prompt 2,000 tokens, output 300, 16 requests in flight');
    expect(lines[3]).toMatch(/^ +typical +80 % between +ideal \(floor\)$/);
    expect(lines[4]).toMatch(/^TTFT +[\d.]+ m?s +[\d.]+ m?s +and +[\d.]+ m?s +[\d.]+ m?s$/);
    expect(output).not.toContain('\u001b');
  });

  it('still gives the clocks of a model that does not fit, and by how much it does not', async () => {
    const { output, code } = await run(['estimate', '-m', 'llama-3.1-405b', '-g', 'h100', '--ideal']);
    expect(code).toBe(0);
    expect(output).toMatch(/^TPOT +\d+ ms$/m);
    expect(output).toMatch(/does not fit: [\d.]+ GiB short/);
    expect(output).not.toContain('third clock');
  });

  it('gives no throughput that an unstable load cannot have', async () => {
    const { output } = await run(['estimate', '-m', 'llama-3.1-70b', '-g', 'h100', '--tp', '4', '--rate', '1000']);
    expect(output).toMatch(/no steady state: 1,000 requests\/s arrive, at most [\d.]+ can leave/);
    expect(output).toContain('unstable');
  });
});

describe('estimate as data', () => {
  it('is the documented object; breakdowns add up and elasticities are shares', async () => {
    const json = jsonOf(await run(['estimate', '-m', 'llama-3.1-8b', '-g', 'h100', '-c', '32', '--json']));
    expect(Object.keys(json)).toEqual(
      'schema ttft tpot e2e throughput memory load bound warnings grade evidence sampling receipt'.split(' '),
    );
    expect(json['schema']).toBe('twoclocks/estimate@1');
    for (const name of ['ttft', 'tpot', 'e2e']) {
      expect(keysOf(json[name])).toEqual('seconds low high ideal breakdown elasticity grade regime'.split(' '));
      expect(sumOf(at(json, `${name}.breakdown`))).toBeCloseTo(Number(at(json, `${name}.seconds`)), 12);
      expect(sumOf(at(json, `${name}.elasticity`))).toBeCloseTo(1, 9);
    }
  });

  it('writes one row per clock as CSV and Markdown, units in the headers', async () => {
    const { output: csv = '' } = await toyEstimate(...small, '--format', 'csv');
    expect(csv.split('\r\n').map((line) => line.split(',').slice(0, 2).join())).toEqual([
      'clock,prediction (ms)',
      'TTFT,2.4219999999999997',
      'TPOT,0.026420000000000003',
      'E2E,2.6597799999999996',
      '',
    ]);
    const { output: md = '' } = await toyEstimate(...small, '--format', 'md');
    expect(md.split('\n')[2]).toMatch(/^\| TTFT \| 2\.42 \| 2\.42 \| 2\.42 \| 2\.42 \| compute \|/);
  });

  it('takes cached tokens as a count or as a hit rate of the prompt', async () => {
    const ttftOf = async (...given: readonly string[]): Promise<unknown> =>
      at(jsonOf(await toyEstimate(...small, '--json', ...given)), 'ttft.seconds');
    expect(await ttftOf('--cached', '60 %')).toBe(await ttftOf('--cached', '60'));
    // One token is always computed.
    expect(await ttftOf('--cached', '100%')).toBe(await ttftOf('--cached', '99'));
  });

  it('reads --json as --format json and refuses a contradiction', async () => {
    const twice = await toyEstimate(...small, '--format', 'json', '--json');
    expect(twice.output).toBe((await toyEstimate(...small, '--json')).output);
    expect(await toyEstimate(...small, '--json', '--format', 'csv')).toEqual({
      error: 'twoclocks: --json and --format csv are given together; leave one of them out.\n',
      code: 2,
    });
  });
});

describe('--explain', () => {
  it('derives an operator: 800 MFLOP at 1 TFLOP/s and 8 MB at 1 TB/s', async () => {
    const { output } = await toyEstimate(...small, '--explain');
    expect(output).toContain(`\
  MLP up, bf16
    FLOPs: layers * 2 * tokens * hidden size * width
      = 1 * 2 * 100 * 1000 * 4000 * 1 FLOP = 800 MFLOP
    weights: layers * hidden size * width * bits / 8
      = 1 * 1000 * 4000 * 16 / 8 * 1 B = 7.62939 MiB
    activations, kept on chip: layers * tokens * (inputs + outputs) * 2
      = 1 * 100 * (1000 + 4000) * 2 * 1 B = 976.563 KiB
    compute = 800 MFLOP / (1 TFLOP/s * 1) = 800 µs
    traffic = 7.62939 MiB / (1 TB/s * 1) = 8 µs
    time = max(800 µs, 8 µs) = 800 µs
`);
    expect(output).toContain('TPOT = 26.42 µs = 26.4 µs\n');
  });
});

describe('an estimate at an arrival rate', () => {
  const toy = ['-p', '100', '-o', '10', '--rate'] as const;

  it("says where the rate stands, by which formula it waits, and both sides of Little's law", async () => {
    const { output = '' } = await toyEstimate(...toy, '5');
    expect(output).toMatch(/\nLoad +stable: \S+ % of \S+ requests\/s, the largest stable rate\n/);
    expect(output).toContain('Waiting by formula, not by simulation: ');
    const [, present, product] =
      /Little's law +(\S+) present in the mean; rate x time in the system = (\S+)/.exec(output) ?? [];
    expect(present).toBe(product);
    expect(Number(present)).toBeGreaterThan(0);
    const json = jsonOf(await toyEstimate(...toy, '5', '--json'));
    expect(at(json, 'load.stability.formula')).toContain('Poisson arrivals');
    const both = Number(at(json, 'load.running')) + Number(at(json, 'load.waiting'));
    expect(both / (5 * Number(at(json, 'e2e.seconds')))).toBeCloseTo(1, 9);
  });

  it('does not for a load without an arrival rate, or one that grows', async () => {
    expect((await toyEstimate('-c', '4')).output).not.toContain("Little's law");
    expect((await toyEstimate(...toy, '1e9')).output).not.toContain("Little's law");
  });
});
