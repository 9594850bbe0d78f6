import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { GgufError } from './gguf-error.ts';
import type { GgufHeader, GgufTensor } from './gguf-header.ts';
import type { ByteSource } from './header-cursor.ts';
import * as messages from './messages.ts';
import { parseGgufHeader } from './parse-gguf-header.ts';

const partName = /^(?<stem>.*)-(?<part>\d{5})-of-(?<parts>\d{5})\.gguf$/u;

/**
 * Reads the header of a GGUF file, or of all parts where the file is one of several (`-00001-of-00003.gguf`);
 * never the tensor data, so that a file of hundreds of gigabytes costs a few megabytes of reading.
 *
 * @throws GgufError with one sentence: no such file, not GGUF, cut short, a part missing
 */
export async function readGguf(path: string): Promise<GgufHeader> {
  // Not a plain promise of a value: errors must reject, whoever calls.
  await Promise.resolve();
  const own = readFile(path);
  const parts = wholeNumber(own, 'split.count') ?? 1;
  const name = partName.exec(basename(path))?.groups;
  if (name === undefined) {
    if (parts > 1) throw new GgufError(messages.partWithoutName(path, (wholeNumber(own, 'split.no') ?? 0) + 1, parts));
    return own;
  }
  const total = Number(name['parts']);
  if (total <= 1) return own;
  return joinParts(path, readParts(path, name['stem'] ?? '', total));
}

function readParts(path: string, stem: string, total: number): readonly GgufHeader[] {
  const headers: GgufHeader[] = [];
  for (let part = 1; part <= total; part++) {
    const file = `${stem}-${digits(part)}-of-${digits(total)}.gguf`;
    const partPath = join(dirname(path), file);
    try {
      headers.push(readFile(partPath));
    } catch (error) {
      if (error instanceof GgufError && error.message === messages.noSuchFile(partPath)) {
        throw new GgufError(messages.missingPart(path, file), { cause: error });
      }
      throw error;
    }
  }
  return headers;
}

function joinParts(path: string, headers: readonly GgufHeader[]): GgufHeader {
  const tensors: GgufTensor[] = [];
  const names = new Set<string>();
  for (const tensor of headers.flatMap((header) => header.tensors)) {
    if (names.has(tensor.name)) throw new GgufError(messages.repeatedTensor(path, tensor.name));
    names.add(tensor.name);
    tensors.push(tensor);
  }
  const first = headers[0];
  const expected = first === undefined ? undefined : wholeNumber(first, 'split.tensors.count');
  if (expected !== undefined && expected !== tensors.length) {
    throw new GgufError(messages.partCount(path, tensors.length, expected));
  }
  return {
    metadata: first?.metadata ?? new Map(),
    tensors,
    parts: headers.length,
    headerBytes: headers.reduce((sum, { headerBytes }) => sum + headerBytes, 0),
    missingBytes: headers.reduce((sum, { missingBytes }) => sum + missingBytes, 0),
  };
}

function readFile(path: string): GgufHeader {
  // Before opening: a pipe would wait for a writer.
  if (!attempt(path, () => statSync(path).isFile())) throw new GgufError(messages.notAFile(path));
  const file = attempt(path, () => openSync(path, 'r'));
  try {
    return parseGgufHeader(fileSource(file, fstatSync(file).size, path), path);
  } finally {
    closeSync(file);
  }
}

function attempt<Result>(path: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw new GgufError(missing ? messages.noSuchFile(path) : messages.unreadable(path, reason(error)), {
      cause: error,
    });
  }
}

/** Synchronous reads: a header is a few megabytes, walked value by value. */
function fileSource(file: number, size: number, path: string): ByteSource {
  return {
    size,
    read(offset, length) {
      const bytes = new Uint8Array(length);
      return bytes.subarray(
        0,
        attempt(path, () => readSync(file, bytes, 0, length, offset)),
      );
    },
  };
}

function wholeNumber({ metadata }: GgufHeader, key: string): number | undefined {
  const value = metadata.get(key);
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}

function digits(part: number): string {
  return String(part).padStart(5, '0');
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
