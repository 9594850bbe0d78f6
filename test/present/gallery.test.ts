import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { galleryExamples, galleryFile, galleryPage } from '../../scripts/gallery.ts';
import { roundedSvg } from '../support/rounded-svg.ts';

const parsed = (text: string): unknown => JSON.parse(text);
const file = new URL('../../node_modules/vega-lite/build/vega-lite-schema.json', import.meta.url);
const schema = parsed(readFileSync(file, 'utf8'));
if (typeof schema !== 'object' || schema === null) throw new TypeError('no schema');
// Formats such as colours and addresses are not in JSON Schema's own list.
const isVegaLite = new Ajv({ strict: false, validateFormats: false }).compile(schema);
const docs = new URL('../../docs/', import.meta.url);

describe('every kind of chart, from one scenario alone', () => {
  it.each(galleryExamples.map((example) => [example.kind, example] as const))(
    '%s is valid Vega-Lite and draws what the gallery shows',
    async (kind, example) => {
      const json: unknown = JSON.parse(await galleryFile(example, 'json'));
      isVegaLite(json);
      expect(isVegaLite.errors ?? []).toEqual([]);
      // Compiling and drawing complain by throwing.
      const svg = await galleryFile(example, 'svg');
      const shown = readFileSync(new URL(`gallery/${kind}.svg`, docs), 'utf8');
      // A change that is meant is stored by: node scripts/run.js scripts/build-gallery.ts
      expect(roundedSvg(svg)).toBe(roundedSvg(shown));
    },
  );

  it('draws the same bytes each time', async () => {
    const [example] = galleryExamples;
    if (example === undefined) throw new RangeError('no examples');
    expect(await galleryFile(example, 'svg')).toBe(await galleryFile(example, 'svg'));
  });

  it('has a page that names each', () => {
    expect(readFileSync(new URL('gallery.md', docs), 'utf8')).toBe(galleryPage());
  });
});
