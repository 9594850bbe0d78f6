import { formatRounded } from '../../quantity/format-quantity.ts';
import type { Dimension } from '../../quantity/dimension.ts';
import { matrixFormats } from '../../quantity/matrix-format.ts';
import type { Hardware } from '../hardware.ts';
import type { HardwareRule } from './finding.ts';
import { differsFromKnown } from './messages.ts';

/** A profile that carries the name of a shipped device and says something else about it. */
export const knownDevice: HardwareRule = {
  name: 'known-device',
  find: ({ hardware, known }) => {
    const names = new Set([hardware.name, ...hardware.aliases]);
    const same = known.find((device) => [device.name, ...device.aliases].some((name) => names.has(name)));
    if (same === undefined) return [];
    return figures(hardware, same).flatMap(({ path, dimension, value, expected }) =>
      value === undefined || expected === undefined || Math.abs(value - expected) <= 0.03 * expected
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
    { path: 'units.count', dimension: 'count', value: hardware.units.count, expected: same.units.count },
  ];
}
