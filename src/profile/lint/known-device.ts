import { formatRounded } from '../../quantity/format-quantity.ts';
import type { Dimension } from '../../quantity/dimension.ts';
import { matrixFormats } from '../../quantity/matrix-format.ts';
import type { Hardware } from '../hardware.ts';
import type { HardwareRule } from './finding.ts';
import { differsFromKnown } from './messages.ts';

/** Figures within this are one (0.02: the same part in two data sheets). */
const tolerance = 0.02;

const folded = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();

/** A profile that carries the name or the title of a shipped device and says something else about it. */
export const knownDevice: HardwareRule = {
  name: 'known-device',
  find: ({ hardware, known }) => {
    const names = new Set([hardware.name, ...hardware.aliases]);
    const same = known.find(
      (device) =>
        [device.name, ...device.aliases].some((name) => names.has(name)) ||
        folded(device.title) === folded(hardware.title),
    );
    if (same === undefined) return [];
    return figures(hardware, same).flatMap(({ path, dimension, value, expected }) =>
      value === undefined || expected === undefined || Math.abs(value - expected) <= tolerance * expected
        ? []
        : [
            {
              severity: 'warning',
              path,
              message: differsFromKnown(
                path,
                formatRounded(value, dimension, 5),
                same.name,
                formatRounded(expected, dimension, 5),
              ),
            },
          ],
    );
  },
};

interface Figure {
  readonly path: string;
  readonly dimension: Dimension;
  readonly value: number | undefined;
  readonly expected: number | undefined;
}

function figures(hardware: Hardware, same: Hardware): readonly Figure[] {
  return [
    {
      path: 'memory.bandwidth',
      dimension: 'bandwidth',
      value: hardware.memory.bandwidth,
      expected: same.memory.bandwidth,
    },
    ...matrixFormats.map((format): Figure => ({
      path: `matrix.${format}`,
      dimension: 'flop-rate',
      value: hardware.matrix[format],
      expected: same.matrix[format],
    })),
    { path: 'link.bandwidth', dimension: 'bandwidth', value: hardware.link.bandwidth, expected: same.link.bandwidth },
    { path: 'link.domain', dimension: 'count', value: hardware.link.domain, expected: same.link.domain },
    { path: 'host.bandwidth', dimension: 'bandwidth', value: hardware.host.bandwidth, expected: same.host.bandwidth },
    { path: 'memory.capacity', dimension: 'bytes', value: hardware.memory.capacity, expected: same.memory.capacity },
    {
      path: 'units.boostClock',
      dimension: 'frequency',
      value: hardware.units.boostClock,
      expected: same.units.boostClock,
    },
    { path: 'cache.lastLevel', dimension: 'bytes', value: hardware.cache.lastLevel, expected: same.cache.lastLevel },
    { path: 'units.count', dimension: 'count', value: hardware.units.count, expected: same.units.count },
  ];
}
