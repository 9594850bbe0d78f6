import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { BenchmarkError, harmless, unreadableFile } from './messages.ts';
import { type BenchmarkFile, readBenchmark } from './read-benchmark.ts';

/**
 * A benchmark file from disk, as a stream; compressed with gzip, or in UTF-16 as PowerShell writes it, too.
 * @throws BenchmarkError, for a file that cannot be opened too.
 */
export async function readBenchmarkFile(path: string): Promise<BenchmarkFile> {
  const where = harmless(basename(path));
  let bytes: Readable | undefined;
  try {
    const start = await firstBytes(path);
    const isCompressed = start[0] === 0x1f && start[1] === 0x8b;
    const file = createReadStream(path, { highWaterMark: 1 << 20 });
    bytes = file;
    if (isCompressed) {
      const plain = createGunzip();
      file.once('error', (error) => plain.destroy(error));
      bytes = file.pipe(plain);
    }
    return await readBenchmark(textOf(bytes, encodingOf(start)), where);
  } catch (error) {
    if (error instanceof BenchmarkError) throw error;
    if (error instanceof Error && 'code' in error)
      throw new BenchmarkError(unreadableFile(where, reasons[String(error.code)] ?? String(error.code)));
    throw error;
  } finally {
    bytes?.destroy();
  }
}

async function firstBytes(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const start = new Uint8Array(2);
    const { bytesRead } = await file.read(start);
    return start.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

const encodingOf = ([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' =>
  first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';

async function* textOf(bytes: Readable, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const piece of bytes) {
    if (piece instanceof Uint8Array) yield decoder.decode(piece, { stream: true });
  }
  yield decoder.decode();
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  Z_BUF_ERROR: 'its compression ends in the middle, it seems to be cut short',
  Z_DATA_ERROR: 'its compression is damaged',
};
