import { nearest, shown } from '../../profile/messages.ts';

/** Every sentence that importing a Hugging Face configuration can produce. */

/** Thrown where a configuration cannot be understood, `message` is one sentence. */
export class ConfigurationError extends Error {
  override readonly name: string = 'ConfigurationError';
}

export function unknownModelType(where: string, type: string, known: readonly string[]): string {
  const near = nearest(type, known);
  const advice = near === undefined ? 'no known type is near' : `nearest known type '${near}'`;
  return `${where}: model type ${shown(type)} is not understood, ${advice}.`;
}

export function noModelType(where: string): string {
  return `${where}: model_type is missing, and architectures names no known class, expected a Hugging Face config.json of a language model.`;
}

export function missingField(where: string, names: readonly string[], what: string): string {
  const [first, ...others] = names;
  const also = others.length === 0 ? '' : ` (or ${others.join(', ')})`;
  return `${where}: ${first ?? what}${also} is missing, expected ${what}.`;
}

export function wrongField(where: string, name: string, value: unknown, expected: string): string {
  return `${where}: ${name} is ${shown(value)}, expected ${expected}.`;
}

export function notAnObject(where: string, value: unknown): string {
  return `${where}: the configuration is ${shown(value)}, expected a JSON object.`;
}

export function wrongLength(where: string, name: string, length: number, layers: number): string {
  return `${where}: ${name} has ${length} entries, expected one for each of the ${layers} layers.`;
}

export function unknownEntry(where: string, name: string, value: unknown, known: readonly string[]): string {
  return `${where}: ${name} holds ${shown(value)}, expected ${known.map((word) => `'${word}'`).join(', ')}.`;
}

export function unsupported(where: string, name: string, value: unknown, why: string): string {
  return `${where}: ${name} is ${shown(value)}, which is not modelled: ${why}.`;
}

export function unknownQuantization(where: string, method: string, known: readonly string[]): string {
  const near = nearest(method, known) ?? known[0];
  return `${where}: the quantization method ${shown(method)} is not understood, nearest known method '${near}'.`;
}

/** Sentences of the JSON reader; `at` is a line and column. */
export function badJson(where: string, at: string, expected: string): string {
  return `${where}: not valid JSON at ${at}, expected ${expected}.`;
}

export function truncatedJson(where: string, at: string): string {
  return `${where}: the JSON text ends at ${at} before its last bracket is closed, the file seems to be cut short.`;
}

export function jsonTooLarge(where: string, size: number, limit: number): string {
  return `${where}: the text has ${size} characters, expected at most ${limit}.`;
}

export function jsonTooMany(where: string, what: string, limit: number): string {
  return `${where}: the JSON text holds more than ${limit} ${what}, no file needs that.`;
}

export function jsonTooDeep(where: string, at: string, limit: number): string {
  return `${where}: values are nested more than ${limit} deep at ${at}, no file needs that.`;
}

export function forbiddenKey(where: string, at: string, key: string): string {
  return `${where}: the key '${key}' at ${at} is refused, no file has a field of that name.`;
}

export function duplicateKey(where: string, at: string, key: string): string {
  return `${where}: the key ${shown(key)} at ${at} stands twice in its object, which of them holds is not defined.`;
}

/** Sentences of the folder reader. */
export function emptyFile(path: string): string {
  return `${path}: the file is empty, expected a Hugging Face config.json.`;
}

export function binaryFile(path: string): string {
  return `${path}: the file is binary, not text, expected a Hugging Face config.json.`;
}

export function fileTooLarge(path: string, size: number, limit: number): string {
  return `${path}: the file has ${size} bytes, expected at most ${limit}.`;
}

export function notAFile(path: string): string {
  return `${path}: neither a file nor a folder, expected a folder with a config.json, or the path of one.`;
}

export function noSuchFile(path: string): string {
  return `${path}: no such file or folder, expected a folder with a config.json, or the path of one.`;
}

export function noConfigInFolder(path: string): string {
  return `${path}: the folder holds no config.json, expected a Hugging Face model folder.`;
}
