import { classicFamilies } from './classic-families.ts';
import { deepseekV4 } from './deepseek-v4.ts';
import { denseFamilies } from './dense-families.ts';
import { expertFamilies } from './expert-families.ts';
import type { Family } from './family.ts';
import { gemmaFamilies } from './gemma.ts';
import { hybridFamilies } from './hybrid-families.ts';
import { latentFamilies } from './latent-families.ts';
import { nemotronFamilies } from './nemotron.ts';

const families: readonly Family[] = [
  ...denseFamilies,
  ...classicFamilies,
  ...expertFamilies,
  ...latentFamilies,
  ...gemmaFamilies,
  ...hybridFamilies,
  ...nemotronFamilies,
  deepseekV4,
];

const byType: ReadonlyMap<string, Family> = new Map(
  families.flatMap((family) => family.types.map((type) => [type, family] as const)),
);

const byArchitecture: ReadonlyMap<string, { readonly type: string; readonly family: Family }> = new Map(
  families.flatMap((family) =>
    (family.architectures ?? []).map((name) => [name, { type: family.types[0] ?? name, family }] as const),
  ),
);

/** Every `model_type` that is understood. */
export const modelTypes: readonly string[] = [...byType.keys()].sort();

export function familyOfType(type: string): Family | undefined {
  return byType.get(type);
}

/** For files without a `model_type` (MiniCPM3). */
export function familyOfArchitecture(name: string): { readonly type: string; readonly family: Family } | undefined {
  return byArchitecture.get(name);
}
