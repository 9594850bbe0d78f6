import type { ProfileKind } from './catalog-entry.ts';

/**
 * Names that no profile lists itself, by the profile they stand for: mostly fine-tunes and copies whose architecture
 * is the base's. A name that a profile also lists is an error of the build.
 */
export const catalogAliases: Readonly<Record<ProfileKind, Readonly<Record<string, string>>>> = {
  hardware: {},
  models: {
    // Same configuration as DeepSeek-V3.
    'deepseek-v3.1-terminus': 'deepseek-v3',
  },
  engines: {},
};
