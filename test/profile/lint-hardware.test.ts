import { describe, expect, it } from 'vitest';
import { hardwareRules, lintHardware } from '../../src/profile/lint/lint-hardware.ts';
import { otherCases } from './lint-other-cases.ts';
import { peakCases } from './lint-peak-cases.ts';
import { changed, shippedHardware } from './shipped-hardware.ts';

/** What is wrong with a shipped profile once some fields are changed: [rule, severity, path, message]. */
function found(device: string, changes: Readonly<Record<string, unknown>>): readonly (readonly string[])[] {
  const json = changed(device, { name: 'mine', title: 'Mine', aliases: [], ...changes });
  return lintHardware(json, 'mine', shippedHardware).map(({ rule, severity, path, message }) => [
    rule,
    severity,
    path,
    message,
  ]);
}

const cases = [...peakCases, ...otherCases];

describe('lintHardware', () => {
  it.each(cases)('finds %s', (_, device, changes, findings) => {
    expect(found(device, changes)).toEqual(findings);
  });

  it('has a wrong profile here for every rule', () => {
    const tested = new Set(cases.flatMap(([, , , findings]) => findings.map(([rule]) => rule)));
    expect(hardwareRules.map(({ name }) => name).filter((name) => !tested.has(name))).toEqual([]);
  });

  it('needs no device to compare with', () => {
    const json = changed('l40s', { 'matrix.fp8': '1466 TFLOP/s' });
    expect(lintHardware(json, 'mine').map(({ rule }) => rule)).toEqual(['sparse-peak']);
  });

  it('does not take a faster part of like name for a sparse figure', () => {
    // L40S is 2.00 times L40, M1 Pro 2.03 times M1.
    expect(found('l40s', {})).toEqual([]);
    expect(found('apple-m1-pro-16c', { name: 'apple-m1-pro-of-mine' })).toEqual([]);
  });

  it('leaves out what a profile acknowledges', () => {
    const changes = { 'memory.capacity': '80 GB', acknowledged: ['decimal-capacity'] };
    expect(found('h100-sxm5-80gb', changes)).toEqual([]);
  });

  it('finds an acknowledgement of nothing, and of an unknown rule', () => {
    expect(found('h100-sxm5-80gb', { acknowledged: ['clock-range', 'sparse-peaks'] })).toEqual([
      [
        'acknowledgement',
        'warning',
        'acknowledged',
        'acknowledged names clock-range, which finds nothing in this profile; take it out.',
      ],
      [
        'acknowledgement',
        'error',
        'acknowledged',
        "acknowledged names the unknown rule 'sparse-peaks', nearest rule 'sparse-peak'.",
      ],
    ]);
  });
});
