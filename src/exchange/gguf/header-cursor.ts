import { GgufError } from './gguf-error.ts';
import * as messages from './messages.ts';

/** Bytes somewhere: a file, a blob, a buffer. `read` may return fewer bytes than asked at the end. */
export interface ByteSource {
  readonly size: number;
  readonly read: (offset: number, length: number) => Uint8Array;
}

/**
 * Most bytes of header that are read from one file. The longest seen hold vocabularies of 262,144 tokens with their
 * merges, about 20 MB; the rest of a file, however long, is never touched.
 */
export const headerLimit: number = 64 * 1024 * 1024;

/** Bytes held in memory at a time. */
const windowBytes = 256 * 1024;

const decoder = new TextDecoder();

/** Reads numbers and texts one after the other, in either byte order, never past the limit, never far ahead. */
export class HeaderCursor {
  /** What is being read, for messages: `tensor 3 of 291`. */
  reading = 'the header';
  littleEndian = true;
  readonly #source: ByteSource;
  readonly #where: string;
  #position = 0;
  #window: DataView = new DataView(new ArrayBuffer(0));
  #windowStart = 0;

  constructor(source: ByteSource, where: string) {
    this.#source = source;
    this.#where = where;
  }

  get position(): number {
    return this.#position;
  }

  /** Bytes from here to the end of what may be read. */
  get remaining(): number {
    return Math.min(this.#source.size, headerLimit) - this.#position;
  }

  unsigned8(): number {
    const at = this.#advance(1);
    return this.#window.getUint8(at);
  }

  signed8(): number {
    const at = this.#advance(1);
    return this.#window.getInt8(at);
  }

  unsigned16(): number {
    const at = this.#advance(2);
    return this.#window.getUint16(at, this.littleEndian);
  }

  signed16(): number {
    const at = this.#advance(2);
    return this.#window.getInt16(at, this.littleEndian);
  }

  unsigned32(): number {
    const at = this.#advance(4);
    return this.#window.getUint32(at, this.littleEndian);
  }

  signed32(): number {
    const at = this.#advance(4);
    return this.#window.getInt32(at, this.littleEndian);
  }

  unsigned64(): bigint {
    const at = this.#advance(8);
    return this.#window.getBigUint64(at, this.littleEndian);
  }

  signed64(): bigint {
    const at = this.#advance(8);
    return this.#window.getBigInt64(at, this.littleEndian);
  }

  float32(): number {
    const at = this.#advance(4);
    return this.#window.getFloat32(at, this.littleEndian);
  }

  float64(): number {
    const at = this.#advance(8);
    return this.#window.getFloat64(at, this.littleEndian);
  }

  text(bytes: number): string {
    const start = this.#advance(bytes);
    return decoder.decode(new Uint8Array(this.#window.buffer, this.#window.byteOffset + start, bytes));
  }

  /** A length or count: what it counts takes at least `bytesEach`, so more than fits in the rest is refused unread. */
  count(bytesEach: number, what: string): number {
    const value = this.unsigned64();
    if (value * BigInt(bytesEach) > BigInt(this.remaining)) this.#refuseCount(value, what);
    return Number(value);
  }

  skip(bytes: number): void {
    if (bytes > this.remaining) this.#refuseEnd();
    this.#position += bytes;
  }

  /** Makes the next bytes available and steps over them; returns their place in the window, which may be a new one. */
  #advance(bytes: number): number {
    if (bytes > this.remaining) this.#refuseEnd();
    let start = this.#position - this.#windowStart;
    if (start < 0 || start + bytes > this.#window.byteLength) {
      this.#fill(bytes);
      start = 0;
    }
    this.#position += bytes;
    return start;
  }

  #fill(bytes: number): void {
    const length = Math.min(Math.max(bytes, windowBytes), this.remaining);
    const chunk = this.#source.read(this.#position, length);
    if (chunk.byteLength < bytes) throw new GgufError(messages.endsEarly(this.#where, this.reading, this.#source.size));
    this.#window = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    this.#windowStart = this.#position;
  }

  #refuseEnd(): never {
    throw new GgufError(
      this.#source.size > headerLimit
        ? messages.headerTooLong(this.#where, headerLimit, this.reading)
        : messages.endsEarly(this.#where, this.reading, this.#source.size),
    );
  }

  #refuseCount(value: bigint, what: string): never {
    throw new GgufError(messages.countTooLarge(this.#where, what, value, this.#source.size, headerLimit));
  }
}
