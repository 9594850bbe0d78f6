import type { Hardware } from '../profile/hardware.ts';

/**
 * Share of a device's power that does not follow the core clock: leakage, memory, board. An assumption; caps of NVIDIA
 * data-centre cards reach down to between 14 % (H100 SXM: 100 of 700 W, NVIDIA data sheet) and 40 % (A100: 100 of 250 W).
 */
export const fixedPowerShare = 0.3;

/**
 * Share of its peak FLOP/s that a device keeps under a power cap: dynamic power goes with clock x voltage^2 and the
 * voltage with the clock, so the clock goes with the cube root. The memory's clock is its own, which is why decode
 * hardly notices a cap (Patel et al. 2024, POLCA, ASPLOS, https://doi.org/10.1145/3620666.3651329).
 */
const cappedShare = (watts: number, limit: number): number =>
  Math.cbrt((watts / limit - fixedPowerShare) / (1 - fixedPowerShare));

/** A device under a cap of `watts`, which lies above its fixed share; without a stated limit nothing is known and changed. */
export function powerCapped(hardware: Hardware, watts: number): Hardware {
  const share = cappedShare(watts, hardware.power.limit ?? watts);
  const scaled = (peaks: Hardware['matrix']): Hardware['matrix'] =>
    Object.fromEntries(Object.entries(peaks).map(([format, peak]) => [format, peak * share]));
  return {
    ...hardware,
    matrix: scaled(hardware.matrix),
    matrixFp16Accumulate: scaled(hardware.matrixFp16Accumulate),
    ...(hardware.vectorFp32 === undefined ? {} : { vectorFp32: hardware.vectorFp32 * share }),
    power: { ...hardware.power, limit: watts },
  };
}
