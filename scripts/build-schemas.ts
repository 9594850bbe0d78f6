// Writes schemas/*.schema.json from the zod schemas; a test compares the committed files with them.
import { mkdir, writeFile } from 'node:fs/promises';
import { jsonSchemas } from './json-schemas.ts';

const folder = new URL('../schemas/', import.meta.url);
await mkdir(folder, { recursive: true });
for (const [file, text] of jsonSchemas()) await writeFile(new URL(file, folder), text);
