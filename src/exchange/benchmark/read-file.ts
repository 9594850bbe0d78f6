import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { BenchmarkError, harmless, unreadableFile } from './messages.ts';
import { type BenchmarkFile, readBenchmark } from './read-benchmark.ts';

/** A benchmark file from disk, as a stream. @throws BenchmarkError, for a file that cannot be opened too. */
export async function readBenchmarkFile(path: string): Promise<BenchmarkFile> {
  const where = harmless(basename(path));
  const stream = createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 20 });
  try {
    return await readBenchmark(stream, where);
  } catch (error) {
    if (error instanceof BenchmarkError) throw error;
    if (error instanceof Error && 'code' in error)
      throw new BenchmarkError(unreadableFile(where, reasons[String(error.code)] ?? String(error.code)));
    throw error;
  } finally {
    stream.destroy();
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
};
