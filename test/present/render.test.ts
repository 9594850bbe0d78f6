import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { escaped, scriptJson, unescaped } from '../../src/present/render/escape.ts';
import { isPng, pngText, withPngText } from '../../src/present/render/png-text.ts';
import { pngOf } from '../../src/present/render/png-of.ts';
import { markdownText } from '../../src/present/report/report-markdown.ts';

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20"><text x="2" y="14" font-family="Inter">Ag</text></svg>';

describe('text from outside', () => {
  it('cannot leave XML or HTML, and comes back', () => {
    expect(escaped(`<script>"'&`)).toBe('&lt;script&gt;&quot;&#39;&amp;');
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(escaped(text)).not.toMatch(/[<>"']/);
        expect(unescaped(escaped(text))).toBe(
          text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ''),
        );
      }),
    );
  });

  it('cannot end a script element', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const json = scriptJson({ text: `</script>${text}` });
        expect(json).not.toContain('<');
        const parsed: unknown = JSON.parse(json);
        expect(parsed).toEqual({ text: `</script>${text}` });
      }),
    );
  });

  it('is plain words in Markdown', () => {
    expect(markdownText('[a](b) <i> `c` | *d*')).toBe('\\[a\\](b) \\<i\\> \\`c\\` \\| \\*d\\*');
    expect(markdownText('1. x')).toBe('\\1. x');
    expect(markdownText('see https://evil.example')).toBe('see https&#58;//evil.example');
  });
});

describe('PNG', () => {
  it('draws text with the font that comes along: more than a blank picture', async () => {
    const blank = await pngOf(svg.replace('Ag', ''), 2);
    const drawn = await pngOf(svg, 2);
    expect(isPng(drawn)).toBe(true);
    expect(drawn.length).toBeGreaterThan(blank.length + 200);
    expect(await pngOf(svg, 2)).toEqual(drawn);
  });

  it('carries a text after its header, and everything else stays', async () => {
    const png = await pngOf(svg, 1);
    const marked = withPngText(png, 'twoclocks', '{"a":"é"}');
    expect(pngText(marked, 'twoclocks')).toBe('{"a":"é"}');
    expect(pngText(marked, 'other')).toBeUndefined();
    // Chunk: 4 length, 4 type, 9 keyword, 5 zeros, 10 bytes of text, 4 checksum.
    expect(marked.length - png.length).toBe(4 + 4 + 9 + 5 + 10 + 4);
    expect([...marked.subarray(0, 33)]).toEqual([...png.subarray(0, 33)]);
  });
});
