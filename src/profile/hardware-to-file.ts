import { formatQuantity } from '../quantity/format-quantity.ts';
import { matrixFormats, type MatrixFormat } from '../quantity/matrix-format.ts';
import type { HardwareFile } from './hardware-schema.ts';
import type { Hardware } from './hardware.ts';

/**
 * A device as the object of its profile file: quantities with units that read back to exactly the same numbers,
 * `readHardware(hardwareToFile(hardware))` is `hardware`.
 */
export function hardwareToFile(hardware: Hardware): HardwareFile {
  const { memory, link, host, network, power, units, cache, vectorFp32, matrixFp16Accumulate } = hardware;
  return {
    name: hardware.name,
    title: hardware.title,
    ...(hardware.aliases.length === 0 ? {} : { aliases: hardware.aliases }),
    vendor: hardware.vendor,
    architecture: hardware.architecture,
    released: hardware.released,
    formFactor: hardware.formFactor,
    memory: {
      capacity: formatQuantity(memory.capacity, 'bytes'),
      ...(memory.reported === undefined ? {} : { reported: formatQuantity(memory.reported, 'bytes') }),
      bandwidth: formatQuantity(memory.bandwidth, 'bandwidth'),
      kind: memory.kind,
      ...(memory.unified ? { unified: true } : {}),
    },
    matrix: peaks(hardware.matrix),
    ...(Object.keys(matrixFp16Accumulate).length === 0 ? {} : { matrixFp16Accumulate: peaks(matrixFp16Accumulate) }),
    ...(vectorFp32 === undefined ? {} : { vectorFp32: formatQuantity(vectorFp32, 'flop-rate') }),
    link: {
      kind: link.kind,
      topology: link.topology,
      ...(link.topology === 'none'
        ? {}
        : { bandwidth: formatQuantity(link.bandwidth, 'bandwidth'), domain: link.domain }),
    },
    host: {
      kind: host.kind,
      ...(host.kind === 'none' || host.kind === 'unknown'
        ? {}
        : { bandwidth: formatQuantity(host.bandwidth, 'bandwidth') }),
    },
    ...(network === undefined ? {} : { network: { bandwidth: formatQuantity(network.bandwidth, 'bandwidth') } }),
    ...(power.limit === undefined ? {} : { power: { limit: formatQuantity(power.limit, 'power') } }),
    units: {
      kind: units.kind,
      ...(units.count === undefined ? {} : { count: units.count }),
      ...(units.boostClock === undefined ? {} : { boostClock: formatQuantity(units.boostClock, 'frequency') }),
    },
    ...(cache.lastLevel === undefined ? {} : { cache: { lastLevel: formatQuantity(cache.lastLevel, 'bytes') } }),
    confidence: hardware.confidence,
    ...(hardware.uncited.length === 0 ? {} : { uncited: hardware.uncited }),
    sources: hardware.sources,
    ...(hardware.notes === '' ? {} : { notes: hardware.notes }),
  };
}

function peaks(matrix: Readonly<Partial<Record<MatrixFormat, number>>>): Partial<Record<MatrixFormat, string>> {
  const written: Partial<Record<MatrixFormat, string>> = {};
  for (const format of matrixFormats) {
    const peak = matrix[format];
    if (peak !== undefined) written[format] = formatQuantity(peak, 'flop-rate');
  }
  return written;
}
