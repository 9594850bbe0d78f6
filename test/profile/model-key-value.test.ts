import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyValueBytes, keyValueBytesPerToken, keyValueForm } from '../../src/profile/key-value-bytes.ts';
import type { Attention, LayerGroup, Model } from '../../src/profile/model.ts';
import { smallLayer, smallModel } from './model-case.ts';

const attention: Attention = {
  kind: 'attention',
  heads: 2,
  keyValueHeads: 1,
  keySize: 4,
  valueSize: 4,
  chunked: false,
  gated: false,
  keyValue: 'own',
};
const windowed = (window: number): LayerGroup => ({ ...smallLayer, count: 3, mixer: { ...attention, window } });
const recurrent: LayerGroup = {
  ...smallLayer,
  count: 4,
  mixer: {
    kind: 'recurrent',
    variant: 'mamba2',
    matrixParameters: 1,
    stateElements: 10,
    convolutionElements: 3,
    recurrenceFlops: 1,
  },
};
const mixed: Model = { ...smallModel, layers: [smallLayer, windowed(16), windowed(64), windowed(16), recurrent] };

describe('keyValueForm', () => {
  it('splits layers by how long they remember', () => {
    // Full: 2 layers x 8 elements x 2 bytes. Windows: 6 layers at 16, 3 at 64. State: 4 x (10 x 4 + 3 x 2).
    expect(keyValueForm(mixed, 2)).toEqual({
      full: 32,
      windowed: [
        { window: 16, perToken: 96 },
        { window: 64, perToken: 48 },
      ],
      fixed: 184,
    });
  });

  it('keeps state and convolution in their own formats whatever the cache has', () => {
    expect(keyValueForm(mixed, 1)).toMatchObject({ full: 16, fixed: 184 });
  });
});

describe('keyValueBytes', () => {
  it('stops growing at each window', () => {
    // 100 tokens: 32 x 100 + 96 x 16 + 48 x 64 + 184.
    expect(keyValueBytes(mixed, 2, 100)).toBe(3200 + 1536 + 3072 + 184);
  });

  it('is the per-token sum below every window, concave, and linear in the format', () => {
    fc.assert(
      fc.property(fc.nat(500), (tokens) => {
        const at = (count: number): number => keyValueBytes(mixed, 2, count);
        if (tokens <= 16) expect(at(tokens)).toBe(keyValueBytesPerToken(mixed, 2) * tokens + 184);
        expect(at(tokens + 2) - at(tokens + 1)).toBeLessThanOrEqual(at(tokens + 1) - at(tokens));
        expect(at(tokens + 1)).toBeGreaterThanOrEqual(at(tokens));
        expect(at(tokens) - 184).toBe(2 * (keyValueBytes(mixed, 1, tokens) - 184));
      }),
    );
  });
});
