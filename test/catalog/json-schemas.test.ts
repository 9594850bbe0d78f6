import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

describe('profile files', () => {
  it.each(['hardware-profiles', 'model-profiles', 'engine-profiles', 'prices'])('of %s name their schema', (folder) => {
    const url = new URL(`../../${folder}/`, import.meta.url);
    const profiles = readdirSync(url)
      .filter((file) => file.endsWith('.json'))
      .map((file): unknown => JSON.parse(readFileSync(new URL(file, url), 'utf8')));
    const schema = `../schemas/${folder.replace('-profiles', '')}.schema.json`;
    expect(profiles.length).toBeGreaterThan(0);
    for (const profile of profiles) expect(profile).toHaveProperty('$schema', schema);
    expect(existsSync(new URL(schema, url))).toBe(true);
  });
});
