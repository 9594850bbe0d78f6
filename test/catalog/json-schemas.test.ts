import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { jsonSchemas } from '../../scripts/json-schemas.ts';

const schemas = jsonSchemas();

describe('JSON schemas', () => {
  it.each([...schemas.keys()])('%s is current', (file) => {
    // Otherwise: node scripts/run.js scripts/build-schemas.ts
    expect(readFileSync(new URL(`../../schemas/${file}`, import.meta.url), 'utf8')).toBe(schemas.get(file));
  });

  it('refuse unknown fields', () => {
    for (const text of schemas.values())
      expect(JSON.parse(text)).toMatchObject({ type: 'object', additionalProperties: false });
  });
});
