/*
 * International text chunks of PNG (PNG specification, third edition, 11.3.3.4): keyword, no compression, no language,
 * UTF-8 text.
 */

const signature: readonly number[] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Signature, and the header chunk that has to come first: length, name, 13 bytes, checksum. */
const headerEnd = 8 + 4 + 4 + 13 + 4;

export const isPng = (bytes: Uint8Array): boolean =>
  bytes.length > headerEnd && signature.every((byte, index) => bytes[index] === byte);

/** A PNG with a text under a keyword. */
export function withPngText(png: Uint8Array, keyword: string, text: string): Uint8Array {
  const encoder = new TextEncoder();
  const content = Uint8Array.of(...encoder.encode(`iTXt${keyword}`), 0, 0, 0, 0, 0);
  const body = new Uint8Array(content.length + encoder.encode(text).length);
  body.set(content);
  body.set(encoder.encode(text), content.length);
  const chunk = new Uint8Array(body.length + 8);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, body.length - 4);
  chunk.set(body, 4);
  view.setUint32(body.length + 4, checksum(body));
  const whole = new Uint8Array(png.length + chunk.length);
  whole.set(png.subarray(0, headerEnd));
  whole.set(chunk, headerEnd);
  whole.set(png.subarray(headerEnd), headerEnd + chunk.length);
  return whole;
}

/** The text under a keyword, or undefined. */
export function pngText(png: Uint8Array, keyword: string): string | undefined {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const decoder = new TextDecoder();
  const start = `${keyword}\0\0\0\0\0`;
  for (let at = 8; at + 12 <= png.length;) {
    const length = view.getUint32(at);
    if (at + 12 + length > png.length) return undefined;
    const content = png.subarray(at + 8, at + 8 + length);
    if (decoder.decode(png.subarray(at + 4, at + 8)) === 'iTXt') {
      const text = decoder.decode(content);
      if (text.startsWith(start)) return text.slice(start.length);
    }
    at += 12 + length;
  }
  return undefined;
}

/** CRC-32 as PNG defines it (annex D): polynomial 0xedb88320, all ones before and inverted after. */
function checksum(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = (value & 1) === 0 ? value >>> 1 : (value >>> 1) ^ 0xedb88320;
  }
  return (value ^ 0xffffffff) >>> 0;
}
