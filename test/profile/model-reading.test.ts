import { describe, expect, it } from 'vitest';
import { modelToFile, modelToJson } from '../../src/profile/model-to-json.ts';
import { ProfileError } from '../../src/profile/profile-error.ts';
import { readModel } from '../../src/profile/read-model.ts';
import { smallExperts, smallLayer, smallModel, withLayer } from './model-case.ts';

const file = {
  name: 'small',
  title: 'Small',
  family: 'llama',
  hiddenSize: 8,
  vocabulary: 10,
  embedding: { tied: false },
  layers: {
    dense: {
      mixer: { kind: 'attention', heads: 2, keyValueHeads: 1, keySize: 4 },
      feedForward: { kind: 'dense', width: 16 },
      vectorParameters: 16,
    },
  },
  order: '2 dense',
  vectorParameters: 8,
  checkpoint: { layers: 'bf16' },
  sources: [{ source: 'made up for tests' }],
};
const dense = file.layers.dense;
const layerWith = (change: object): object => ({ ...file, layers: { dense: { ...dense, ...change } } });

describe('readModel', () => {
  it('fills in what a profile leaves out', () => {
    expect(readModel(file, 'small.json')).toEqual(smallModel);
  });

  it('freezes the model', () => {
    const model = readModel(file, 'small.json');
    expect(Object.isFrozen(model)).toBe(true);
    expect(Object.isFrozen(model.layers[0]?.mixer)).toBe(true);
  });

  it.each([
    [
      { ...file, hidenSize: 8 },
      "small.json: the file has the unknown field 'hidenSize', nearest known field 'hiddenSize'.",
    ],
    [
      layerWith({ feedForward: { kind: 'experts', experts: 4, active: 2, widht: 6 } }),
      "small.json: layers.dense.feedForward has the unknown field 'widht', nearest known field 'width'.",
    ],
    [
      layerWith({ mixer: { ...dense.mixer, heads: 0 } }),
      'small.json: layers.dense.mixer.heads is 0, expected a whole number from 1 to 10000000000000.',
    ],
    [
      layerWith({ mixer: { ...dense.mixer, window: Number.NaN } }),
      'small.json: layers.dense.mixer.window is NaN, expected a whole number from 1 to 10000000000000.',
    ],
    [
      layerWith({ vectorParameters: -1 }),
      'small.json: layers.dense.vectorParameters is -1, expected a whole number from 0 to 10000000000000.',
    ],
    [layerWith({ mixer: { kind: 'atention' } }), /^small\.json: layers\.dense\.mixer/],
    [
      { ...file, hiddenSize: undefined },
      'small.json: hiddenSize is missing, expected a whole number from 1 to 10000000000000.',
    ],
    [{ ...file, embedding: { tied: 1 } }, 'small.json: embedding.tied is 1, expected true or false.'],
    [
      { ...file, order: '2 dens' },
      "small.json: order names the layer kind 'dens', which layers does not define, nearest defined kind 'dense'.",
    ],
    [
      { ...file, order: '2 x dense' },
      "small.json: order is '2 x dense', expected an order of layer kinds such as '3 dense, 58 sparse'.",
    ],
    [{ ...file, layers: { dense, spare: dense } }, 'small.json: layers.spare is defined, but order never names it.'],
    [
      layerWith({ mixer: { ...dense.mixer, heads: 3, keyValueHeads: 2 } }),
      'small.json: layers.dense.mixer.keyValueHeads is 2, expected a divisor of heads = 3.',
    ],
    [
      layerWith({ feedForward: { kind: 'experts', experts: 4, active: 5, width: 6 } }),
      'small.json: layers.dense.feedForward.active is 5, expected at most experts = 4.',
    ],
    [{ ...file, name: 'Small Model' }, /^small\.json: name is 'Small Model', expected a name of /],
    [{ ...file, aliases: ['tiny', 'small'] }, "small.json: aliases repeats 'small', expected every name once."],
    [{ ...file, sources: [] }, 'small.json: sources is empty, expected at least one citation.'],
    [
      { ...file, published: { total: 1, tolerance: 0.5, scope: 'lm', citation: { source: 'x' } } },
      /published\.tolerance is 0\.5, expected 'exact' or a fraction above 0 and up to 0\.1\.$/,
    ],
    [
      { ...file, published: { total: 1, tolerance: 'exact', scope: 'all', citation: { source: 'x' } } },
      /published\.scope is 'all', expected a scope such as 'lm' or 'lm\+mtp'\.$/,
    ],
    [
      JSON.parse('{"__proto__": {"name": "x"}}'),
      "small.json: the key '__proto__' is refused, no file has a field of that name.",
    ],
    [[], /^small\.json: the file is a list, expected an object with /],
  ])('names what is wrong (%#)', (json: unknown, sentence) => {
    expect(() => readModel(json, 'small.json')).toThrow(
      sentence instanceof RegExp ? sentence : new ProfileError(sentence),
    );
  });
});

describe('modelToFile', () => {
  it('leaves defaults out', () => {
    expect(modelToFile(smallModel)).toEqual({ $schema: '../schemas/model.schema.json', ...file });
  });

  it('keeps what differs from a default', () => {
    const model = withLayer({
      mixer: {
        kind: 'attention',
        heads: 2,
        keyValueHeads: 1,
        keySize: 4,
        valueSize: 2,
        window: 9,
        chunked: true,
        gated: true,
        keyValue: 'key-is-value',
        sparse: { topTokens: 3, heads: 1, headSize: 2 },
      },
      feedForward: {
        ...smallExperts,
        gated: false,
        sharedWidth: 1,
        latentSize: 2,
        denseWidth: 3,
        vectorParametersPerExpert: 4,
        routerBias: true,
      },
      parallelBlocks: true,
    });
    expect(readModel(JSON.parse(modelToJson(model)), 'written')).toEqual(model);
  });

  it('names kinds of layers by what sets them apart', () => {
    const experts = { ...smallLayer, count: 1, feedForward: smallExperts };
    const other = { ...experts, vectorParameters: 17 };
    const written = modelToFile({ ...smallModel, layers: [smallLayer, experts, other, experts, other] });
    expect(Object.keys(written.layers)).toEqual(['dense', 'experts', 'experts-2']);
    expect(written.order).toBe('2 dense, 2 (experts, experts-2)');
  });

  it('writes objects that fit on one line, and a line feed at the end', () => {
    const lines = modelToJson(smallModel).split('\n');
    expect(lines).toContain('      "mixer": { "kind": "attention", "heads": 2, "keyValueHeads": 1, "keySize": 4 },');
    expect(lines.at(-1)).toBe('');
  });
});
