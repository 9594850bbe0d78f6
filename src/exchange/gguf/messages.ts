/** Every sentence that reading a GGUF file may end with. `where` is the file. */

const unit = { giga: 1e9, mega: 1e6 };

/** What other files begin with, by their first four bytes. */
const strangers: Readonly<Record<string, string>> = {
  'PK\u0003\u0004': 'a zip archive, as PyTorch checkpoints are',
  vers: 'a Git LFS pointer: fetch the file itself with `git lfs pull`',
  '<!do': 'a web page',
  '<!DO': 'a web page',
  '<htm': 'a web page',
  lmgg: 'a ggml file from before GGUF: convert it again',
  tjgg: 'a ggml file from before GGUF: convert it again',
  fmgg: 'a ggml file from before GGUF: convert it again',
};

export function noSuchFile(where: string): string {
  return `${where}: no such file; expected a GGUF model.`;
}

export function notAFile(where: string): string {
  return `${where}: not a regular file; expected a GGUF model.`;
}

export function unreadable(where: string, reason: string): string {
  return `${where}: cannot be read (${plain(reason)}).`;
}

export function emptyFile(where: string): string {
  return `${where}: the file is empty; expected a GGUF model.`;
}

export function wrongMagic(where: string, magic: string): string {
  const stranger = Object.hasOwn(strangers, magic) ? strangers[magic] : undefined;
  const found = stranger === undefined ? quoted(magic) : `${quoted(magic)} (${stranger})`;
  return `${where}: not a GGUF file; its first four bytes should be "GGUF" and are ${found}.`;
}

export function wrongVersion(where: string, version: number): string {
  return `${where}: GGUF version ${version}; expected version 2 or 3 (convert or download the model again).`;
}

export function endsEarly(where: string, reading: string, size: number): string {
  return `${where}: the file ends after ${size} bytes, inside ${reading}; expected the whole header (an unfinished download?).`;
}

export function headerTooLong(where: string, limit: number, reading: string): string {
  return `${where}: ${reading} lies beyond the first ${limit / 1024 / 1024} MiB; expected a header shorter than that.`;
}

export function countTooLarge(where: string, what: string, count: bigint, size: number, limit: number): string {
  return `${where}: claims ${count} ${what}, more than its ${size < limit ? `${size} bytes` : `first ${limit / 1024 / 1024} MiB`} can hold; the file is damaged or cut short.`;
}

export function tooMany(where: string, what: string, count: number, limit: number): string {
  return `${where}: ${count} ${what}; expected at most ${limit}.`;
}

export function repeatedKey(where: string, key: string): string {
  return `${where}: the metadata key ${quoted(key)} occurs twice; expected each key once.`;
}

export function repeatedTensor(where: string, name: string): string {
  return `${where}: the tensor ${quoted(name)} occurs twice; expected each tensor once.`;
}

export function unknownValueType(where: string, key: string, type: number): string {
  return `${where}: the metadata key ${quoted(key)} has a value of type ${type}; expected a type from 0 to 12.`;
}

export function nestedTooDeep(where: string, key: string, limit: number): string {
  return `${where}: the metadata key ${quoted(key)} nests lists deeper than ${limit}.`;
}

export function wrongAxes(where: string, name: string, axes: number, limit: number): string {
  return `${where}: the tensor ${quoted(name)} has ${axes} dimensions; expected 1 to ${limit}.`;
}

export function wrongShape(where: string, name: string, dimensions: readonly bigint[]): string {
  return `${where}: the tensor ${quoted(name)} has the shape [${dimensions.join(', ')}]; expected sizes from 1 with a product below 2^53.`;
}

export function unknownTensorType(where: string, name: string, type: number): string {
  return `${where}: the tensor ${quoted(name)} has the ggml type ${type}, which llama.cpp does not define (a fork's own format?).`;
}

export function brokenBlocks(
  where: string,
  name: string,
  shape: readonly number[],
  type: string,
  block: number,
): string {
  return `${where}: the tensor ${quoted(name)} [${shape.join(', ')}] of type ${type} has rows of ${shape[0]} elements; expected a multiple of ${block}.`;
}

export function wrongAlignment(where: string): string {
  return `${where}: general.alignment should be a power of two.`;
}

export function missingPart(where: string, part: string): string {
  return `${where}: the model is split and its part ${plain(part)} is missing; expected all parts in one folder.`;
}

export function partWithoutName(where: string, part: number, parts: number): string {
  return `${where}: part ${part} of ${parts} by its own header; expected a name that ends in -00001-of-${String(parts).padStart(5, '0')}.gguf or the like, so that the other parts can be found.`;
}

export function partCount(where: string, found: number, expected: number): string {
  return `${where}: its parts hold ${found} tensors; expected ${expected} (split.tensors.count).`;
}

export function noArchitecture(where: string): string {
  return `${where}: general.architecture is missing or no name; expected that of a language model's architecture, such as llama.`;
}

export function notALanguageModel(where: string, what: string): string {
  return `${where}: ${plain(what, 200)}; expected a language model that generates text.`;
}

export function missingKey(where: string, key: string): string {
  return `${where}: the metadata key ${quoted(key)} is missing; expected a whole number.`;
}

export function wrongKey(where: string, key: string, value: string): string {
  return `${where}: the metadata key ${quoted(key)} is ${plain(value)}; expected a whole number from 0, or a list with one for each layer.`;
}

export function missingTensor(where: string, name: string): string {
  return `${where}: the tensor ${quoted(name)} is missing; without it the model cannot be understood.`;
}

export function tooManyLayers(where: string, layers: number, limit: number): string {
  return `${where}: ${layers} layers; expected at most ${limit}.`;
}

export function missingBlocks(where: string, expected: number, index: number): string {
  return `${where}: block_count promises ${expected} layers but the file has no tensor of layer ${index} (blk.${index}.*).`;
}

export function shapeMismatch(where: string, name: string, dimensions: readonly number[], expected: string): string {
  return `${where}: the tensor ${quoted(name)} has the shape [${dimensions.join(', ')}]; expected ${expected}.`;
}

export function unsupportedBlock(where: string, index: number, what: string): string {
  return `${where}: layer ${index} ${what}, which this tool has no form for.`;
}

export function noWeightFormat(where: string, name: string, type: string): string {
  return `${where}: the tensor ${quoted(name)} is stored as ${type}; expected a format for weights.`;
}

export function wrongHeads(where: string, layer: number, heads: number, keyValueHeads: number): string {
  return `${where}: layer ${layer} has ${heads} heads and ${keyValueHeads} KV heads; expected whole groups of at least one head.`;
}

export function miscounted(where: string, counted: number, held: number): string {
  return `${where}: the model that its tensors describe has ${counted} parameters and the tensors hold ${held}; expected the same (a tensor missing, or one too many?).`;
}

export function mostlyUnknown(where: string, share: number, example: string): string {
  return `${where}: ${(share * 100).toFixed(1)} % of its parameters lie in tensors of unknown use, such as ${quoted(example)}; expected the tensors of a known architecture.`;
}

export function weightFacts(weightBytes: number, bitsPerWeight: number): string {
  return `The file's tensors take ${weightBytes} bytes, ${bitsPerWeight.toFixed(4)} bits per weight.`;
}

export function noteMissingData(missingBytes: number): string {
  return `${bytes(missingBytes)} of tensor data are missing from the file; only its header was needed.`;
}

export function noteUnknownTensors(count: number, elements: number, example: string): string {
  return `${count} tensors with ${elements} parameters are of unknown use (such as ${quoted(example)}): they count as memory, their work per token is left out.`;
}

export function noteUnlisted(architecture: string): string {
  return `The architecture ${quoted(architecture)} is not among those checked; the model was read from the shapes of its tensors.`;
}

export function noteWindow(window: number): string {
  return `A sliding window of ${window} tokens is stated but not which layers use it; all layers are taken to attend to the whole context.`;
}

export function noteUnusedKeyValue(layers: number): string {
  return `${layers} layers reuse an earlier layer's K and V although the file holds matrices for them: these are left out of the model and stay in the file's bytes.`;
}

export function noteMixedFormat(part: string, types: string, bits: number, name: string, named: number): string {
  return `${part}: ${types}, ${bits.toFixed(3)} bits per weight in all; stands as ${name} (${named.toFixed(3)} bits), the nearest.`;
}

export function notePredictionLayers(layers: number): string {
  return `${layers} multi-token-prediction layer${layers === 1 ? '' : 's'} counted apart: a plain decode step does not run ${layers === 1 ? 'it' : 'them'}.`;
}

/** Text from a file, safe to print: quoted, shortened, control characters and the like as escapes. */
function quoted(text: string): string {
  return `"${plain(text)}"`;
}

function plain(text: string, longest = 80): string {
  const short = text.length > longest ? `${text.slice(0, longest)}...` : text;
  return short.replaceAll(/[^\u0020-\u007e]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
}

function bytes(count: number): string {
  return count >= unit.giga ? `${(count / unit.giga).toFixed(2)} GB` : `${(count / unit.mega).toFixed(1)} MB`;
}
