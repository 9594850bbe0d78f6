import { architectures } from './architectures.ts';
import type { HardwareRule } from './finding.ts';
import { unknownArchitecture } from './messages.ts';

/** Efficiencies are looked up by family: a misspelt one silently gets the generic ones. */
export const knownArchitecture: HardwareRule = {
  name: 'known-architecture',
  find: ({ hardware: { architecture } }) =>
    architectures.some((known) => known === architecture)
      ? []
      : [{ severity: 'warning', path: 'architecture', message: unknownArchitecture(architecture, architectures) }],
};
