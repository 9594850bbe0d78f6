import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { importGguf } from '../exchange/gguf/import-gguf.ts';
import { readGguf } from '../exchange/gguf/read-gguf.ts';
import { importHuggingFace } from '../exchange/hugging-face/import-hugging-face.ts';
import { parseJson } from '../exchange/hugging-face/parse-json.ts';
import type { Engine } from '../profile/engine.ts';
import type { Hardware } from '../profile/hardware.ts';
import type { Model } from '../profile/model.ts';
import { readEngine } from '../profile/read-engine.ts';
import { readHardware } from '../profile/read-hardware.ts';
import { readModel } from '../profile/read-model.ts';
import { InputError } from './input-error.ts';
import { reasonOf } from './system-reason.ts';
import { binaryFile, emptyFile, folderWithoutModel, notAModel, tooLargeFile, unreadable } from './messages.ts';

/*
 * Files that people name on the command line. Loaded only where one is named, as schema and unit libraries come with it.
 */

/** No profile, receipt or configuration comes near this. */
const largestJsonFile = 16e6;

export function hardwareFromFile(path: string): Hardware {
  return readHardware(jsonFile(path), basename(path));
}

export function engineFromFile(path: string): Engine {
  return readEngine(jsonFile(path), basename(path));
}

/** What a path holds as a model, and what in it was assumed or not understood. */
export interface ModelOfPath {
  readonly model: Model;
  readonly notes: readonly string[];
  readonly kind: 'profile' | 'hugging-face' | 'gguf';
}

/**
 * A model from a profile, a Hugging Face config.json, the folder of one, or a GGUF file.
 * @throws InputError, ProfileError, ConfigurationError or GgufError with one sentence.
 */
export async function modelFromPath(path: string): Promise<ModelOfPath> {
  if (stats(path).isDirectory()) return modelFromFolder(path);
  if (path.toLowerCase().endsWith('.gguf') || startsWithGguf(path)) return modelFromGguf(path);
  const json = jsonFile(path);
  if (has(json, 'hiddenSize') || has(json, 'order')) {
    return { model: readModel(json, basename(path)), notes: [], kind: 'profile' };
  }
  if (!has(json, 'model_type') && !has(json, 'architectures') && !has(json, 'hidden_size')) {
    throw new InputError(notAModel(path));
  }
  return modelFromConfiguration(path, json);
}

function modelFromConfiguration(path: string, json: unknown): ModelOfPath {
  const folder = dirname(path);
  const beside = (...names: readonly string[]): unknown => {
    const found = names
      .map((name) => join(folder, name))
      .find((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true);
    return found === undefined ? undefined : jsonFile(found);
  };
  const hfQuantConfig = beside('hf_quant_config.json');
  const quantizeConfig = beside('quantize_config.json', 'quant_config.json');
  const generationConfig = beside('generation_config.json');
  const named = basename(path) === 'config.json' ? basename(join(process.cwd(), folder)) : undefined;
  const own = has(json, '_name_or_path') && json['_name_or_path'] !== '';
  const { model, notes } = importHuggingFace(
    json,
    {
      ...(hfQuantConfig === undefined ? {} : { hfQuantConfig }),
      ...(quantizeConfig === undefined ? {} : { quantizeConfig }),
      ...(generationConfig === undefined ? {} : { generationConfig }),
      ...(own || named === undefined ? {} : { name: named }),
    },
    basename(path),
  );
  return { model, notes, kind: 'hugging-face' };
}

async function modelFromGguf(path: string): Promise<ModelOfPath> {
  const { model, notes } = importGguf(await readGguf(path), basename(path));
  return { model, notes, kind: 'gguf' };
}

async function modelFromFolder(folder: string): Promise<ModelOfPath> {
  const configuration = join(folder, 'config.json');
  if (existsSync(configuration)) return modelFromConfiguration(configuration, jsonFile(configuration));
  const [first] = readdirSync(folder)
    .filter((name) => name.toLowerCase().endsWith('.gguf'))
    .sort();
  if (first === undefined) throw new InputError(folderWithoutModel(folder));
  return modelFromGguf(join(folder, first));
}

/**
 * The parsed JSON of a file: bounded in size and depth, prototype and duplicate keys refused.
 * @throws InputError or ConfigurationError with one sentence.
 */
export function jsonFile(path: string): unknown {
  return jsonOfBytes(bytesOfFile(path), path);
}

/** The bytes of a file of a size that receipts and charts have. @throws InputError. */
export function bytesOfFile(path: string): Uint8Array {
  const { size } = stats(path);
  if (size > largestJsonFile) throw new InputError(tooLargeFile(path, size, largestJsonFile));
  try {
    return readFileSync(path);
  } catch (error) {
    throw new InputError(unreadable(path, reasonOf(error)));
  }
}

/** The same for bytes that are already here, such as standard input. */
export function jsonOfBytes(bytes: Uint8Array, path: string): unknown {
  if (bytes.length > largestJsonFile) throw new InputError(tooLargeFile(path, bytes.length, largestJsonFile));
  if (bytes.every((byte) => byte <= 0x20)) throw new InputError(emptyFile(path));
  if (bytes.includes(0)) throw new InputError(binaryFile(path));
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new InputError(binaryFile(path));
  }
  return parseJson(text, basename(path));
}

function stats(path: string): Stats {
  try {
    return statSync(path);
  } catch (error) {
    throw new InputError(unreadable(path, reasonOf(error)));
  }
}

function startsWithGguf(path: string): boolean {
  const start = Buffer.alloc(4);
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    throw new InputError(unreadable(path, reasonOf(error)));
  }
  try {
    readSync(file, start, 0, 4, 0);
  } catch (error) {
    throw new InputError(unreadable(path, reasonOf(error)));
  } finally {
    closeSync(file);
  }
  return start.toString('latin1') === 'GGUF';
}

function has<K extends string>(value: unknown, key: K): value is { readonly [P in K]: unknown } {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key);
}
