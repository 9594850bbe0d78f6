import { type BenchmarkFile, readBenchmark } from '../exchange/benchmark/read-benchmark.ts';
import { InputError } from './input-error.ts';
import { shown } from './messages.ts';

/** No server exposes more; what comes after is not read. */
const largestAnswer = 16e6;

/**
 * One GET of a server's metrics; the whole answer has to come within `wait` milliseconds.
 * @throws InputError, or BenchmarkError for what are no metrics.
 */
export async function scrape(address: URL, wait: number): Promise<BenchmarkFile> {
  const signal = AbortSignal.timeout(wait);
  const place = shown(address.href);
  let answer: Response;
  try {
    // A redirect could lead away from this machine.
    answer = await fetch(address, { signal, redirect: 'manual' });
  } catch (error) {
    throw new InputError(signal.aborted ? tooSlow(place, wait) : `${place} does not answer.`, { cause: error });
  }
  if (answer.status >= 300 && answer.status < 400) {
    throw new InputError(`${place} redirects, which is not followed; give the address of the metrics themselves.`);
  }
  if (!answer.ok || answer.body === null) throw new InputError(`${place} answers with status ${answer.status}.`);
  return readBenchmark(piecesOf(answer.body, place, signal, wait), address.host);
}

async function* piecesOf(
  body: ReadableStream<Uint8Array>,
  place: string,
  signal: AbortSignal,
  wait: number,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let length = 0;
  try {
    for await (const piece of body) {
      length += piece.length;
      if (length > largestAnswer) {
        throw new InputError(`${place} answers with more than ${largestAnswer / 1e6} MB; expected metrics.`);
      }
      yield decoder.decode(piece, { stream: true });
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(signal.aborted ? tooSlow(place, wait) : `${place} breaks off its answer.`, { cause: error });
  }
}

const tooSlow = (place: string, wait: number): string => `${place} did not finish its answer within ${wait / 1e3} s.`;
