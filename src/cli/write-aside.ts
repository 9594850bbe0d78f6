import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { InputError } from './input-error.ts';
import { unwritable } from './messages.ts';
import { reasonOf } from './system-reason.ts';

/**
 * Writes a file beside its place and renames it there, so that nobody ever sees half of it.
 * @throws InputError where the place cannot be written.
 */
export function writeAside(path: string, text: string): void {
  const aside = `${path}.${process.pid}.part`;
  try {
    writeFileSync(aside, text, { flag: 'wx' });
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw new InputError(unwritable(path, reasonOf(error)), { cause: error });
  }
}
