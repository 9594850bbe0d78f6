import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { InputError } from './input-error.ts';
import { unwritable } from './messages.ts';
import { reasonOf } from './system-reason.ts';

/**
 * Writes a file beside its place and renames it there, so that nobody ever sees half of it. A link stays a link, and
 * what is no file but a pipe or a device, such as /dev/stdout, is written to as it is.
 * Written and renamed without giving way, so that an interrupt comes before or after.
 * @throws InputError where the place cannot be written.
 */
export function writeAside(path: string, content: string | Uint8Array): void {
  try {
    if (isStream(path)) {
      writeFileSync(path, content);
      return;
    }
  } catch (error) {
    throw new InputError(unwritable(path, reasonOf(error)), { cause: error });
  }
  const place = placeOf(path);
  const aside = `${place}.${process.pid}.part`;
  try {
    writeFileSync(aside, content, { flag: 'wx' });
    renameSync(aside, place);
  } catch (error) {
    rmSync(aside, { force: true });
    throw new InputError(unwritable(path, reasonOf(error)), { cause: error });
  }
}

function isStream(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

/** Where a link leads, if anything is there. */
function placeOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
