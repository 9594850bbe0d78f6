import type { HardwareFile } from '../hardware-schema.ts';
import type { Hardware } from '../hardware.ts';

/** Something about a profile that is wrong or looks wrong. */
export interface Finding {
  readonly rule: string;
  /** `error`: contradicts the hardware or itself; `warning`: unusual, somebody should look. */
  readonly severity: 'error' | 'warning';
  /** Field path. */
  readonly path: string;
  /** One sentence: value, what was expected, what it looks like. */
  readonly message: string;
}

/** A file that cannot be read as a profile has this one finding. */
export const unreadable = (error: unknown): Finding => ({
  rule: 'readable',
  severity: 'error',
  path: '',
  message: error instanceof Error ? error.message : String(error),
});

/** What a rule may look at: the profile as written and in SI, and the devices that are known already. */
interface LintSubject {
  readonly file: HardwareFile;
  readonly hardware: Hardware;
  readonly known: readonly Hardware[];
}

/** One trap that figures of hardware fall into. */
export interface HardwareRule {
  readonly name: string;
  readonly find: (subject: LintSubject) => readonly Omit<Finding, 'rule'>[];
}
