import type { Calibration } from '../profile/calibration.ts';
import type { Deployment } from '../profile/scenario.ts';

/** A global constant that rows may identify. */
export interface CalibrationParameter {
  readonly name: ParameterName;
  readonly title: string;
  readonly kind: 'factor' | 'seconds';
  /** How far it plausibly lies from the public value: a logarithm for factors, seconds for overheads. It scales the search. */
  readonly spread: number;
  readonly least: number;
  readonly most: number;
  /** The public value. */
  readonly usual: (deployment: Deployment) => number;
}

export type ParameterName = 'step' | 'memory' | 'compute' | 'request' | 'linkLatency' | 'sequence' | 'layer';

/** Fitted values by name; absent ones stay at their public value. */
export type ParameterValues = Readonly<Partial<Record<ParameterName, number>>>;

const factor = (
  name: ParameterName,
  title: string,
  spread: number,
  least: number,
  most: number,
): CalibrationParameter => ({
  name,
  title,
  kind: 'factor',
  spread,
  least,
  most,
  usual: () => 1,
});

const overhead = (
  name: 'step' | 'layer' | 'sequence' | 'request',
  title: string,
  spread: number,
  most: number,
): CalibrationParameter => ({
  name,
  title,
  kind: 'seconds',
  spread,
  least: 0,
  most,
  usual: ({ release }) => release.overhead[name],
});

/** In the order in which they are preferred where several explain the rows equally well: the plainest first. */
export const calibrationParameters: readonly CalibrationParameter[] = [
  overhead('step', 'overhead of a step', 3e-3, 0.2),
  factor('memory', 'share of memory bandwidth', 0.3, 0.1, 2),
  factor('compute', 'share of peak FLOP/s', 0.3, 0.05, 3),
  overhead('request', 'overhead of a request', 0.02, 5),
  factor('linkLatency', 'latency of a collective', 1.5, 0.1, 300),
  overhead('sequence', 'overhead of a sequence and step', 3e-5, 5e-3),
  overhead('layer', 'overhead of a layer and step', 5e-5, 5e-3),
];

/** The overlay of these values. */
export function overlayOf(
  values: ParameterValues,
  about: Omit<Calibration, 'schema' | 'factors' | 'overhead'>,
): Calibration {
  const { compute, memory, linkLatency, step, layer, sequence, request } = values;
  return {
    schema: 'twoclocks/calibration@1',
    fittedTo: about.fittedTo,
    hardware: about.hardware,
    engine: about.engine,
    rows: about.rows,
    factors: {
      ...(compute === undefined ? {} : { compute }),
      ...(memory === undefined ? {} : { memory }),
      ...(linkLatency === undefined ? {} : { linkLatency }),
    },
    overhead: {
      ...(step === undefined ? {} : { step }),
      ...(layer === undefined ? {} : { layer }),
      ...(sequence === undefined ? {} : { sequence }),
      ...(request === undefined ? {} : { request }),
    },
    band: about.band,
    notes: about.notes,
  };
}

/** A deployment under these values. */
export const deployedWith = (deployment: Deployment, values: ParameterValues): Deployment => ({
  ...deployment,
  calibration: overlayOf(values, {
    fittedTo: '',
    hardware: deployment.hardware.name,
    engine: deployment.engine.name,
    rows: 1,
    band: {},
    notes: [],
  }),
});

export const titleOf = (name: ParameterName): string =>
  calibrationParameters.find((each) => each.name === name)?.title ?? name;
