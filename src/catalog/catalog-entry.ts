/** Folders of profiles, and what is asked of each. */
export const profileKinds = ['hardware', 'models', 'engines'] as const;

export type ProfileKind = (typeof profileKinds)[number];

/** One profile as lists and look-ups need it. */
export interface CatalogEntry {
  readonly name: string;
  readonly aliases: readonly string[];
  /** One line for `list`. */
  readonly summary: string;
}

/** Every bundled profile by kind, sorted by name. */
export type CatalogNames = Readonly<Record<ProfileKind, readonly CatalogEntry[]>>;
