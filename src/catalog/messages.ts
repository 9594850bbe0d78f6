import { nearest as nearestWord, shown as shownValue } from '../profile/messages.ts';
import type { ProfileKind } from './catalog-entry.ts';

/* Every sentence about finding profiles. */

const singular: Readonly<Record<ProfileKind, string>> = { hardware: 'hardware', models: 'model', engines: 'engine' };

export function unknownName(kind: ProfileKind, text: string, nearest: readonly string[]): string {
  const near = nearest.length === 0 ? '' : `, nearest: ${nearest.join(', ')}`;
  return `no ${singular[kind]} profile for '${shown(text)}'${near}.`;
}

export function ambiguousName(kind: ProfileKind, text: string, candidates: readonly string[], more: number): string {
  const others = more === 0 ? '' : ` and ${String(more)} more`;
  return `'${shown(text)}' fits several ${singular[kind]} profiles, name one of them: ${candidates.join(', ')}${others}.`;
}

/** A note beside a result, where the name was not the profile's own. */
export function readAs(kind: ProfileKind, text: string, name: string, dropped: readonly string[]): string {
  const without = dropped.length === 0 ? '' : `; not part of that profile: ${dropped.join(', ')}`;
  return `${singular[kind]} '${shown(text)}' is read as ${name}${without}.`;
}

export function unknownScenarioField(path: string, field: string, known: readonly string[]): string {
  const near = nearestWord(field, known);
  const advice = near === undefined ? `known are ${known.join(', ')}` : `nearest known field '${path}${near}'`;
  return `the scenario has the unknown field '${path}${shown(field)}', ${advice}.`;
}

export function wrongScenarioValue(path: string, value: unknown, expected: string): string {
  return `${path} is ${shownValue(value)}, expected ${expected}.`;
}

export function noRelease(engine: string, version: string, known: readonly string[]): string {
  return `'${shown(version)}' is no version of ${engine}, known releases: ${known.join(', ')}.`;
}

export function notBuilt(path: string): string {
  return `the bundled profiles are missing at ${path}, build them with: node scripts/run.js scripts/build-catalog.ts.`;
}

export function damagedProfile(path: string): string {
  return `the bundled profile ${path} is damaged, build it again with: node scripts/run.js scripts/build-catalog.ts.`;
}

export function noSuchProfile(kind: ProfileKind, name: string): string {
  return `no bundled ${singular[kind]} profile is named '${shown(name)}'.`;
}

export function fileNameDiffers(file: string, name: string): string {
  return `${file}: name is '${name}', expected that of the file.`;
}

export function nameTaken(kind: ProfileKind, name: string, first: string, second: string): string {
  return `the ${singular[kind]} name '${name}' belongs to ${first} and to ${second}, expected one owner.`;
}

export function noAliasTarget(kind: ProfileKind, alias: string, name: string): string {
  return `the ${singular[kind]} alias '${alias}' stands for '${name}', which is no profile.`;
}

export function unpricedDevice(device: string): string {
  return `prices: '${device}' is no hardware profile.`;
}

export function profileTooLarge(path: string, bytes: number, limit: number): string {
  return `${path} has ${String(bytes)} bytes, expected at most ${String(limit)}.`;
}

export function noJson(path: string, reason: string): string {
  return `${path} is no JSON file: ${reason}.`;
}

function shown(text: string): string {
  const clean = text.slice(0, 200).replaceAll(/\p{Cc}/gu, ' ');
  return clean.length <= 60 ? clean : `${clean.slice(0, 57)}...`;
}
