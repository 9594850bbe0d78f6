import type { Checkpoint } from '../../profile/model.ts';
import { findNumberFormat } from '../../quantity/number-format.ts';
import { bitsPerElement, type GgmlType, mixtureName } from './ggml-type.ts';
import { GgufError } from './gguf-error.ts';
import type { GgufTensor } from './gguf-header.ts';
import * as messages from './messages.ts';
import type { Placed, WeightClass } from './tensor-shelf.ts';

/** Further than this from the part's own mean, the name chosen for it is worth a note. */
const notableDifference = 0.005;

/**
 * Formats of a checkpoint by part. A part of several types gets the name whose bits are nearest to its own mean, out
 * of the types in it and the mixture that the file declares (`general.file_type`).
 *
 * @throws GgufError where a part is stored in a type that is no weight format
 */
export function weightFormats(
  placed: readonly Placed[],
  fileType: number | undefined,
  where: string,
): { readonly checkpoint: Checkpoint; readonly notes: readonly string[] } {
  const notes: string[] = [];
  const format = (weightClass: WeightClass, part: string): string | undefined => {
    const tensors = placed.filter((entry) => entry.weightClass === weightClass).map(({ tensor }) => tensor);
    if (tensors.length === 0) return undefined;
    const { name, note } = formatOf(tensors, fileType, part, where);
    if (note !== undefined) notes.push(note);
    return name;
  };
  const attention = format('attention', 'Attention and other token mixers');
  const experts = format('experts', 'Routed experts');
  const sharedExperts = format('sharedExperts', 'Shared experts');
  const embedding = format('embedding', 'Embedding');
  const head = format('head', 'Output head') ?? embedding;
  const layers = format('layers', 'Feed-forward matrices') ?? attention ?? experts ?? embedding ?? 'fp16';
  const entries = { attention, experts, sharedExperts, embedding, head };
  // Embedding and head are named always: by default they would be taken for what the recipe of `layers` gives them.
  const special = Object.entries(entries).filter(
    ([part, name]) => name !== undefined && (name !== layers || part === 'embedding' || part === 'head'),
  );
  return { checkpoint: { layers, ...Object.fromEntries(special) }, notes };
}

/** Bytes of tensors over their elements, in bits. */
export function meanBits(tensors: readonly Pick<GgufTensor, 'bytes' | 'elements'>[]): number {
  const bytes = tensors.reduce((sum, tensor) => sum + tensor.bytes, 0);
  const elements = tensors.reduce((sum, tensor) => sum + tensor.elements, 0);
  return elements === 0 ? 0 : (bytes * 8) / elements;
}

function formatOf(
  tensors: readonly GgufTensor[],
  fileType: number | undefined,
  part: string,
  where: string,
): { readonly name: string; readonly note?: string } {
  const elements = new Map<GgmlType, number>();
  for (const { type, elements: more } of tensors) elements.set(type, (elements.get(type) ?? 0) + more);
  const types = [...elements].sort(([, a], [, b]) => b - a);
  const mixture = fileType === undefined ? undefined : mixtureName(fileType);
  const names = types.map(([type]) => formatName(type));
  if (types.length > 1 && mixture !== undefined) names.push(`gguf-${mixture}`);
  const candidates = names.map((name) => findNumberFormat(name)).filter((format) => format !== undefined);
  const bits = meanBits(tensors);
  const nearest = candidates.sort((a, b) => Math.abs(a.bits - bits) - Math.abs(b.bits - bits))[0];
  if (nearest === undefined) {
    const [first] = tensors;
    throw new GgufError(messages.noWeightFormat(where, first?.name ?? '', first?.type.name ?? ''));
  }
  if (Math.abs(nearest.bits - bits) <= notableDifference * bits) return { name: nearest.name };
  const total = tensors.reduce((sum, tensor) => sum + tensor.elements, 0);
  const shares = types.map(([type, count]) => `${type.name} ${((count / total) * 100).toFixed(1)} %`).join(', ');
  return { name: nearest.name, note: messages.noteMixedFormat(part, shares, bits, nearest.name, nearest.bits) };
}

function formatName(type: GgmlType): string {
  if (type.kind === 'float' && bitsPerElement(type) <= 32) {
    return type.name === 'BF16' ? 'bf16' : `fp${bitsPerElement(type)}`;
  }
  return `gguf-${type.name.toLowerCase()}`;
}
