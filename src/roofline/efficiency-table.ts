import type { Deployment } from '../profile/scenario.ts';
import { accelerators } from './efficiency/accelerators.ts';
import { amd } from './efficiency/amd.ts';
import { apple } from './efficiency/apple.ts';
import type { FamilyEfficiency, KernelLibrary } from './efficiency/build.ts';
import { kernelLibraries } from './efficiency/build.ts';
import { intel } from './efficiency/intel.ts';
import { nvidiaDatacentre } from './efficiency/nvidia-datacentre.ts';
import { nvidiaGraphics } from './efficiency/nvidia-graphics.ts';
import { assumption } from './efficiency/sources.ts';
import { universal } from './efficiency/universal.ts';
import type { Efficiency } from './efficiency.ts';

/** For an architecture nobody listed: the set that fits every NVIDIA GPU at once, with no claim beyond that. */
const unlisted: Efficiency = Object.freeze({
  ...universal,
  evidence: 'assumed',
  sources: [assumption('unlisted architecture: constants common to all measured GPUs'), ...universal.sources],
});

const families: ReadonlyMap<string, FamilyEfficiency> = new Map(
  [...nvidiaDatacentre, ...nvidiaGraphics, ...amd, ...intel, ...apple, ...accelerators].flatMap((family) =>
    family.architectures.map((architecture): [string, FamilyEfficiency] => [architecture, family]),
  ),
);

/** Architectures with constants of their own, in the order of the data files. */
export const efficiencyArchitectures: readonly string[] = Object.freeze([...families.keys()]);

/**
 * Constants of the smooth roofline of a device family (`Hardware.architecture`) under a kernel library
 * (`Engine.kernels`). A library without constants for that family gets the family's typical ones (for NVIDIA those
 * of vLLM); `none` on NVIDIA, and every library on an unlisted architecture, gets the set common to all measured
 * GPUs. `evidence` and `sources` say which of these it was.
 *
 * Shares are of data-sheet peaks: dense, wide accumulation; of the format multiplied in (16 bits for weight-only
 * classes).
 */
export function efficiencyFor(architecture: string, kernels: string): Efficiency {
  const family = families.get(architecture.toLowerCase());
  if (family === undefined) return unlisted;
  const library = kernelLibraries.find((name): name is KernelLibrary => name === kernels.toLowerCase());
  if (library === undefined) return family.typical;
  // Not every family has constants of its own for each build.
  const plain = plainLibraries.find((name) => library.startsWith(name));
  return family.libraries[library] ?? (plain === undefined ? undefined : family.libraries[plain]) ?? family.typical;
}

/** Libraries that have variants by build, called after them. */
const plainLibraries = ['llama.cpp', 'trt-llm'] as const;

/** The constants of a deployment: those of the release's kernels, where it has its own. */
export const efficiencyOf = ({
  hardware,
  engine,
  release,
}: Pick<Deployment, 'hardware' | 'engine' | 'release'>): Efficiency =>
  efficiencyFor(hardware.architecture, release.kernels ?? engine.kernels);
