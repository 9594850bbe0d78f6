import { createHash } from 'node:crypto';
import { canonicalJson } from '../present/canonical-json.ts';

/** The first 16 hexadecimal digits of the SHA-256 of a resolved profile's canonical JSON. */
export const profileHash = (profile: object): string =>
  createHash('sha256').update(canonicalJson(profile)).digest('hex').slice(0, 16);
