import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ggmlType } from '../../src/exchange/gguf/ggml-type.ts';
import { GgufError } from '../../src/exchange/gguf/gguf-error.ts';
import { importGguf, type ImportedGguf } from '../../src/exchange/gguf/import-gguf.ts';
import { parseGgufHeader } from '../../src/exchange/gguf/parse-gguf-header.ts';
import { modelToJson } from '../../src/profile/model-to-json.ts';
import { publishedScopeCount } from '../../src/profile/parameter-count.ts';
import { readModel } from '../../src/profile/read-model.ts';
import { gemma4E4B } from '../support/gguf-dense-models.ts';
import { deepseekV2Lite, deepseekV4Flash, glm45Air } from '../support/gguf-expert-models.ts';
import { qwen36MoE } from '../support/gguf-qwen-models.ts';
import { jamba52B, lfm2With1B2 } from '../support/gguf-recurrent-models.ts';
import { gptOss, llamaLike } from '../support/gguf-models.ts';
import {
  memorySource,
  type WrittenFile,
  type WrittenTensor,
  type WrittenValue,
  writeGguf,
} from '../support/gguf-writer.ts';

// Whatever the bytes: a model that is a valid profile and whose count is the sum over its tensors, or one sentence.
// Never another error, never more read than the header's own bytes and one window of 256 KiB each time.

/** The first layers of a file, so that a byte more often hits something that matters. */
function shortened(file: WrittenFile, layers: number): WrittenFile {
  const architecture = String(file.metadata['general.architecture']);
  const layerOf = ({ name }: WrittenTensor): number => Number(/^blk\.(\d+)\./.exec(name)?.[1] ?? 0);
  return {
    metadata: {
      ...file.metadata,
      [`${architecture}.block_count`]: layers,
      [`${architecture}.nextn_predict_layers`]: 0,
    },
    tensors: file.tensors.filter((tensor) => layerOf(tensor) < layers),
  };
}

const written: readonly [WrittenFile, ...WrittenFile[]] = [
  llamaLike({ hidden: 8, heads: 2, keyValueHeads: 1, size: 4, layers: 1, width: 16, vocabulary: 10 }),
  ...[gptOss(2, 4), deepseekV2Lite(true).file, glm45Air.file].map((file) => shortened(file, 2)),
  ...[gemma4E4B, jamba52B, qwen36MoE, lfm2With1B2, deepseekV4Flash].map(({ file }) => shortened(file, 5)),
];
const files = written.map((file) => writeGguf(file));

/** Values that break readers: edges of 8, 32 and 64 bits, small counts. */
const nasty = fc.oneof(
  fc.constantFrom(
    0n,
    1n,
    2n,
    3n,
    255n,
    256n,
    2n ** 31n,
    2n ** 32n - 1n,
    2n ** 53n,
    2n ** 60n,
    2n ** 63n,
    2n ** 64n - 1n,
  ),
  fc.bigInt({ min: 0n, max: 64n }),
);

type Change = { readonly at: number } & (
  { readonly kind: 'byte' | 'cut' | 'copy'; readonly value: number } | { readonly kind: 'word'; readonly value: bigint }
);

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constant('byte' as const), at: fc.nat(), value: fc.nat(255) }),
  fc.record({ kind: fc.constant('word' as const), at: fc.nat(), value: nasty }),
  fc.record({ kind: fc.constant('cut' as const), at: fc.nat(), value: fc.nat(40) }),
  fc.record({ kind: fc.constant('copy' as const), at: fc.nat(), value: fc.nat() }),
);

function changed(original: Uint8Array, changes: readonly Change[]): Uint8Array {
  let bytes = Uint8Array.from(original);
  for (const { at, ...one } of changes) {
    const place = at % Math.max(1, bytes.byteLength - 8);
    if (one.kind === 'byte') bytes[place] = one.value;
    else if (one.kind === 'word') new DataView(bytes.buffer).setBigUint64(place, one.value, true);
    else if (one.kind === 'cut') {
      bytes = Uint8Array.from([...bytes.subarray(0, place), ...bytes.subarray(place + one.value)]);
    } else bytes.copyWithin(place, one.value % bytes.byteLength, (one.value % bytes.byteLength) + 24);
    if (bytes.byteLength < 16) return bytes;
  }
  return bytes;
}

function read(bytes: Uint8Array, size: number): ImportedGguf | GgufError {
  const source = memorySource(bytes, size);
  try {
    const header = parseGgufHeader(source, 'fuzz.gguf');
    expect(header.headerBytes).toBeLessThanOrEqual(bytes.byteLength);
    return importGguf(header, 'fuzz.gguf');
  } catch (error) {
    if (error instanceof GgufError) return error;
    throw error;
  } finally {
    expect(source.reads.reduce((sum, length) => sum + length, 0)).toBeLessThan(bytes.byteLength + 4 * 256 * 1024);
  }
}

/** Sentence or valid model: asserts either, returns which. */
function judged(bytes: Uint8Array, size: number): 'model' | 'refusal' {
  const result = read(bytes, size);
  if (result instanceof GgufError) {
    expect(result.message).toMatch(/^fuzz\.gguf: [\u0020-\u007e]+\.$/);
    return 'refusal';
  }
  const { model } = result;
  expect(publishedScopeCount(model, model.published?.scope ?? '')).toBe(model.published?.total);
  expect(readModel(JSON.parse(modelToJson(model)), 'fuzz.json').layers).toEqual(model.layers);
  expect(result.weightBytes).toBeGreaterThan(0);
  return 'model';
}

/** One tensor lost, renamed, retyped or resized, or one key lost or set to another number. */
function damaged(file: WrittenFile, { at, key, kind, value }: Damage): WrittenFile {
  const place = at % file.tensors.length;
  const altered = (tensor: WrittenTensor): readonly WrittenTensor[] => {
    if (kind === 'lose') return [];
    if (kind === 'rename') return [{ ...tensor, name: `${tensor.name}x` }];
    if (kind === 'type') return [{ ...tensor, type: 'I8' }];
    return [{ ...tensor, dimensions: tensor.dimensions.map((size, axis) => (axis === value % 3 ? value + 1 : size)) }];
  };
  const entries = Object.entries(file.metadata);
  const name = entries[key % entries.length]?.[0];
  const other = kind === 'key' ? entries.map(([each, old]) => [each, each === name ? value : old] as const) : entries;
  return {
    metadata: Object.fromEntries<WrittenValue>(kind === 'lose-key' ? entries.filter(([each]) => each !== name) : other),
    tensors:
      kind === 'key' || kind === 'lose-key'
        ? file.tensors
        : file.tensors.flatMap((tensor, index) => (index === place ? altered(tensor) : [tensor])),
  };
}

interface Damage {
  readonly kind: 'lose' | 'rename' | 'type' | 'resize' | 'key' | 'lose-key';
  readonly at: number;
  readonly key: number;
  readonly value: number;
}

const damage: fc.Arbitrary<Damage> = fc.record({
  kind: fc.constantFrom('lose', 'rename', 'type', 'resize', 'key', 'lose-key'),
  at: fc.nat(),
  key: fc.nat(),
  value: fc.oneof(fc.nat(40), fc.nat(100_000)),
});

describe('hostile bytes', () => {
  it('give a valid model or one sentence', () => {
    const outcomes = { model: 0, refusal: 0 };
    fc.assert(
      fc.property(fc.nat(files.length - 1), fc.array(change, { minLength: 1, maxLength: 4 }), (file, changes) => {
        const { header, size } = files[file] ?? { header: new Uint8Array(0), size: 0 };
        outcomes[judged(changed(header, changes), size)] += 1;
      }),
      { numRuns: 2500, seed: 20_261_201 },
    );
    // Neither kind of outcome may be the only one.
    expect(Math.min(outcomes.model, outcomes.refusal)).toBeGreaterThan(100);
  });

  it('of a file that is well formed but wrong give a valid model or one sentence', () => {
    const outcomes = { model: 0, refusal: 0 };
    fc.assert(
      fc.property(fc.nat(written.length - 1), fc.array(damage, { minLength: 1, maxLength: 2 }), (index, damages) => {
        const [first] = written;
        const { header, size } = writeGguf(damages.reduce(damaged, written[index] ?? first));
        outcomes[judged(header, size)] += 1;
      }),
      { numRuns: 1500, seed: 20_261_201 },
    );
    expect(Math.min(outcomes.model, outcomes.refusal)).toBeGreaterThan(300);
  });

  it('of any kind behind the magic are refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (tail) => {
        const bytes = Uint8Array.from([0x47, 0x47, 0x55, 0x46, 3, 0, 0, 0, ...tail]);
        expect(read(bytes, bytes.byteLength)).toBeInstanceOf(GgufError);
      }),
    );
  });
});

describe('written files', () => {
  const types = [0, 1, 2, 8, 12, 14, 30, 39, 40].map((number) => ggmlType(number)).filter((type) => type !== undefined);
  const tensor = fc.tuple(
    fc.constantFrom(...types),
    fc.integer({ min: 1, max: 40 }),
    fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 3 }),
  );

  it('are read back to the last byte', () => {
    fc.assert(
      fc.property(fc.array(tensor, { maxLength: 20 }), fc.boolean(), (list, bigEndian) => {
        const tensors = list.map(([type, blocks, rest], index): WrittenTensor => ({
          name: `tensor ${index}`,
          dimensions: [blocks * type.blockElements, ...rest],
          type: type.name,
        }));
        const { header, size } = writeGguf({ metadata: { a: 'b', c: [1, 2, 3] }, tensors, bigEndian });
        const parsed = parseGgufHeader(memorySource(header, size), 'a.gguf');
        expect(parsed.tensors.map(({ name, dimensions, type }) => ({ name, dimensions, type: type.name }))).toEqual(
          tensors,
        );
        expect(parsed.headerBytes).toBe(header.byteLength);
        expect(parsed.missingBytes).toBe(0);
        list.forEach(([type, blocks, rest], index) => {
          const rows = rest.reduce((product, length) => product * length, 1);
          expect(parsed.tensors[index]?.bytes).toBe(blocks * rows * type.blockBytes);
        });
      }),
      { numRuns: 200 },
    );
  });
});
