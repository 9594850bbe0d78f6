import type { BenchmarkRun } from '../../exchange/benchmark/benchmark-run.ts';
import { meanOf } from '../../exchange/benchmark/distribution.ts';
import { digits, time } from '../doctor-words.ts';
import type { Finding } from '../finding.ts';
import { inputTokens, outputTokens } from '../run-workload.ts';

/** A first token costs a pass over the model as every other does, and waits for the one that runs: far less is no TTFT. */
const leastShare = 0.1;

/** 5,000 tokens/s to one user; no public server of a GPU reaches half of it. */
const fastest = 2e-4;

/** A token every ten seconds: slower than anybody would measure. */
const slowest = 10;

/** Figures that cannot be in the unit that their name says. */
export function units(run: BenchmarkRun): readonly Finding[] {
  const { clocks, where, kind } = run;
  const [ttft, tpot] = [meanOf(clocks.ttft), meanOf(clocks.tpot)];
  const findings: Finding[] = [];
  if (
    kind !== 'kernel' &&
    ttft !== undefined &&
    ttft > 0 &&
    tpot !== undefined &&
    ttft < leastShare * tpot &&
    (inputTokens(run) ?? 0) >= 16
  ) {
    const isThousandth = fitsThousandfold(run, ttft, tpot);
    findings.push({
      rule: 'units',
      where,
      severity: 'broken',
      certainty: isThousandth ? 'certain' : 'likely',
      what: `TTFT ${time(ttft)} is less than a tenth of the time of one token, ${time(tpot)}${isThousandth ? `; ${time(ttft * 1e3)} would fit E2E` : ''}.`,
      effect: isThousandth
        ? 'Seconds were written as milliseconds: fix the unit of TTFT before anything else.'
        : 'A first token costs at least one pass of the model: the unit of TTFT is wrong, or the first chunk is an empty one that is sent before the prompt is read.',
    });
  }
  if (tpot !== undefined && tpot > 0 && (tpot < fastest || tpot > slowest)) {
    findings.push({
      rule: 'units',
      where,
      severity: 'careful',
      certainty: 'likely',
      what: `TPOT is ${tpot < fastest ? `${digits(1 / tpot)} tokens/s to one user, faster than any public server` : `${time(tpot)} a token`}.`,
      effect: 'Look at the unit: seconds under a name that says milliseconds, or the reverse, are the usual cause.',
    });
  }
  return findings;
}

function fitsThousandfold(run: BenchmarkRun, ttft: number, tpot: number): boolean {
  const [e2e, output] = [meanOf(run.clocks.e2e), outputTokens(run)];
  if (e2e === undefined || output === undefined || output < 2) return false;
  const decode = (output - 1) * tpot;
  return Math.abs(ttft * 1e3 + decode - e2e) <= 0.03 * e2e && Math.abs(ttft + decode - e2e) > 0.03 * e2e;
}
