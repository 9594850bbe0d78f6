import type { RunDiagnosis } from '../measured/diagnose.ts';
import type { Targets } from '../measured/targets.ts';
import type { Watched } from '../measured/watched.ts';
import { digits, percent } from './clock-time.ts';
import { diagnosisText } from './diagnosis-text.ts';
import { type Paint, plainPaint } from './paint.ts';
import { plainText } from './plain-text.ts';

/** One look at a server: what it runs, and the scorecard since the look before (or since it started). */
export function watchText(
  windows: readonly Watched[],
  diagnoses: readonly RunDiagnosis[],
  targets: Targets,
  since: boolean,
  paint: Paint = plainPaint,
): string {
  return windows
    .map(({ setting, observed, throughput, seconds }, index) => {
      const state = [
        ...(observed.running === undefined ? [] : [`${digits(observed.running)} running`]),
        ...(observed.waiting === undefined ? [] : [`${digits(observed.waiting)} waiting`]),
        ...(observed.keyValueShare === undefined ? [] : [`KV ${percent(observed.keyValueShare)}`]),
        ...(observed.prefixHitShare === undefined ? [] : [`prefix hits ${percent(observed.prefixHitShare)}`]),
        ...(throughput.requestsPerSecond === undefined ? [] : [`${digits(throughput.requestsPerSecond)} requests/s`]),
        ...(throughput.outputTokensPerSecond === undefined
          ? []
          : [`${digits(throughput.outputTokensPerSecond)} output tokens/s`]),
      ].join(', ');
      const window = since && seconds !== undefined ? `last ${digits(seconds)} s` : 'since the server started';
      const diagnosis = diagnoses[index];
      const head = paint.quiet(plainText(`${setting.model ?? setting.engine ?? 'server'}, ${window}: ${state}`));
      if (diagnosis === undefined) return `${head}\n`;
      if (diagnosis.broken === 'unknown') {
        return `${head}\n  ${since ? 'No request was finished in this time.' : 'No request was finished yet, or the server exposes no clocks.'}\n`;
      }
      return `${head}\n${diagnosisText(diagnosis, targets, paint)}`;
    })
    .join('\n');
}
