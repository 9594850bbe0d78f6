import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shippedProfiles } from '../../scripts/shipped-profiles.ts';
import type { Measurement } from '../../src/measured/measurement.ts';
import { MeasurementError } from '../../src/measured/messages.ts';
import { readMeasurements } from '../../src/measured/read-measurements.ts';
import { validateRows } from '../../src/measured/validate.ts';
import { runs } from '../support/thorough.ts';

const header =
  'source_id,engine,hardware,model,load,metric,value,gpus,tp,batch,rate_rps,input_tokens,output_tokens,cached_tokens,options';
const lines = [
  's,vllm,h100-sxm5-80gb,llama-3.1-8b,static-batch,e2e_ms,1000,1,1,4,,128,128,0,',
  's,vllm,h100-sxm5-80gb,llama-3.1-8b,closed-loop,ttft_ms,55.5,1,1,2,,512,16,0,requests=8; length_range_ratio=0.8',
  's,llama.cpp,rtx-4090,llama-3.1-8b,single,decode_tok_s,110,1,1,1,,0,32,0,"flash_attention=on; ubatch=512"',
] as const;
const file = [header, ...lines].join('\n');
const valid = readMeasurements(file, 'f.csv');

/** A reading, or the sentence that refuses it; anything else is a fault. */
function read(text: string): readonly Measurement[] | string {
  try {
    return readMeasurements(text, 'f.csv');
  } catch (error) {
    if (error instanceof MeasurementError) return error.message;
    throw error;
  }
}

const numeric = ['value', 'gpus', 'tensor', 'batch', 'rate', 'inputTokens', 'outputTokens', 'cachedTokens'] as const;

function expectSane(result: readonly Measurement[] | string): void {
  if (typeof result === 'string') {
    expect(result).toMatch(/^f\.csv\b.*\.$/s);
    expect(result).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(result.length).toBeLessThan(900);
    return;
  }
  for (const row of result) {
    expect(row.value > 0 && row.value < Infinity).toBe(true);
    const known: Partial<Record<string, unknown>> = { ...row };
    for (const name of numeric) expect(known[name] === undefined || Number(known[name]) >= 0, name).toBe(true);
  }
}

const cell = fc.oneof(
  fc.constantFrom(
    '',
    '-1',
    '0',
    'NaN',
    'Infinity',
    '1e999',
    '1e308',
    '0x10',
    '__proto__',
    '\u001b[31m',
    '"',
    ',',
    '\n',
  ),
  fc.string(),
  fc.double().map(String),
);

describe('a measurement CSV that was changed', () => {
  it('at any place is read, or refused in one sentence', () => {
    const at = fc.integer({ min: 0, max: file.length });
    fc.assert(
      fc.property(at, fc.nat(20), fc.oneof(cell, fc.string({ unit: 'binary' })), (from, cut, put) => {
        expectSane(read(file.slice(0, from) + put + file.slice(from + cut)));
      }),
      runs(500),
    );
  });

  it('in one row leaves the others as they were', () => {
    fc.assert(
      fc.property(fc.nat(header.split(',').length - 1), cell, (column, put) => {
        const cells = (lines[0] ?? '').split(',').with(column, `"${put.replaceAll('"', '""')}"`);
        const result = read([header, cells.join(','), ...lines.slice(1)].join('\n'));
        expectSane(result);
        if (typeof result === 'string') return;
        const sameButLine = (row: Measurement): object => ({ ...row, line: 0 });
        expect(result.slice(1).map(sameButLine)).toEqual(valid.slice(1).map(sameButLine));
      }),
      runs(300),
    );
  });

  it('is predicted in finite figures, or skipped for a reason', async () => {
    const profiles = await shippedProfiles();
    fc.assert(
      fc.property(fc.nat(header.split(',').length - 1), cell, (column, put) => {
        const cells = (lines[0] ?? '').split(',').with(column, `"${put.replaceAll('"', '""')}"`);
        const result = read([header, cells.join(',')].join('\n'));
        if (typeof result === 'string') return;
        for (const row of validateRows(result, profiles)) {
          if ('skipped' in row) expect(row.skipped.length).toBeGreaterThan(0);
          else expect(row.figure.predicted > 0 && row.figure.predicted < Infinity).toBe(true);
        }
      }),
      runs(200),
    );
  });
});
