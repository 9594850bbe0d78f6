import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { definitions } from '../../src/measured/definitions.ts';
import { definitionsPage } from '../../src/present/definitions-text.ts';
import { vllmLog, vllmMetrics } from '../support/benchmark-server-writers.ts';
import { facts, guideLlm, inferencePerf, vllmBench } from '../support/benchmark-writers.ts';
import { at, jsonOf, run, scratch } from '../support/run-command.ts';
import { toyCatalog } from '../support/toy-catalog.ts';

const file = scratch();
const sound = file('sound.json', JSON.stringify(vllmBench()));
const toy = ['-m', 'toy-13m', '-g', 'toy', '-e', 'none'];

describe('twoclocks doctor', () => {
  it('believes a sound run, and says what it does not tell', async () => {
    const { output = '', code } = await run(['doctor', sound], toyCatalog);
    expect(code).toBe(0);
    expect(output).toContain('sound.json: vllm bench serve, 1 run');
    expect(output).toContain('[rate-limited, certain]');
    expect(output).toContain('Not checked: utilisation of compute and bandwidth: give --model and --hardware.');
    expect(output.split('\n').every((line) => line.length <= 100)).toBe(true);
  });

  // inference-perf files with half of TPOT: 12.8 ms becomes 6.4 ms, E2E stays.
  it('finds the half of an older inference-perf', async () => {
    const { tpot } = facts;
    const half = { mean: tpot.mean / 2, p50: tpot.p50 / 2, p95: tpot.p95 / 2, p99: tpot.p99 / 2 };
    const outcome = await run(
      ['doctor', file('half.json', JSON.stringify(inferencePerf({ ...facts, tpot: half }))), '--json'],
      toyCatalog,
    );
    expect(outcome.code).toBe(1);
    expect(at(jsonOf(outcome), 'files.0.findings.0.what')).toContain('TPOT is half of what E2E says');
  });

  it('says which definition GuideLLM used', async () => {
    const { output = '' } = await run(['doctor', file('guide.json', JSON.stringify(guideLlm()))], toyCatalog);
    expect(output.replaceAll(/\s+/g, ' ')).toContain('includes the first token; TPOT here is its inter-token latency');
  });

  it('refuses what it cannot read with one sentence and code 2, whatever is in it', async () => {
    const hostile = file('hostile.json', JSON.stringify({ ...vllmBench(), mean_ttft_ms: '\u001b[2J\u202e0' }));
    const { error = '', output, code } = await run(['doctor', hostile], toyCatalog);
    expect(code).toBe(2);
    expect(output).toBeUndefined();
    expect(error).toBe("twoclocks: hostile.json: mean_ttft_ms is ' [2J 0'; expected a number of at least 0.\n");
    expect((await run(['doctor', file('none.json', '')], toyCatalog)).error).toBe(
      'twoclocks: none.json: the file is empty.\n',
    );
    expect((await run(['doctor', '/no/such.json'], toyCatalog)).error).toBe(
      "twoclocks: '/no/such.json' cannot be read: there is no such file.\n",
    );
    const named = file('named.json', JSON.stringify({ ...vllmBench(), model_id: 'a\u001b]0;x\u0007b' }));
    expect((await run(['doctor', named, named], toyCatalog)).output).not.toMatch(/\p{Cc}(?<!\n)/u);
  });
});

describe('twoclocks diagnose', () => {
  it('measures against the targets that are given', async () => {
    const healthy = await run(['diagnose', sound, '--use', 'long-form'], toyCatalog);
    expect(healthy.code).toBe(0);
    expect(healthy.output).toContain('Both clocks are healthy');
    const broken = await run(['diagnose', sound, '--ttft', '100 ms', '--json'], toyCatalog);
    expect(broken.code).toBe(1);
    expect(at(jsonOf(broken), 'diagnoses.0.broken')).toBe('ttft');
    // 330 ms at p99 against 100 ms, and no model to tell hardware from software.
    expect(at(jsonOf(broken), 'diagnoses.0.causes.0.kind')).toBe('unknown');
  });

  it('does not call a clock healthy that it has not seen', async () => {
    const { output = '', code } = await run(['diagnose', file('server.log', vllmLog())], toyCatalog);
    expect(code).toBe(0);
    expect(output).toContain('TPOT is not broken; of TTFT the file says nothing: measure it before looking elsewhere.');
    expect(output).not.toContain('third');
  });
  it('compares two files', async () => {
    const slower = file('slower.json', JSON.stringify(vllmBench({ ...facts, tpot: { ...facts.tpot, mean: 0.0192 } })));
    const outcome = await run(['diagnose', sound, slower, '--json'], toyCatalog);
    expect(outcome.code).toBe(1);
    expect(at(jsonOf(outcome), 'comparison.clocks.1.verdict')).toBe('software slower');
    expect(at(jsonOf(outcome), 'comparison.clocks.1.unexplained')).toBeCloseTo(1.5, 9);
  });

  it('takes a client and a server as one: their difference is the network', async () => {
    const client = file(
      'client.json',
      JSON.stringify(vllmBench({ ...facts, ttft: { mean: 0.68, p50: 0.68, p95: 0.7, p99: 0.8 } })),
    );
    const outcome = await run(['diagnose', client, file('metrics.txt', vllmMetrics()), '--json'], toyCatalog);
    // 680 ms at the client, 180 ms in the server.
    expect(at(jsonOf(outcome), 'diagnoses.0.cards.0.parts.2.seconds')).toBeCloseTo(0.5, 9);
  });
});

describe('twoclocks calibrate', () => {
  // Toy: a decode step takes 26 us of weights; rows of 1.026 ms ask for an overhead of about a millisecond.
  const rows = file(
    'rows.csv',
    `source_id,engine,hardware,gpus,tp,model,weight_format,load,batch,input_tokens,output_tokens,metric,value
x,none,toy,1,1,toy-13m,bf16,single,1,100,10,tpot_ms,1.03
x,none,toy,1,1,toy-13m,bf16,single,1,200,10,tpot_ms,1.03
x,none,toy,1,1,toy-13m,bf16,single,1,400,10,tpot_ms,1.04
`,
  );
  it('writes an overlay that moves an estimate, and says what was not identified', async () => {
    const mine = file('mine.json', '');
    const { output = '', code } = await run(['calibrate', rows, '-o', mine], toyCatalog);
    expect(code).toBe(0);
    expect(output).toContain('overhead of a step');
    expect(output).toContain('no variation of batch or concurrency');
    expect(output).toContain('Written; use it with --calibration.');
    const scenario = [...toy, '-p', '100', '-o', '10', '-c', '1'];
    const outcome = await run(['estimate', ...scenario, '--calibration', mine, '--json'], toyCatalog);
    expect(Number(at(jsonOf(outcome), 'tpot.seconds')) * 1e3).toBeCloseTo(1.03, 1);
    expect(at(jsonOf(outcome), 'grade')).toBe('calibrated');
    const replayed = await run(['replay', '-'], toyCatalog, outcome.output);
    expect(replayed.output).toContain('Identical to the receipt');
    expect((await run(['estimate', ...scenario, '--calibration', mine, '--ideal'], toyCatalog)).code).toBe(2);
  });

  it('asks what ran, where a file does not say', async () => {
    expect((await run(['calibrate', sound], toyCatalog)).error).toBe(
      'twoclocks: sound.json does not say what ran; give --model and --hardware, and --tp where more than one device did.\n',
    );
  });
});

describe('twoclocks watch', () => {
  it('reads a server, says what it does, and leaves others alone', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.end(vllmMetrics());
    });
    await new Promise<void>((listening) => {
      server.listen(0, '127.0.0.1', listening);
    });
    const address = server.address();
    if (typeof address !== 'object' || address === null) throw new Error('no port');
    const { output = '', code } = await run(['watch', `127.0.0.1:${address.port}`, '--count', '1'], toyCatalog);
    server.close();
    expect(code).toBe(0);
    expect(asked).toEqual(['GET /metrics']);
    expect(output).toContain('acme/Tiny-8B, since the server started: 7.00 running');
    expect(output).toContain('TTFT split: queue 36.0 ms (20 %), prefill 144 ms (80 %)');
    expect((await run(['watch', '10.1.2.3'], toyCatalog)).error).toBe(
      "twoclocks: '10.1.2.3' is not this machine; give --remote to allow that.\n",
    );
  });
});

describe('twoclocks define', () => {
  it('prints what each tool means', async () => {
    const { output = '' } = await run(['define', 'time_per_output_token'], toyCatalog);
    expect(output).toContain('TPOT (also:');
    expect(output).toContain('GuideLLM: time_per_output_token: E2E / n. It includes the first token.');
    expect((await run(['define', 'tpto'], toyCatalog)).error).toContain("did you mean 'TPOT'");
    expect((await run(['define'], toyCatalog)).output?.split('\n').length).toBeGreaterThan(10);
  });

  it('is the page docs/definitions.md', async () => {
    await expect(definitionsPage(definitions)).toMatchFileSnapshot('../../docs/definitions.md');
  });

  it('notes where a calibration was fitted elsewhere', async () => {
    const overlay = {
      schema: 'twoclocks/calibration@1',
      fittedTo: 'Toy 13M on an L4',
      hardware: 'l4',
      engine: 'vllm',
      rows: 3,
      factors: { memory: 0.9 },
      overhead: {},
      band: {},
    };
    const { output = '' } = await run(
      ['estimate', ...toy, '--calibration', file('l4.json', JSON.stringify(overlay))],
      toyCatalog,
    );
    expect(output).toContain('the calibration was fitted to Toy 13M on an L4; its constants may not hold here.');
  });
});
