import type { EngineOverhead } from '../../profile/engine.ts';
import type { Hardware } from '../../profile/hardware.ts';
import type { Deployment, Scenario } from '../../profile/scenario.ts';
import type { Dimension } from '../../quantity/dimension.ts';
import { type MatrixFormat, matrixFormats } from '../../quantity/matrix-format.ts';
import { type Lever, lever } from '../lever.ts';
import { noFieldYet } from '../messages.ts';
import type { Slot } from '../slot.ts';

/** One number of a scenario's profiles that a change may name by its path. */
export interface Field {
  readonly path: string;
  readonly dimension: Dimension;
  readonly slot: Slot;
  /** Undefined where the profile has none. */
  readonly read: (scenario: Scenario) => number | undefined;
  readonly write: (scenario: Scenario, value: number) => Scenario;
}

type Parts<T> = {
  readonly read: (part: T) => number | undefined;
  readonly write: (part: T, value: number) => T;
  /** `to` with what `write` changes as `from` has it; absent where writing the number read does that. */
  readonly copy?: (from: T, to: T) => T;
  /** Where what is written goes by another path. */
  readonly slotPath?: string;
};

function field(path: string, dimension: Dimension, { read, write, copy, slotPath = path }: Parts<Deployment>): Field {
  const restored =
    copy ??
    ((from: Deployment, to: Deployment): Deployment => {
      const value = read(from);
      return value === undefined ? to : write(to, value);
    });
  return {
    path,
    dimension,
    read: ({ deployment }) => read(deployment),
    write: (scenario, value) => ({ ...scenario, deployment: write(scenario.deployment, value) }),
    slot: {
      path: slotPath,
      copy: (from, to) => ({ ...to, deployment: restored(from.deployment, to.deployment) }),
    },
  };
}

const ofHardware = (path: string, dimension: Dimension, { read, write, copy, slotPath }: Parts<Hardware>): Field =>
  field(`hardware.${path}`, dimension, {
    read: ({ hardware }) => read(hardware),
    write: (deployment, value) => ({ ...deployment, hardware: write(deployment.hardware, value) }),
    ...(copy === undefined
      ? {}
      : {
          copy: (from: Deployment, to: Deployment) => ({ ...to, hardware: copy(from.hardware, to.hardware) }),
        }),
    ...(slotPath === undefined ? {} : { slotPath: `hardware.${slotPath}` }),
  });

const ofRelease = (
  group: 'overhead' | 'memory',
  key: Exclude<keyof EngineOverhead, 'citations'> | 'fraction',
  dimension: Dimension,
): Field =>
  field(`engine.${group}.${key}`, dimension, {
    read: ({ release }) => (key === 'fraction' ? release.memory.fraction : release.overhead[key]),
    write: (deployment, value) => ({
      ...deployment,
      release: { ...deployment.release, [group]: { ...deployment.release[group], [key]: value } },
    }),
  });

const peaks = (factor: number, matrix: Hardware['matrix']): Hardware['matrix'] =>
  Object.fromEntries(Object.entries(matrix).map(([format, peak]) => [format, peak * factor]));

/** A device with all peaks times a factor. */
const withPeaks = (hardware: Hardware, factor: number): Hardware => ({
  ...hardware,
  matrix: peaks(factor, hardware.matrix),
  matrixFp16Accumulate: peaks(factor, hardware.matrixFp16Accumulate),
});

/** A device of another capacity; what the driver reports keeps its ratio to it. */
export const withCapacity = (hardware: Hardware, capacity: number): Hardware => {
  const { memory } = hardware;
  const reported = memory.reported === undefined ? {} : { reported: (memory.reported / memory.capacity) * capacity };
  return { ...hardware, memory: { ...memory, capacity, ...reported } };
};

const withBandwidth = (hardware: Hardware, bandwidth: number): Hardware => ({
  ...hardware,
  memory: { ...hardware.memory, bandwidth },
});

const largestPeak = ({ matrix }: Hardware): number => Math.max(...Object.values(matrix));

/** Path of the peaks of all formats at once; only a factor makes sense of it. */
export const allPeaks = 'hardware.compute';

const peak = (format: MatrixFormat): Field =>
  ofHardware(`matrix.${format}`, 'flop-rate', {
    read: ({ matrix }) => matrix[format],
    write: (hardware, value) => ({ ...hardware, matrix: { ...hardware.matrix, [format]: value } }),
    copy: ({ matrix }, to) => {
      const { [format]: _, ...others } = to.matrix;
      const before = matrix[format];
      return { ...to, matrix: before === undefined ? others : { ...others, [format]: before } };
    },
  });

const overheads = ['step', 'layer', 'sequence', 'request', 'launch'] as const;

/** Every field that a change may name. */
export const fields: readonly Field[] = [
  ofHardware('memory.bandwidth', 'bandwidth', { read: ({ memory }) => memory.bandwidth, write: withBandwidth }),
  ofHardware('memory.capacity', 'bytes', {
    read: ({ memory }) => memory.capacity,
    write: withCapacity,
    copy: ({ memory: { capacity, reported } }, to) => {
      const { reported: _, ...memory } = to.memory;
      return { ...to, memory: { ...memory, capacity, ...(reported === undefined ? {} : { reported }) } };
    },
  }),
  ofHardware('compute', 'flop-rate', {
    read: largestPeak,
    write: (hardware, value) => withPeaks(hardware, value / largestPeak(hardware)),
    copy: ({ matrix, matrixFp16Accumulate }, to) => ({ ...to, matrix, matrixFp16Accumulate }),
    slotPath: 'matrix',
  }),
  ...matrixFormats.map(peak),
  ofHardware('link.bandwidth', 'bandwidth', {
    read: ({ link }) => link.bandwidth,
    write: (hardware, bandwidth) => ({ ...hardware, link: { ...hardware.link, bandwidth } }),
  }),
  ofHardware('host.bandwidth', 'bandwidth', {
    read: ({ host }) => host.bandwidth,
    write: (hardware, bandwidth) => ({ ...hardware, host: { ...hardware.host, bandwidth } }),
  }),
  ofHardware('network.bandwidth', 'bandwidth', {
    read: ({ network }) => network?.bandwidth,
    write: (hardware, bandwidth) => ({ ...hardware, network: { bandwidth } }),
    copy: ({ network }, to) => {
      const { network: _, ...rest } = to;
      return network === undefined ? rest : { ...rest, network };
    },
  }),
  ...overheads.map((key) => ofRelease('overhead', key, 'time')),
  ofRelease('memory', 'fraction', 'ratio'),
];

/** A number by its path; undefined for a path that no change may name. */
export const findField = (path: string): Field | undefined => fields.find((each) => each.path === path);

/**
 * One number of a profile changed.
 * @param said The new value as it was written, for texts.
 * @param edit The new value, from the scenario that it is changed in.
 * @param reads Paths that `edit` looks at.
 */
export const fieldLever = (
  { path, slot, read, write }: Field,
  said: string,
  edit: (scenario: Scenario) => number,
  reads: readonly string[],
): Lever =>
  lever({
    kind: 'field',
    text: `${path}=${said}`,
    label: `${path} ${said}`,
    writes: [slot],
    reads,
    refusal: (scenario) =>
      reads.length > 0 && read(scenario) === undefined
        ? noFieldYet(path, scenario.deployment.hardware.title)
        : undefined,
    change: (scenario) => write(scenario, edit(scenario)),
  });

/** One number of a profile times a factor. */
export const factorLever = (of: Field, factor: number): Lever =>
  fieldLever(of, `*${factor}`, (scenario) => (of.read(scenario) ?? Number.NaN) * factor, [of.path]);
