import type { ByteSource } from '../../src/exchange/gguf/header-cursor.ts';
import { ggmlType, ggmlTypeNumber } from '../../src/exchange/gguf/ggml-type.ts';

/** A value of the metadata; numbers are written as UINT32, or as FLOAT32 where they are not whole. */
export type WrittenValue =
  string | number | bigint | boolean | readonly number[] | readonly boolean[] | readonly string[];

export interface WrittenTensor {
  readonly name: string;
  readonly dimensions: readonly number[];
  /** Name of a ggml type. */
  readonly type: string;
}

export interface WrittenFile {
  readonly metadata: Readonly<Record<string, WrittenValue>>;
  readonly tensors: readonly WrittenTensor[];
  readonly version?: number;
  readonly bigEndian?: boolean;
}

/** The header of a GGUF file, and the size that the file would have with its tensor data. */
export function writeGguf(file: WrittenFile): { readonly header: Uint8Array; readonly size: number } {
  const little = file.bigEndian !== true;
  const out = byteWriter(little);
  out.bytes(new TextEncoder().encode('GGUF'));
  out.unsigned32(file.version ?? 3);
  out.unsigned64(file.tensors.length);
  const entries = Object.entries(file.metadata);
  out.unsigned64(entries.length);
  for (const [key, value] of entries) {
    out.text(key);
    writeValue(out, value);
  }
  let offset = 0;
  for (const { name, dimensions, type } of file.tensors) {
    const number = ggmlTypeNumber(type);
    const layout = number === undefined ? undefined : ggmlType(number);
    if (number === undefined || layout === undefined) throw new RangeError(`no ggml type ${type}`);
    out.text(name);
    out.unsigned32(dimensions.length);
    for (const size of dimensions) out.unsigned64(size);
    out.unsigned32(number);
    out.unsigned64(offset);
    const elements = dimensions.reduce((product, size) => product * size, 1);
    offset += padded((elements / layout.blockElements) * layout.blockBytes);
  }
  const header = out.finish();
  return { header, size: padded(header.byteLength) + offset };
}

/** A source over bytes that says it is `size` bytes long; beyond its bytes there is nothing to read. */
export function memorySource(
  bytes: Uint8Array,
  size: number = bytes.byteLength,
): ByteSource & { readonly reads: number[] } {
  const reads: number[] = [];
  return {
    size,
    reads,
    read(offset, length) {
      reads.push(length);
      return bytes.subarray(offset, offset + length);
    },
  };
}

function padded(bytes: number): number {
  return Math.ceil(bytes / 32) * 32;
}

function writeValue(out: ByteWriter, value: WrittenValue): void {
  if (typeof value === 'object') {
    const [first] = value;
    out.unsigned32(9);
    out.unsigned32(typeof first === 'string' ? 8 : typeof first === 'boolean' ? 7 : 4);
    out.unsigned64(value.length);
    for (const item of value) writePlain(out, item);
    return;
  }
  if (typeof value === 'string') out.unsigned32(8);
  else if (typeof value === 'boolean') out.unsigned32(7);
  else if (typeof value === 'bigint') out.unsigned32(10);
  else out.unsigned32(Number.isInteger(value) && value >= 0 ? 4 : 6);
  writePlain(out, value);
}

function writePlain(out: ByteWriter, value: string | number | bigint | boolean): void {
  if (typeof value === 'string') out.text(value);
  else if (typeof value === 'boolean') out.bytes(new Uint8Array([value ? 1 : 0]));
  else if (typeof value === 'bigint') out.unsigned64(value);
  else if (Number.isInteger(value) && value >= 0) out.unsigned32(value);
  else out.float32(value);
}

interface ByteWriter {
  readonly bytes: (chunk: Uint8Array) => void;
  readonly unsigned32: (value: number) => void;
  readonly unsigned64: (value: number | bigint) => void;
  readonly float32: (value: number) => void;
  readonly text: (value: string) => void;
  readonly finish: () => Uint8Array;
}

function byteWriter(little: boolean): ByteWriter {
  const chunks: Uint8Array[] = [];
  const number = (size: number, set: (view: DataView) => void): void => {
    const view = new DataView(new ArrayBuffer(size));
    set(view);
    chunks.push(new Uint8Array(view.buffer));
  };
  const unsigned64 = (value: number | bigint): void => number(8, (view) => view.setBigUint64(0, BigInt(value), little));
  return {
    bytes: (chunk) => void chunks.push(chunk),
    unsigned32: (value) => number(4, (view) => view.setUint32(0, value, little)),
    unsigned64,
    float32: (value) => number(4, (view) => view.setFloat32(0, value, little)),
    text(value) {
      const encoded = new TextEncoder().encode(value);
      unsigned64(encoded.byteLength);
      chunks.push(encoded);
    },
    finish: () => new Uint8Array(Buffer.concat(chunks)),
  };
}
