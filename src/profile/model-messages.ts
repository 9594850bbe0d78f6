import { nearest } from './messages.ts';

/* Every sentence of reading model profiles that is about models alone. */

export function unknownLayerKind(where: string, kind: string, known: readonly string[]): string {
  const near = nearest(kind, known);
  const advice = near === undefined ? `defined kinds are ${known.join(', ')}` : `nearest defined kind '${near}'`;
  return `${where}: order names the layer kind '${kind}', which layers does not define, ${advice}.`;
}

export function unusedLayerKind(where: string, kind: string): string {
  return `${where}: layers.${kind} is defined, but order never names it.`;
}

export function tooManyActive(where: string, kind: string, active: number, experts: number): string {
  return `${where}: layers.${kind}.feedForward.active is ${active}, expected at most experts = ${experts}.`;
}

export function unevenHeads(where: string, kind: string, heads: number, keyValueHeads: number): string {
  return `${where}: layers.${kind}.mixer.keyValueHeads is ${keyValueHeads}, expected a divisor of heads = ${heads}.`;
}

export function noSources(where: string): string {
  return `${where}: sources is empty, expected at least one citation.`;
}
