import * as z from 'zod/mini';
import { engineSchema } from '../src/profile/engine-schema.ts';
import { hardwareSchema } from '../src/profile/hardware-schema.ts';
import { modelSchema } from '../src/profile/model-schema.ts';
import { pricesSchema } from '../src/profile/price-schema.ts';
import { scenarioFileSchema } from '../src/profile/scenario-file-schema.ts';

const schemas = {
  hardware: hardwareSchema,
  model: modelSchema,
  engine: engineSchema,
  prices: pricesSchema,
  scenarios: scenarioFileSchema,
} as const;

/** JSON Schema of every profile file, by its file name under schemas/; editors read them through `$schema`. */
export function jsonSchemas(): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(schemas).map(([kind, schema]) => {
      // What people write, before any default is filled in.
      const body = z.toJSONSchema(schema, { io: 'input' });
      return [
        `${kind}.schema.json`,
        `${JSON.stringify({ title: kind === 'scenarios' ? 'twoclocks scenario file' : `twoclocks ${kind} profile`, ...body }, undefined, 2)}\n`,
      ];
    }),
  );
}
