import { ggmlType } from './ggml-type.ts';
import { GgufError } from './gguf-error.ts';
import type { GgufHeader, GgufList, GgufTensor, GgufValue } from './gguf-header.ts';
import { type ByteSource, HeaderCursor } from './header-cursor.ts';
import * as messages from './messages.ts';

/** Limits well above real files (under 100 entries, about 2,500 tensors; 30,000 in files of one tensor per expert). */
const limits = { entries: 10_000, tensors: 200_000, dimensions: 4, nesting: 4, keyBytes: 65_535, nameBytes: 1024 };

/** Longer texts (chat templates) and lists (vocabularies) are stepped over; per-layer lists are far shorter. */
const kept = { textBytes: 1024, listLength: 4096, numbersInAll: 200_000 };

const smallest = { entryBytes: 8 + 4 + 1, tensorBytes: 8 + 4 + 4 + 8 };

/** Bytes of fixed-size values by their type number; 8 is text, 9 a list. */
const valueBytes: Readonly<Record<number, number>> = {
  0: 1,
  1: 1,
  2: 2,
  3: 2,
  4: 4,
  5: 4,
  6: 4,
  7: 1,
  10: 8,
  11: 8,
  12: 8,
};

const textType = 8;
const listType = 9;

/**
 * Reads the header of one GGUF file and nothing after it.
 *
 * @param where file name for messages
 * @throws GgufError where the bytes are not such a header, end before it does, or claim more than they hold
 */
export function parseGgufHeader(source: ByteSource, where: string): GgufHeader {
  const cursor = new HeaderCursor(source, where);
  readMagic(cursor, source, where);
  const tensorCount = cursor.count(smallest.tensorBytes, 'tensors');
  const entryCount = cursor.count(smallest.entryBytes, 'metadata entries');
  if (tensorCount > limits.tensors)
    throw new GgufError(messages.tooMany(where, 'tensors', tensorCount, limits.tensors));
  if (entryCount > limits.entries) {
    throw new GgufError(messages.tooMany(where, 'metadata entries', entryCount, limits.entries));
  }
  const metadata = readMetadata(cursor, entryCount, where);
  const described = readTensors(cursor, tensorCount, where);
  const dataStart = padded(cursor.position, alignmentOf(metadata, where));
  return {
    metadata,
    tensors: described.tensors,
    parts: 1,
    headerBytes: cursor.position,
    missingBytes: described.dataEnd === 0 ? 0 : Math.max(0, dataStart + described.dataEnd - source.size),
  };
}

function readMagic(cursor: HeaderCursor, source: ByteSource, where: string): void {
  if (source.size === 0) throw new GgufError(messages.emptyFile(where));
  const magic = cursor.remaining < 4 ? '' : cursor.text(4);
  if (magic !== 'GGUF') throw new GgufError(messages.wrongMagic(where, magic));
  cursor.reading = 'the version';
  const version = cursor.unsigned32();
  // A big-endian file (s390x) read as little-endian has its version in the upper half.
  cursor.littleEndian = version % 65_536 !== 0;
  const shown = cursor.littleEndian ? version : version / 16_777_216;
  if (shown !== 2 && shown !== 3) throw new GgufError(messages.wrongVersion(where, shown));
  cursor.reading = 'the counts of tensors and metadata';
}

function readMetadata(cursor: HeaderCursor, count: number, where: string): ReadonlyMap<string, GgufValue> {
  const metadata = new Map<string, GgufValue>();
  const budget = { numbers: kept.numbersInAll };
  for (let index = 0; index < count; index++) {
    cursor.reading = `metadata entry ${index + 1} of ${count}`;
    const length = cursor.count(1, 'characters in a metadata key');
    if (length > limits.keyBytes)
      throw new GgufError(messages.tooMany(where, 'characters in a metadata key', length, limits.keyBytes));
    const key = cursor.text(length);
    if (metadata.has(key)) throw new GgufError(messages.repeatedKey(where, key));
    const type = cursor.unsigned32();
    metadata.set(key, readValue(cursor, type, key, where, budget));
  }
  return metadata;
}

function readValue(
  cursor: HeaderCursor,
  type: number,
  key: string,
  where: string,
  budget: { numbers: number },
): GgufValue {
  if (type === listType) return readList(cursor, key, where, budget, 1);
  if (type === textType) return readText(cursor);
  return readScalar(cursor, type, key, where);
}

function readText(cursor: HeaderCursor): string | GgufList {
  const length = cursor.count(1, 'characters in a text');
  if (length <= kept.textBytes) return cursor.text(length);
  cursor.skip(length);
  return { length };
}

function readScalar(cursor: HeaderCursor, type: number, key: string, where: string): number | bigint | boolean {
  switch (type) {
    case 0:
      return cursor.unsigned8();
    case 1:
      return cursor.signed8();
    case 2:
      return cursor.unsigned16();
    case 3:
      return cursor.signed16();
    case 4:
      return cursor.unsigned32();
    case 5:
      return cursor.signed32();
    case 6:
      return cursor.float32();
    case 7:
      return cursor.unsigned8() !== 0;
    case 10:
      return exact(cursor.unsigned64());
    case 11:
      return exact(cursor.signed64());
    case 12:
      return cursor.float64();
    default:
      throw new GgufError(messages.unknownValueType(where, key, type));
  }
}

function exact(value: bigint): number | bigint {
  return value >= -BigInt(Number.MAX_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

function readList(
  cursor: HeaderCursor,
  key: string,
  where: string,
  budget: { numbers: number },
  depth: number,
): GgufList {
  if (depth > limits.nesting) throw new GgufError(messages.nestedTooDeep(where, key, limits.nesting));
  const type = cursor.unsigned32();
  const size = valueBytes[type];
  if (size !== undefined) {
    const length = cursor.count(size, 'values in a list');
    if (length > kept.listLength || length > budget.numbers) {
      cursor.skip(length * size);
      return { length };
    }
    budget.numbers -= length;
    return { length, numbers: Array.from({ length }, () => Number(readScalar(cursor, type, key, where))) };
  }
  if (type !== textType && type !== listType) throw new GgufError(messages.unknownValueType(where, key, type));
  // A text takes 8 bytes at least, a list 12.
  const length = cursor.count(type === textType ? 8 : 12, 'values in a list');
  for (let index = 0; index < length; index++) {
    if (type === textType) cursor.skip(cursor.count(1, 'characters in a text'));
    else readList(cursor, key, where, budget, depth + 1);
  }
  return { length };
}

function readTensors(
  cursor: HeaderCursor,
  count: number,
  where: string,
): { readonly tensors: readonly GgufTensor[]; readonly dataEnd: number } {
  const tensors: GgufTensor[] = [];
  const names = new Set<string>();
  let dataEnd = 0;
  for (let index = 0; index < count; index++) {
    cursor.reading = `tensor ${index + 1} of ${count}`;
    const { tensor, end } = readTensor(cursor, where);
    if (names.has(tensor.name)) throw new GgufError(messages.repeatedTensor(where, tensor.name));
    names.add(tensor.name);
    tensors.push(tensor);
    dataEnd = Math.max(dataEnd, end);
  }
  return { tensors, dataEnd };
}

function readTensor(cursor: HeaderCursor, where: string): { readonly tensor: GgufTensor; readonly end: number } {
  const length = cursor.count(1, 'characters in a tensor name');
  if (length > limits.nameBytes)
    throw new GgufError(messages.tooMany(where, 'characters in a tensor name', length, limits.nameBytes));
  const name = cursor.text(length);
  const axes = cursor.unsigned32();
  if (axes < 1 || axes > limits.dimensions)
    throw new GgufError(messages.wrongAxes(where, name, axes, limits.dimensions));
  const dimensions = Array.from({ length: axes }, () => cursor.unsigned64());
  const elements = dimensions.reduce((product, size) => product * size, 1n);
  if (elements < 1n || elements > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new GgufError(messages.wrongShape(where, name, dimensions));
  }
  const number = cursor.unsigned32();
  const type = ggmlType(number);
  if (type === undefined) throw new GgufError(messages.unknownTensorType(where, name, number));
  const sizes = dimensions.map(Number);
  if ((sizes[0] ?? 0) % type.blockElements !== 0) {
    throw new GgufError(messages.brokenBlocks(where, name, sizes, type.name, type.blockElements));
  }
  const bytes = (Number(elements) / type.blockElements) * type.blockBytes;
  const end = Number(cursor.unsigned64()) + bytes;
  return { tensor: { name, dimensions: sizes, type, elements: Number(elements), bytes }, end };
}

function alignmentOf(metadata: ReadonlyMap<string, GgufValue>, where: string): number {
  const alignment = metadata.get('general.alignment') ?? 32;
  if (typeof alignment !== 'number' || !Number.isInteger(Math.log2(alignment))) {
    throw new GgufError(messages.wrongAlignment(where));
  }
  return alignment;
}

function padded(position: number, alignment: number): number {
  return Math.ceil(position / alignment) * alignment;
}
