import { readdir, readFile } from 'node:fs/promises';
import { CatalogError } from './catalog-error.ts';
import { fileNameDiffers, noJson } from './messages.ts';

/**
 * Reads every JSON file of a profile folder.
 * @param folder Address that ends in a slash.
 * @param read Validates and resolves one file: `readHardware`, `readModel`, `readEngine`.
 * @throws CatalogError where a file is no JSON or is not named as its profile; what `read` throws.
 */
export async function readProfileFolder<T extends { readonly name: string }>(
  folder: URL,
  read: (json: unknown, where: string) => T,
): Promise<readonly T[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, folder), 'utf8')));
  return texts.map((text, index) => {
    const file = files[index] ?? '';
    const profile = read(parsed(text, file), file);
    if (file !== `${profile.name}.json`) throw new CatalogError(fileNameDiffers(file, profile.name));
    return profile;
  });
}

/** @throws CatalogError where the text is no JSON. */
export function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CatalogError(noJson(path, error instanceof Error ? error.message : 'it cannot be read'), {
      cause: error,
    });
  }
}
