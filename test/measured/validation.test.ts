import { describe, expect, it } from 'vitest';
import type { Measurement } from '../../src/measured/measurement.ts';
import { readMeasurements } from '../../src/measured/read-measurements.ts';
import { summarisePairs, validationPairs } from '../../src/measured/validation-pairs.ts';
import { type PredictedRow, quantile, summariseValidation, worstRows } from '../../src/measured/validation-summary.ts';
import { validateRows } from '../../src/measured/validate.ts';
import { shippedProfiles } from '../../scripts/shipped-profiles.ts';

const [row] = readMeasurements(
  'source_id,engine,hardware,model,load,metric,value,tp,batch,input_tokens,output_tokens\n' +
    's,vllm,h100-sxm5-80gb,llama-3.1-8b,static-batch,e2e_ms,1000,1,1,128,128\n',
  'rows.csv',
);
if (row === undefined) throw new Error('no row');
const [validated] = validateRows([row], await shippedProfiles());
if (validated === undefined || 'skipped' in validated) throw new Error('not predicted');
const base: PredictedRow = validated;

/** A row measured at `value` and predicted at `predicted`, in a band of a fifth either way. */
const made = (value: number, predicted: number, changes: Partial<Measurement> = {}): PredictedRow => ({
  ...base,
  row: { ...row, value, ...changes },
  figure: { ...base.figure, predicted, low: predicted * 0.8, high: predicted * 1.2 },
  beatsFloor: false,
  error: predicted / value - 1,
});

describe('rows of one run', () => {
  const profiles = shippedProfiles();
  const predicted = async (...changes: readonly Partial<Measurement>[]): Promise<readonly (number | undefined)[]> =>
    validateRows(
      changes.map((each) => ({ ...row, ...each })),
      await profiles,
    ).map((each) => ('skipped' in each ? undefined : each.figure.predicted));

  it('share nothing with rows whose notes say that it was launched in another way', async () => {
    const loop = { load: 'closed-loop', metric: 'ttft_ms', batch: 8 } as const;
    const [all, two] = await predicted(loop, { ...loop, notes: 'cmd: vllm serve m --max-num-seqs 2' });
    expect(two).toBeGreaterThan(5 * (all ?? Infinity));
  });

  it('give the same whichever figure comes first', async () => {
    const inside = { engine: 'llama.cpp', weightFormat: 'gguf-q4_k_m', metric: 'decode_tok_s', outputTokens: 128 };
    const server = { ...inside, metric: 'tpot_ms' };
    const [first, second] = await predicted(inside, server);
    expect(await predicted(server, inside)).toEqual([second, first]);
  });
});

describe('summary of a validation', () => {
  // Errors +10 %, -50 %, +20 %: sizes 10, 20, 50 have the median 20, errors -50, 10, 20 the bias 10. Bands of 80-120 %
  // of 110, 50 and 120 hold 100, not 100 (40-60), and 100: two of three.
  it('is a sum by hand', () => {
    const rows = [made(100, 110), made(100, 50), made(100, 120)];
    const [group] = summariseValidation([...rows, { row, skipped: 'no such model' }]).bySource;
    expect(group).toMatchObject({ key: 's', clock: 'e2e', rows: 3, beatFloor: 0 });
    expect(group?.median).toBeCloseTo(0.2, 12);
    expect(group?.bias).toBeCloseTo(0.1, 12);
    expect(group?.coverage).toBeCloseTo(2 / 3, 12);
    expect(summariseValidation([{ row, skipped: 'no such model' }]).skipped).toEqual([
      { reason: 'no such model', rows: 1 },
    ]);
    expect(worstRows(rows, 1)[0]?.figure.predicted).toBe(50);
  });

  it('takes quantiles of nothing as nothing', () => {
    expect(quantile([], 0.5)).toBeUndefined();
    expect(quantile([3, 1, 2], 0.5)).toBe(2);
  });
});

describe('pairs', () => {
  // TP 1 to 2: measured 100 to 60, predicted 90 to 63: ratios 0.6 and 0.7, the same way, 0.7 / 0.6 - 1 = 17 % off.
  // Batch 1 to 4: measured 100 to 150, predicted 90 to 81: the wrong way, 0.9 / 1.5 - 1 = 40 % off.
  it('differ in exactly one factor, and say direction and ratio', () => {
    const pairs = validationPairs([
      made(100, 90),
      made(60, 63, { tensor: 2, gpus: 2 }),
      made(150, 81, { batch: 4 }),
      made(75, 70, { batch: 8, tensor: 4, gpus: 4 }),
    ]);
    expect(pairs.map(({ factor }) => factor)).toEqual(['ranks', 'batch']);
    const all = summarisePairs(pairs).find(({ factor }) => factor === 'all');
    expect(all).toMatchObject({ pairs: 2, decided: 2, direction: 0.5 });
    expect(all?.ratioError).toBeCloseTo(0.4, 12);
  });
});
