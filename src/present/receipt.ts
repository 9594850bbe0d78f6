import type { CalibrationFile } from '../profile/read-calibration.ts';
import type { Estimate } from '../estimate.ts';
import type { AskedVersion } from '../profile/engine.ts';
import type { Sampling } from '../profile/sampling.ts';
import type { Disaggregation, Grade, Parallelism, PrecisionChoice, Router, Speculation } from '../profile/scenario.ts';
import type { Workload } from '../profile/workload.ts';

/** What was computed from what: enough to compute it again to the last digit. See docs/formats.md. */
export interface Receipt {
  readonly schema: 'twoclocks/receipt@1';
  /** Version of the program that wrote it. */
  readonly tool: string;
  readonly scenario: ReceiptScenario;
  /** Figures of the result by dotted path, to compare with; null for a value that is not finite. */
  readonly figures: Readonly<Record<string, number | null>>;
}

export interface ReceiptScenario {
  readonly model: ReceiptProfile;
  readonly hardware: ReceiptProfile;
  /** The profile holds the one release that was used. */
  readonly engine: ReceiptProfile & { readonly release: string; readonly asked?: AskedVersion };
  readonly precision: PrecisionChoice;
  readonly parallelism: Parallelism;
  readonly speculation?: ReceiptSpeculation;
  readonly disaggregation?: Disaggregation;
  /** Absent = `least-loaded`. */
  readonly router?: Router;
  /** Absent = as checkpoint and engine have it. */
  readonly sampling?: Sampling;
  readonly workload: Workload;
  readonly grade: Grade;
  readonly utilisation?: { readonly compute?: number; readonly memory?: number };
  /** The user's own overlay, whole: no catalogue holds it. */
  readonly calibration?: CalibrationFile;
}

/** Drafted tokens, with the model that drafts them as a profile. */
export interface ReceiptSpeculation extends Omit<Speculation, 'draft'> {
  readonly draft?: ReceiptProfile;
}

export interface ReceiptProfile {
  readonly name: string;
  /** First 16 hexadecimal digits of the SHA-256 of the resolved profile's canonical JSON. */
  readonly hash: string;
  /** The whole profile file, where it is not in the catalogue or was changed. */
  readonly profile?: object;
}

/** Figures of an estimate that a replay compares. */
export function figuresOf({
  ttft,
  tpot,
  e2e,
  throughput,
  memory,
  load,
  pools,
}: Estimate): Readonly<Record<string, number | null>> {
  const figures: Record<string, number | null> = {};
  const add = (path: string, value: number): void => {
    figures[path] = Number.isFinite(value) ? value : null;
  };
  // Where the queue grows without end, TTFT and E2E are printed as no number either.
  const endless = load.stability?.verdict === 'unstable';
  for (const [name, clock] of Object.entries({ ttft, tpot, e2e })) {
    for (const part of ['seconds', 'low', 'high', 'ideal'] as const)
      add(`${name}.${part}`, endless && name !== 'tpot' && part !== 'ideal' ? Infinity : clock[part]);
    for (const [resource, seconds] of Object.entries(clock.breakdown)) add(`${name}.breakdown.${resource}`, seconds);
  }
  for (const [name, value] of Object.entries(throughput)) add(`throughput.${name}`, value);
  for (const [name, value] of Object.entries(memory)) if (typeof value === 'number') add(`memory.${name}`, value);
  add('load.running', load.running);
  add('load.waiting', load.waiting);
  if (pools !== undefined) {
    for (const pool of ['prefill', 'decode'] as const)
      add(`pools.${pool}.requestsPerSecond`, pools[pool].requestsPerSecond);
  }
  return figures;
}
