/** Parts of a deployment that have a profile; `draft` is the model that drafts tokens. */
export const profileParts = ['model', 'hardware', 'engine', 'draft'] as const;

export type ProfilePart = (typeof profileParts)[number];
