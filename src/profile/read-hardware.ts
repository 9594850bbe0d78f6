import type { Dimension } from '../quantity/dimension.ts';
import { matrixFormats, type MatrixFormat } from '../quantity/matrix-format.ts';
import { parseQuantity } from '../quantity/parse-quantity.ts';
import { citationFrom } from './citation-file.ts';
import { deepFreeze } from './deep-freeze.ts';
import { type HardwareFile, hardwareSchema } from './hardware-schema.ts';
import type { Hardware } from './hardware.ts';
import { missingBecause, needlessValue, noMatrixPeak, notPositive, repeated } from './messages.ts';
import { ProfileError } from './profile-error.ts';
import { readJson } from './read-json.ts';

/**
 * Reads a parsed JSON profile into a frozen device in SI units.
 * @param where What the sentences of errors call the profile, usually its file name.
 * @throws ProfileError or QuantityError with one sentence: where, field path, value, what was expected, nearest choice.
 */
export function readHardware(json: unknown, where: string): Hardware {
  return hardwareFrom(readJson(hardwareSchema, json, where), where);
}

/** The device of a profile whose shape is already checked. */
export function hardwareFrom(file: HardwareFile, where: string): Hardware {
  const read = reader(where);
  const { memory, matrix, matrixFp16Accumulate, network, power, units, cache } = file;
  const peaks = matrixFormats.filter((format) => matrix[format] !== undefined);
  if (peaks.length === 0) throw new ProfileError(noMatrixPeak(where, matrixFormats));
  const names = [file.name, ...(file.aliases ?? [])];
  const again = names.find((name, index) => names.indexOf(name) !== index);
  if (again !== undefined) throw new ProfileError(repeated(where, 'aliases', again));
  return deepFreeze({
    name: file.name,
    title: file.title,
    aliases: [...(file.aliases ?? [])],
    vendor: file.vendor,
    architecture: file.architecture,
    released: file.released,
    formFactor: file.formFactor,
    memory: {
      capacity: read(memory.capacity, 'bytes', 'memory.capacity'),
      ...optional('reported', read, memory.reported, 'bytes', 'memory.reported'),
      bandwidth: read(memory.bandwidth, 'bandwidth', 'memory.bandwidth'),
      kind: memory.kind,
      unified: memory.unified ?? false,
    },
    matrix: peaksFrom(matrix, 'matrix', read),
    matrixFp16Accumulate: peaksFrom(matrixFp16Accumulate ?? {}, 'matrixFp16Accumulate', read),
    ...optional('vectorFp32', read, file.vectorFp32, 'flop-rate', 'vectorFp32'),
    link: linkFrom(file.link, read, where),
    host: hostFrom(file.host, read, where),
    ...(network === undefined
      ? {}
      : { network: { bandwidth: read(network.bandwidth, 'bandwidth', 'network.bandwidth') } }),
    power: optional('limit', read, power?.limit, 'power', 'power.limit'),
    units: {
      kind: units.kind,
      ...(units.count === undefined ? {} : { count: units.count }),
      ...optional('boostClock', read, units.boostClock, 'frequency', 'units.boostClock'),
    },
    cache: optional('lastLevel', read, cache?.lastLevel, 'bytes', 'cache.lastLevel'),
    confidence: file.confidence,
    uncited: [...(file.uncited ?? [])],
    sources: file.sources.map(citationFrom),
    notes: file.notes ?? '',
  });
}

/** Reads one quantity that has to be more than zero. */
type Read = (written: string, dimension: Dimension, path: string) => number;

function reader(where: string): Read {
  return (written, dimension, path) => {
    const value = parseQuantity(written, dimension, `${where}: ${path}`);
    if (value <= 0) throw new ProfileError(notPositive(where, path, written));
    return value;
  };
}

function optional<K extends string>(
  key: K,
  read: Read,
  written: string | undefined,
  dimension: Dimension,
  path: string,
): { readonly [P in K]?: number } {
  if (written === undefined) return {};
  // A computed key widens to string; the record has exactly this one.
  const entry: { [P in K]?: number } = {};
  entry[key] = read(written, dimension, path);
  return entry;
}

function peaksFrom(
  written: Readonly<Partial<Record<MatrixFormat, string | undefined>>>,
  path: string,
  read: Read,
): Partial<Record<MatrixFormat, number>> {
  const peaks: Partial<Record<MatrixFormat, number>> = {};
  for (const format of matrixFormats) {
    const peak = written[format];
    if (peak !== undefined) peaks[format] = read(peak, 'flop-rate', `${path}.${format}`);
  }
  return peaks;
}

function linkFrom(link: HardwareFile['link'], read: Read, where: string): Hardware['link'] {
  const { kind, topology, bandwidth, domain } = link;
  const because = `link.topology is '${topology}'`;
  if (topology === 'none') {
    if (bandwidth !== undefined) throw new ProfileError(needlessValue(where, 'link.bandwidth', bandwidth, because));
    if (domain !== undefined) throw new ProfileError(needlessValue(where, 'link.domain', domain, because));
    return { kind, topology, bandwidth: 0, domain: 1 };
  }
  if (bandwidth === undefined) {
    throw new ProfileError(missingBecause(where, 'link.bandwidth', "a rate per direction such as '450 GB/s'", because));
  }
  if (domain === undefined) {
    throw new ProfileError(missingBecause(where, 'link.domain', 'the number of devices that it joins', because));
  }
  return { kind, topology, bandwidth: read(bandwidth, 'bandwidth', 'link.bandwidth'), domain };
}

function hostFrom({ kind, bandwidth }: HardwareFile['host'], read: Read, where: string): Hardware['host'] {
  const because = `host.kind is '${kind}'`;
  if (kind === 'none' || kind === 'unknown') {
    if (bandwidth !== undefined) throw new ProfileError(needlessValue(where, 'host.bandwidth', bandwidth, because));
    return { kind, bandwidth: 0 };
  }
  if (bandwidth === undefined) {
    throw new ProfileError(missingBecause(where, 'host.bandwidth', "a rate per direction such as '63 GB/s'", because));
  }
  return { kind, bandwidth: read(bandwidth, 'bandwidth', 'host.bandwidth') };
}
