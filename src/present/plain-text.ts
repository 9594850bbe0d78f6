/**
 * Text that came from outside, safe to print: control characters, line breaks and marks that turn the direction of
 * writing are shown as escapes, so that no name can move the cursor or forge a line.
 */
export function plainText(text: string): string {
  return text.replace(unsafe, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

// C0 and C1 controls, separators of lines and paragraphs, zero-width and bidirectional marks, byte-order mark, lone surrogates.
const unsafe =
  /[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/gu;

/** A text cut to `most` characters, the cut marked. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 3)}...`;
