import { describe, expect, it } from 'vitest';
import { estimate } from '../../src/estimate.ts';
import { newRun } from '../../src/exchange/benchmark/benchmark-run.ts';
import { calibrate, type CalibrationResult } from '../../src/measured/calibrate.ts';
import { rowOfMeasurement, rowsOfRun } from '../../src/measured/calibration-row.ts';
import { readMeasurements } from '../../src/measured/read-measurements.ts';
import { readCalibration } from '../../src/profile/read-calibration.ts';
import type { Scenario } from '../../src/profile/scenario.ts';
import { shippedDeployment, shippedDevice, shippedEngine, shippedModel } from '../support/shipped.ts';

const header =
  'source_id,engine,engine_version,hardware,gpus,tp,model,weight_format,load,batch,input_tokens,output_tokens,metric,value';

const profiles = { model: shippedModel, hardware: shippedDevice, engine: shippedEngine };

const fit = (lines: readonly string[]): CalibrationResult =>
  calibrate(
    readMeasurements([header, ...lines].join('\n'), 'rows.csv').map((row) =>
      rowOfMeasurement(row, profiles, 'rows.csv'),
    ),
  );

const fitted = (result: CalibrationResult, name: string): number | undefined =>
  result.fitted.find((each) => each.name === name)?.value;

const refusal = (result: CalibrationResult, name: string): string | undefined =>
  result.refused.find((each) => each.name === name)?.reason;

/*
 * vllm-project/vllm#16300: QwQ-32B BF16 on A100-80, vLLM 0.7.2, 1 in / 200 out, batch 1: 27.5 ms a token at TP2, 19.55
 * at TP4, 15.75 at TP8. A / TP + B through the first two: A/4 = 7.95, so A = 31.8 and B = 11.6; A/8 + B = 15.6.
 */
describe('vllm-project/vllm#16300: TP8 is slower than TP4 under load', () => {
  const row = (tensor: number, seconds: number, batch = 1): string =>
    `vllm-16300,vllm,0.7.2,a100-sxm4-80gb,${tensor},${tensor},qwen2.5-32b,bf16,static-batch,${batch},1,200,e2e_ms,${seconds * 1000}`;
  const result = fit([row(2, 5.5), row(4, 3.91)]);
  const scenario: Scenario = {
    deployment: {
      ...shippedDeployment('qwen2.5-32b', 'a100-sxm4-80gb', 'vllm', {
        version: '0.7.2',
        parallelism: { tensor: 8, pipeline: 1, data: 1, expert: 1, replicas: 1 },
      }),
      calibration: result.calibration,
    },
    workload: { prompt: 1, output: 200, cached: 0, load: { kind: 'batch', size: 1 } },
    grade: 'calibrated',
  };
  const { tpot, e2e } = estimate(scenario);

  it('the fit to TP2 and TP4 predicts TP8: 3.15 s', () => {
    expect(e2e.seconds / 3.15).toBeGreaterThan(0.97);
    expect(e2e.seconds / 3.15).toBeLessThan(1.03);
  });

  it('at TP8 most of TPOT does not shrink with bandwidth', () => {
    expect(1 - tpot.elasticity['weight-bandwidth'] - tpot.elasticity['kv-bandwidth']).toBeGreaterThan(0.6);
    expect(tpot.ideal).toBeCloseTo(3.92e-3, 3);
  });

  it('says what the rows cannot separate', () => {
    expect(refusal(result, 'linkLatency')).toContain('cannot tell');
    expect(result.calibration.notes.join(' ')).toContain('the rows cannot tell them apart');
    expect(refusal(result, 'sequence')).toBe('no variation of batch or concurrency');
    expect(
      result.fitted.every(({ interval }) => interval === undefined),
      'two rows, two parameters',
    ).toBe(true);
  });
});

/*
 * meta-pytorch/gpt-fast#111: Llama-2-7B FP16 on V100 NVLink, 29 tok/s on one, 17 on two. 34.5 = 14.7 floor + 19.8;
 * two: 7.3 + 19.8 + 64 all-reduces x 0.5 ms = 59.1 ms.
 */
describe('meta-pytorch/gpt-fast#111: two cards are slower than one', () => {
  const row = (tensor: number, rate: number): string =>
    `gpt-fast-111,gpt-fast,,v100-sxm2-16gb,${tensor},${tensor},llama-2-7b,fp16,single,1,5,200,decode_tok_s_per_user,${rate}`;
  const result = fit([row(1, 29), row(2, 17)]);

  it('link latency, many times the usual, is what two cards wait for', () => {
    expect(fitted(result, 'linkLatency')).toBeGreaterThan(20);
    expect(result.rows[1]?.after).toBeCloseTo(1 / 17, 4);
    const { deployment, ...rest } = {
      deployment: shippedDeployment('llama-2-7b', 'v100-sxm2-16gb', 'gpt-fast', {
        parallelism: { tensor: 2, pipeline: 1, data: 1, expert: 1, replicas: 1 },
      }),
      grade: 'calibrated',
    } as const;
    const { bound, tpot } = estimate({
      ...rest,
      deployment: { ...deployment, calibration: result.calibration },
      workload: { prompt: 5, output: 200, cached: 0, load: { kind: 'concurrency', size: 1 } },
    });
    expect(bound.tpot.resource).toBe('link-latency');
    // 64 x 0.5 ms = 32 ms of the 58.8 ms.
    expect(tpot.breakdown['link-latency']).toBeGreaterThan(0.025);
    expect(tpot.breakdown['link-latency']).toBeLessThan(0.04);
  });

  it('with one card alone, latency cannot be identified', () => {
    expect(refusal(fit([row(1, 29)]), 'linkLatency')).toBe('no row has more than one tensor rank');
  });
});

/*
 * tenstorrent/tt-inference-server#143: Qwen2.5-72B BF16 on 2 x H100, one request at a time. 2 x 72.7e9 x 2048 FLOPs /
 * (2 x 989e12 FLOP/s) = 150.6 ms: the row at 2048 tokens, 149.5 ms, is at the peak.
 */
describe('tenstorrent/tt-inference-server#143: a prompt sweep with an impossible row', () => {
  const sweep: readonly (readonly [number, number])[] = [
    [128, 41.1],
    [1024, 129.2],
    [2048, 149.5],
    [3072, 270.9],
    [4096, 505.1],
    [8192, 1063.8],
  ];
  const row = (prompt: number, metric: string, value: number): string =>
    `tt-143,vllm,,h100-sxm5-80gb,2,2,qwen2.5-72b,bf16,single,1,${prompt},128,${metric},${value}`;
  const result = fit(sweep.flatMap(([prompt, ttft]) => [row(prompt, 'ttft_ms', ttft), row(prompt, 'tpot_ms', 31.1)]));

  it('leaves out the rows that no kernel reaches, and says why', () => {
    expect(result.excluded.map(({ where }) => where)).toEqual(['rows.csv line 6', 'rows.csv line 8']);
    expect(result.excluded[0]?.reason).toMatch(/^it is at 9\d % of peak, which no public kernel sustains$/);
    expect(result.excluded[1]?.reason).toContain('part of the prompt was probably cached');
  });

  it('fits the others within a few per cent, left out or not', () => {
    expect(result.error.before).toBeGreaterThan(0.05);
    expect(result.error.after).toBeLessThan(0.03);
    expect(result.error.leftOut).toBeLessThan(0.05);
    expect(fitted(result, 'compute')).toBeGreaterThan(0.6);
  });

  it('one TP says nothing of latency, one model nothing of layers', () => {
    expect(refusal(result, 'linkLatency')).toContain('all rows have 2 tensor ranks');
    expect(refusal(result, 'layer')).toContain('one model');
  });
});

describe('rows made with known constants', () => {
  const deployment = shippedDeployment('llama-3.1-8b', 'h100-sxm5-80gb', 'vllm');
  const truth = {
    schema: 'twoclocks/calibration@1' as const,
    fittedTo: 'made up',
    hardware: 'h100-sxm5-80gb',
    engine: 'vllm',
    rows: 1,
    factors: { memory: 0.8 },
    overhead: { step: 0.006, request: 0.03 },
    band: {},
    notes: [],
  };
  const rows = [1, 4, 16, 64].flatMap((size) =>
    [200, 2000].flatMap((prompt) => {
      const workload = { prompt, output: 100, cached: 0, load: { kind: 'batch', size } } as const;
      const { ttft, tpot } = estimate({
        deployment: { ...deployment, calibration: truth },
        workload,
        grade: 'calibrated',
      });
      const exactly = (mean: number): { readonly mean: number; readonly percentiles: readonly [] } => ({
        mean,
        percentiles: [],
      });
      const run = newRun({
        tool: 'made up',
        where: `${size}/${prompt}`,
        kind: 'client',
        load: workload.load,
        tokens: { input: exactly(prompt), output: exactly(100) },
        clocks: { ttft: exactly(ttft.seconds), tpot: exactly(tpot.seconds) },
      });
      return rowsOfRun(run, deployment);
    }),
  );
  const result = calibrate(rows);

  it('give them back, with intervals that hold them', () => {
    expect(fitted(result, 'memory')).toBeCloseTo(0.8, 1);
    expect((fitted(result, 'step') ?? 0) * 1e3).toBeCloseTo(6, 0);
    expect((fitted(result, 'request') ?? 0) * 1e3).toBeCloseTo(30, 0);
    for (const { interval, value } of result.fitted) {
      expect(interval?.[0]).toBeLessThanOrEqual(value);
      expect(interval?.[1]).toBeGreaterThanOrEqual(value);
    }
    expect(result.error.after).toBeLessThan(0.01);
  });

  it('the overlay survives its file, and moves any deployment', () => {
    const read = readCalibration(JSON.parse(JSON.stringify(result.calibration)), 'my.json');
    expect(read).toEqual(result.calibration);
    const scenario: Scenario = {
      deployment,
      workload: { prompt: 500, output: 50, cached: 0, load: { kind: 'batch', size: 2 } },
      grade: 'typical',
    };
    const usual = estimate(scenario);
    const own = estimate({ ...scenario, deployment: { ...deployment, calibration: read }, grade: 'calibrated' });
    expect(own.tpot.seconds).toBeGreaterThan(usual.tpot.seconds);
    expect(own.tpot.ideal, 'the floor knows no calibration').toBe(usual.tpot.ideal);
    expect(own.tpot.regime).toContain('calibrated rows');
  });
});

describe('what cannot be fitted', () => {
  const row = (hardware: string, engine = 'vllm'): string =>
    `s,${engine},,${hardware},1,1,llama-3.1-8b,bf16,single,1,100,100,tpot_ms,12`;
  it('says so in one sentence', () => {
    expect(() => fit([row('h100-sxm5-80gb'), row('a100-sxm4-80gb')])).toThrow(
      'the rows are of 2 devices (NVIDIA H100 SXM5 80GB, NVIDIA A100 SXM4 80GB); a calibration is of one: fit them one by one.',
    );
    expect(() => fit(['s,vllm,,h100-sxm5-80gb,1,1,llama-3.1-8b,bf16,single,1,100,100,ttft_p99_ms,12'])).toThrow(
      'there is no row to fit; the first was left out because the metric ttft_p99_ms has no closed form to fit.',
    );
    expect(() =>
      readCalibration(
        {
          schema: 'twoclocks/calibration@1',
          fittedTo: 'x',
          hardware: 'x',
          engine: 'x',
          rows: 1,
          factors: { memory: -1 },
          overhead: {},
          band: {},
        },
        'my.json',
      ),
    ).toThrow('my.json: factors.memory is -1, expected a factor from 0.01 to 1000.');
  });
});
