import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { importHuggingFace, type HuggingFaceImport } from './import-hugging-face.ts';
import {
  binaryFile,
  ConfigurationError,
  emptyFile,
  fileTooLarge,
  noConfigInFolder,
  noSuchFile,
  notAFile,
} from './messages.ts';
import { parseJson } from './parse-json.ts';

/** Most bytes of a file that is read; the largest published quantisation lists have 3.1 MB. */
export const largestFile: number = 64 * 1024 * 1024;

/**
 * Reads a downloaded Hugging Face model folder, or the config.json in it, with the files that may lie beside it:
 * quantisation (`hf_quant_config.json`, `quantize_config.json`, `quant_config.json`) and `generation_config.json`.
 * @param path Folder or file.
 * @throws ConfigurationError with one sentence: which file, what is wrong with it, what was expected.
 */
export async function readHuggingFace(path: string): Promise<HuggingFaceImport> {
  const found = await kindOf(path);
  if (found === undefined) throw new ConfigurationError(noSuchFile(path));
  const file = found === 'folder' ? join(path, 'config.json') : path;
  const text = found === 'other' ? undefined : await readText(file);
  if (text === undefined) {
    throw new ConfigurationError(found === 'other' ? notAFile(path) : noConfigInFolder(path));
  }
  const folder = dirname(file);
  const hfQuantConfig = await readBeside(folder, 'hf_quant_config.json');
  const quantizeConfig =
    (await readBeside(folder, 'quantize_config.json')) ?? (await readBeside(folder, 'quant_config.json'));
  const generationConfig = await readBeside(folder, 'generation_config.json');
  const name = nameOf(folder);
  return importHuggingFace(
    parseJson(text, file),
    { hfQuantConfig, quantizeConfig, generationConfig, ...(name === undefined ? {} : { name }) },
    file,
  );
}

/** `org--model` and snapshot folders of the hub's cache are left to `_name_or_path`. */
function nameOf(folder: string): string | undefined {
  const name = basename(folder);
  return name === '' || name === '.' || name === '..' || /^[0-9a-f]{40}$/.test(name) ? undefined : name;
}

async function readBeside(folder: string, name: string): Promise<unknown> {
  const file = join(folder, name);
  const text = await readText(file);
  return text === undefined ? undefined : parseJson(text, file);
}

/** Text of a file, or undefined where there is none. */
async function readText(file: string): Promise<string | undefined> {
  if ((await kindOf(file)) !== 'file') return undefined;
  const { size } = await stat(file);
  if (size > largestFile) throw new ConfigurationError(fileTooLarge(file, size, largestFile));
  const bytes = await readFile(file);
  if (bytes.includes(0)) throw new ConfigurationError(binaryFile(file));
  const text = bytes.toString('utf8');
  if (text.trim() === '') throw new ConfigurationError(emptyFile(file));
  return text;
}

/** Devices and pipes are `other`: reading them might never end. */
async function kindOf(path: string): Promise<'file' | 'folder' | 'other' | undefined> {
  try {
    const found = await stat(path);
    if (found.isFile()) return 'file';
    return found.isDirectory() ? 'folder' : 'other';
  } catch {
    return undefined;
  }
}
