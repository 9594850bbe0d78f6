// Writes docs/gallery.md and its pictures; test/present/gallery.test.ts draws them again and compares.
import { mkdir, writeFile } from 'node:fs/promises';
import { galleryExamples, galleryFile, galleryPage } from './gallery.ts';

const docs = new URL('../docs/', import.meta.url);
await mkdir(new URL('gallery/', docs), { recursive: true });
for (const example of galleryExamples) {
  await writeFile(new URL(`gallery/${example.kind}.svg`, docs), await galleryFile(example, 'svg'));
}
await writeFile(new URL('gallery.md', docs), galleryPage());
