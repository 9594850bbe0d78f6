import { writeFileSync } from 'node:fs';
import { definitions } from '../src/measured/definitions.ts';
import { definitionsPage } from '../src/present/definitions-text.ts';

/* Writes docs/definitions.md from the table that `twoclocks define` prints. */
writeFileSync(new URL('../docs/definitions.md', import.meta.url), definitionsPage(definitions));
