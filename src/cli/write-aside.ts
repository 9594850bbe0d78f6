import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { InputError } from './input-error.ts';
import { unwritable } from './messages.ts';
import { reasonOf } from './system-reason.ts';

/**
 * Writes a file beside its place and renames it there, so that nobody ever sees half of it.
 * Written and renamed without giving way, so that an interrupt comes before or after.
 * @throws InputError where the place cannot be written.
 */
export function writeAside(path: string, content: string | Uint8Array): void {
  const aside = `${path}.${process.pid}.part`;
  try {
    writeFileSync(aside, content, { flag: 'wx' });
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw new InputError(unwritable(path, reasonOf(error)), { cause: error });
  }
}
