import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
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

  // What an editor says about a file is what the program says: both come from one schema, read by two libraries.
  it.each(['hardware-profiles', 'model-profiles', 'engine-profiles', 'prices'])(
    'of %s are valid to an editor',
    (folder) => {
      const url = new URL(`../../${folder}/`, import.meta.url);
      const text = schemas.get(`${folder.replace('-profiles', '')}.schema.json`) ?? '{}';
      const validate = new Ajv2020({ strict: false }).compile(JSON.parse(text));
      for (const file of readdirSync(url).filter((name) => name.endsWith('.json'))) {
        const profile: unknown = JSON.parse(readFileSync(new URL(file, url), 'utf8'));
        validate(profile);
        expect([file, validate.errors]).toEqual([file, null]);
        expect([file, validate({ ...(typeof profile === 'object' ? profile : {}), nonsense: 1 })]).toEqual([
          file,
          false,
        ]);
      }
    },
  );
});
