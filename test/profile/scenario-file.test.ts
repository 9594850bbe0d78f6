import { expect, it } from 'vitest';
import { scenarioOptions } from '../../src/cli/scenario-options.ts';
import { scenarioFieldNames } from '../../src/profile/scenario-file-schema.ts';

it('a scenario file has a field for every option that describes a scenario', () => {
  const options = Object.entries(scenarioOptions).filter(([, { type }]) => type === 'text');
  expect(options.map(([name]) => name).filter((name) => name !== 'scenario')).toEqual([...scenarioFieldNames]);
});
