import type { HardwareRule } from './finding.ts';
import { clockRange } from './messages.ts';

/** MHz written as GHz and the like: accelerators run at 0.2 to 3.5 GHz, CPU cores up to 6.5. */
export const clockRangeRule: HardwareRule = {
  name: 'clock-range',
  find: ({ hardware }) => {
    const { boostClock, kind } = hardware.units;
    const most = /^core/i.test(kind) ? 6.5e9 : 3.5e9;
    const least = 0.2e9;
    return boostClock === undefined || (boostClock >= least && boostClock <= most)
      ? []
      : [{ severity: 'error', path: 'units.boostClock', message: clockRange(boostClock, least, most) }];
  },
};
