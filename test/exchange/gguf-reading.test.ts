import { mkdtempSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gguf } from '@huggingface/gguf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ggmlTypeNumber } from '../../src/exchange/gguf/ggml-type.ts';
import { GgufError } from '../../src/exchange/gguf/gguf-error.ts';
import { importGguf } from '../../src/exchange/gguf/import-gguf.ts';
import { readGguf } from '../../src/exchange/gguf/read-gguf.ts';
import { parseGgufHeader } from '../../src/exchange/gguf/parse-gguf-header.ts';
import { qwen36MoE } from '../support/gguf-qwen-models.ts';
import { gptOss, llama2With7B, llamaLike } from '../support/gguf-models.ts';
import { memorySource, type WrittenFile, writeGguf } from '../support/gguf-writer.ts';

// A header costs its own bytes and no more: for a file of 200 GB with 2 tensors, 8 + 16 bytes of counts, the
// metadata and 2 x (8 + name + 4 + 2 x 8 + 4 + 8) bytes, read in windows of 256 KiB.
const tiny = llamaLike({ hidden: 8, heads: 2, keyValueHeads: 1, size: 4, layers: 2, width: 16, vocabulary: 10 });

const letter = new TextEncoder().encode('a');

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gguf-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

function place(name: string, file: WrittenFile, size?: number): string {
  const path = join(folder, name);
  const written = writeGguf(file);
  writeFileSync(path, written.header);
  truncateSync(path, size ?? written.size);
  return path;
}

async function sentence(path: string): Promise<string> {
  const error: unknown = await readGguf(path).then(
    () => 'accepted',
    (reason: unknown) => reason,
  );
  if (error instanceof GgufError) return error.message.replaceAll(folder, '');
  throw error;
}

describe('reading a file', () => {
  it('gives metadata and tensors', async () => {
    const header = await readGguf(place('tiny.gguf', tiny));
    expect(header.metadata.get('llama.embedding_length')).toBe(8);
    expect(header.tensors).toHaveLength(tiny.tensors.length);
    expect(header.tensors[0]).toEqual({
      name: 'token_embd.weight',
      dimensions: [8, 10],
      type: { name: 'F16', blockElements: 1, blockBytes: 2, kind: 'float' },
      elements: 80,
      bytes: 160,
    });
    expect(header).toMatchObject({ parts: 1, missingBytes: 0 });
  });

  it.each([
    ['llama', llama2With7B],
    ['qwen35moe', qwen36MoE.file],
    ['gpt-oss', gptOss(24, 32)],
  ])('agrees with the reader of Hugging Face: %s', async (name, file) => {
    const path = place(`${name}.gguf`, file, 2 ** 33);
    const [ours, theirs] = await Promise.all([readGguf(path), gguf(path, { allowLocalFile: true })]);
    expect(ours.tensors.map((tensor) => [tensor.name, tensor.dimensions, ggmlTypeNumber(tensor.type.name)])).toEqual(
      theirs.tensorInfos.map((tensor) => [tensor.name, tensor.shape.map(Number), tensor.dtype]),
    );
    for (const [key, value] of ours.metadata) {
      const other: unknown = Reflect.get(theirs.metadata, key);
      expect(typeof value === 'object' ? value.numbers?.length : value).toEqual(
        Array.isArray(other) ? other.length : other,
      );
    }
  });

  it('of 200 GB costs its header only', async () => {
    const path = place('large.gguf', tiny, 200e9);
    const before = process.memoryUsage().rss;
    const start = performance.now();
    const { headerBytes } = await readGguf(path);
    expect(headerBytes).toBe(writeGguf(tiny).header.byteLength);
    expect(process.memoryUsage().rss - before).toBeLessThan(50e6);
    expect(performance.now() - start).toBeLessThan(2000);
  });

  it('steps over vocabularies without keeping them', () => {
    const vocabulary = Array.from({ length: 200_000 }, (_, token) => `token ${token}`);
    const { header, size } = writeGguf({
      ...tiny,
      metadata: { ...tiny.metadata, 'tokenizer.ggml.tokens': vocabulary },
    });
    const source = memorySource(header, size);
    const { metadata } = parseGgufHeader(source, 'model.gguf');
    expect(metadata.get('tokenizer.ggml.tokens')).toEqual({ length: 200_000 });
    expect(Math.max(...source.reads)).toBeLessThanOrEqual(256 * 1024);
    expect(source.reads.reduce((sum, length) => sum + length, 0)).toBeLessThan(header.byteLength + 20 * 256 * 1024);
  });

  it('reads big-endian files and version 2', () => {
    const expected = parseGgufHeader(memorySource(writeGguf(tiny).header), 'a');
    for (const other of [{ bigEndian: true }, { version: 2 }]) {
      const { header } = writeGguf({ ...tiny, ...other });
      expect(parseGgufHeader(memorySource(header), 'a').tensors).toEqual(expected.tensors);
    }
  });

  it('takes the header of an unfinished download, and says what is missing', async () => {
    const { header, size } = writeGguf(llama2With7B);
    const path = place('part.gguf', llama2With7B, header.byteLength + 1_000_000);
    const read = await readGguf(path);
    // The last tensor ends before its padding; here nothing is padded.
    expect(read.missingBytes).toBeGreaterThan(size - header.byteLength - 1_000_100);
    expect(importGguf(read, path).notes).toEqual([
      '13.48 GB of tensor data are missing from the file; only its header was needed.',
    ]);
  });
});

describe('files that cannot be read', () => {
  it.each<[string, Uint8Array | string, string]>([
    ['empty.gguf', '', 'the file is empty; expected a GGUF model.'],
    ['short.gguf', 'GG', 'not a GGUF file; its first four bytes should be "GGUF" and are "".'],
    ['text.gguf', 'some text', 'not a GGUF file; its first four bytes should be "GGUF" and are "some".'],
    [
      'pointer.gguf',
      'version https://git-lfs.github.com/spec/v1',
      'not a GGUF file; its first four bytes should be "GGUF" and are "vers" (a Git LFS pointer: fetch the file itself with `git lfs pull`).',
    ],
    [
      'zip.gguf',
      'PK\u0003\u0004 and so on',
      'not a GGUF file; its first four bytes should be "GGUF" and are "PK\\u{3}\\u{4}" (a zip archive, as PyTorch checkpoints are).',
    ],
    [
      'bare.gguf',
      'GGUF',
      'the file ends after 4 bytes, inside the version; expected the whole header (an unfinished download?).',
    ],
    [
      'first.gguf',
      rawHeader({ version: 1 }),
      'GGUF version 1; expected version 2 or 3 (convert or download the model again).',
    ],
    [
      'tensors.gguf',
      rawHeader({ tensors: 2n ** 60n }),
      'claims 1152921504606846976 tensors, more than its 24 bytes can hold; the file is damaged or cut short.',
    ],
    [
      'entries.gguf',
      rawHeader({ entries: 2n ** 64n - 1n }),
      'claims 18446744073709551615 metadata entries, more than its 24 bytes can hold; the file is damaged or cut short.',
    ],
    [
      'key.gguf',
      rawHeader({ entries: 1n }, number64(2n ** 60n), new Uint8Array(100)),
      'claims 1152921504606846976 characters in a metadata key, more than its 132 bytes can hold; the file is damaged or cut short.',
    ],
    [
      'deep.gguf',
      rawHeader(
        { entries: 1n },
        number64(1n),
        letter,
        number32(9),
        ...Array.from({ length: 1000 }, () => [number32(9), number64(1n)]).flat(),
        new Uint8Array(64),
      ),
      'the metadata key "a" nests lists deeper than 4.',
    ],
    [
      'list.gguf',
      rawHeader(
        { entries: 1n },
        number64(1n),
        letter,
        number32(9),
        number32(0),
        number64(2n ** 40n),
        new Uint8Array(100),
      ),
      'claims 1099511627776 values in a list, more than its 149 bytes can hold; the file is damaged or cut short.',
    ],
    [
      'kind.gguf',
      rawHeader({ entries: 1n }, number64(1n), letter, number32(77), new Uint8Array(100)),
      'the metadata key "a" has a value of type 77; expected a type from 0 to 12.',
    ],
    [
      'axes.gguf',
      rawHeader({ tensors: 1n }, number64(1n), letter, number32(9), new Uint8Array(100)),
      'the tensor "a" has 9 dimensions; expected 1 to 4.',
    ],
    [
      'shape.gguf',
      rawHeader(
        { tensors: 1n },
        number64(1n),
        letter,
        number32(2),
        number64(2n ** 63n),
        number64(4n),
        new Uint8Array(100),
      ),
      'the tensor "a" has the shape [9223372036854775808, 4]; expected sizes from 1 with a product below 2^53.',
    ],
    [
      'type.gguf',
      rawHeader({ tensors: 1n }, number64(1n), letter, number32(1), number64(32n), number32(139), number64(0n)),
      'the tensor "a" has the ggml type 139, which llama.cpp does not define (a fork\'s own format?).',
    ],
    [
      'block.gguf',
      rawHeader({ tensors: 1n }, number64(1n), letter, number32(1), number64(33n), number32(2), number64(0n)),
      'the tensor "a" [33] of type Q4_0 has rows of 33 elements; expected a multiple of 32.',
    ],
  ])('%s', async (name, bytes, what) => {
    writeFileSync(join(folder, name), bytes);
    expect(await sentence(join(folder, name))).toBe(`/${name}: ${what}`);
  });

  it('that do not exist, or are folders or devices', async () => {
    expect(await sentence(join(folder, 'none.gguf'))).toBe('/none.gguf: no such file; expected a GGUF model.');
    mkdirSync(join(folder, 'folder.gguf'));
    expect(await sentence(join(folder, 'folder.gguf'))).toBe(
      '/folder.gguf: not a regular file; expected a GGUF model.',
    );
    expect(await sentence('/dev/zero')).toBe('/dev/zero: not a regular file; expected a GGUF model.');
  });

  it('cut anywhere inside the header', () => {
    const { header: whole } = writeGguf(tiny);
    for (let length = 0; length < whole.byteLength; length += 7) {
      expect(() => parseGgufHeader(memorySource(whole.subarray(0, length)), 'model.gguf')).toThrow(GgufError);
    }
  });

  it('with a header beyond the limit, without reading that far', () => {
    const bytes = rawHeader({ entries: 2n }, number64(1n), letter, number32(9), number32(0), number64(60_000_000n));
    const source = { size: 200e9, read: (offset: number, length: number) => padded(bytes.subarray(offset), length) };
    expect(parseGgufHeader(source, 'model.gguf').metadata.get('a')).toEqual({ length: 60_000_000 });
    const long = rawHeader({ entries: 2n }, number64(1n), letter, number32(8), number64(67_108_815n));
    const other = { size: 200e9, read: (offset: number, length: number) => padded(long.subarray(offset), length) };
    expect(() => parseGgufHeader(other, 'model.gguf')).toThrow(
      'model.gguf: metadata entry 2 of 2 lies beyond the first 64 MiB; expected a header shorter than that.',
    );
  });

  it('with a key or a tensor twice', () => {
    const twice = { ...tiny, tensors: [...tiny.tensors, ...tiny.tensors.slice(0, 1)] };
    expect(() => parseGgufHeader(memorySource(writeGguf(twice).header), 'model.gguf')).toThrow(
      'model.gguf: the tensor "token_embd.weight" occurs twice; expected each tensor once.',
    );
    const entry = [number64(1n), letter, number32(0), new Uint8Array(1)];
    const keys = rawHeader({ entries: 2n }, ...entry, ...entry);
    expect(() => parseGgufHeader(memorySource(keys), 'model.gguf')).toThrow(
      'model.gguf: the metadata key "a" occurs twice; expected each key once.',
    );
  });

  it('keeps hostile keys away from objects and control characters out of messages', () => {
    const metadata = { ...tiny.metadata, ['__proto__']: 7, constructor: 8 };
    const { header: bytes } = writeGguf({ ...tiny, metadata });
    expect(parseGgufHeader(memorySource(bytes), 'a').metadata.get('__proto__')).toBe(7);
    const bell = {
      ...tiny,
      tensors: [...tiny.tensors, { name: '\u001b[31m\u0007', dimensions: [64, 64], type: 'F16' }],
    };
    expect(() => importGguf(parseGgufHeader(memorySource(writeGguf(bell).header), 'a'), 'a')).toThrow(
      'a: 75.2 % of its parameters lie in tensors of unknown use, such as "\\u{1b}[31m\\u{7}"; expected the tensors of a known architecture.',
    );
  });
});

describe('files in parts', () => {
  const third = Math.ceil(tiny.tensors.length / 3);
  const parts = [0, 1, 2].map((part): WrittenFile => ({
    metadata: {
      ...(part === 0 ? tiny.metadata : {}),
      'split.no': part,
      'split.count': 3,
      'split.tensors.count': tiny.tensors.length,
    },
    tensors: tiny.tensors.slice(part * third, (part + 1) * third),
  }));
  const write = (stem: string, which: readonly number[]): readonly string[] =>
    which.map((part) => place(`${stem}-0000${part + 1}-of-00003.gguf`, parts[part] ?? tiny));

  it('are read together, whichever is named', async () => {
    const paths = write('whole', [0, 1, 2]);
    for (const path of paths) {
      const header = await readGguf(path);
      expect(header.parts).toBe(3);
      expect(importGguf(header, path).elements).toBe(1352);
    }
  });

  it('say which part is missing', async () => {
    const [first = ''] = write('gap', [0, 2]);
    expect(await sentence(first)).toBe(
      '/gap-00001-of-00003.gguf: the model is split and its part gap-00002-of-00003.gguf is missing; expected all parts in one folder.',
    );
  });

  it('need their names', async () => {
    expect(await sentence(place('renamed.gguf', parts[1] ?? tiny))).toBe(
      '/renamed.gguf: part 2 of 3 by its own header; expected a name that ends in -00001-of-00003.gguf or the like, so that the other parts can be found.',
    );
  });

  it('have to hold the tensors that they promise', async () => {
    const [first = ''] = write('mixed', [0, 1, 2]);
    place('mixed-00003-of-00003.gguf', { metadata: { 'split.no': 2, 'split.count': 3 }, tensors: [] });
    expect(await sentence(first)).toBe(
      `/mixed-00001-of-00003.gguf: its parts hold ${2 * third} tensors; expected ${tiny.tensors.length} (split.tensors.count).`,
    );
  });
});

function padded(bytes: Uint8Array, length: number): Uint8Array {
  const result = new Uint8Array(length);
  result.set(bytes.subarray(0, length));
  return result;
}

function rawHeader(
  counts: { readonly version?: number; readonly tensors?: bigint; readonly entries?: bigint },
  ...rest: readonly Uint8Array[]
): Uint8Array {
  const magic = new TextEncoder().encode('GGUF');
  const start = [magic, number32(counts.version ?? 3), number64(counts.tensors ?? 0n), number64(counts.entries ?? 0n)];
  return new Uint8Array(Buffer.concat([...start, ...rest]));
}

function number32(value: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint32(0, value, true);
  return new Uint8Array(view.buffer);
}

function number64(value: bigint): Uint8Array {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, value, true);
  return new Uint8Array(view.buffer);
}
