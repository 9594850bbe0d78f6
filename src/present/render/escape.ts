/** Text as content of an XML or HTML element, or in a quoted attribute; characters that XML cannot hold are dropped. */
export const escaped = (text: string): string =>
  text
    // Everything but tab, line feed and carriage return below the blank (XML 1.0, 2.2), and lone surrogates.
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/** The other way round. */
export const unescaped = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** JSON inside a script element: nothing in it can end the element, and only plain characters are left. */
export const scriptJson = (value: unknown): string =>
  (JSON.stringify(value) ?? 'null').replace(
    /[<>&\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
