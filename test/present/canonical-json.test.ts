import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../src/present/canonical-json.ts';

describe('canonicalJson', () => {
  it('does not depend on the order of keys, and leaves out what is undefined', () => {
    expect(canonicalJson({ b: [1, { d: 2, c: 'x' }], a: undefined })).toBe('{"b":[1,{"c":"x","d":2}]}');
  });

  it('is JSON of the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
