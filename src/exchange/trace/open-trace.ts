import { createReadStream, statSync } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { readTrace, type TraceOptions, type TraceReader } from './read-trace.ts';

/** A trace in a file, and how much of it was read. */
export interface TraceFile extends TraceReader {
  /** Share of the file's bytes read, for a progress bar. */
  readonly read: () => number;
}

/**
 * Opens a trace file, compressed (.gz) or not; nothing is read before the first request is asked for.
 * @throws the errors of `readTrace`, and those of the file system.
 */
export function openTrace(path: string, options: Omit<TraceOptions, 'where'>): TraceFile {
  const { size } = statSync(path);
  let bytes = 0;
  const file = createReadStream(path, { highWaterMark: 1 << 18 });
  file.on('data', (piece) => {
    bytes += piece.length;
  });
  const plain = path.endsWith('.gz') ? file.pipe(createGunzip()) : file;
  plain.setEncoding('utf8');
  return {
    ...readTrace(plain, { ...options, where: path }),
    read: () => (size === 0 ? 1 : bytes / size),
  };
}
