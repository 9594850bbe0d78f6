import type { AdmissionOrder } from './admission-order.ts';
import type { SimulatedRequest } from './request.ts';

/* SGLang's guess of how much of their answers running requests will still need (srt/environ.py, schedule_policy.py, 2026-07-13). */

/** Share of the remaining answers that admission counts on: at first, and after 600 decode steps. */
const firstRatio = 0.7;
const lastRatio = firstRatio * 0.14;
const ratioSteps = 600;

/** Longest answer that is counted (CLIP_MAX_NEW_TOKENS). */
const countedOutput = 4096;

/** Decode steps that a retraction is meant to last for. */
const retractSteps = 20;

/** The falling share, and what it asks for. */
export class OutputEstimate {
  private ratio = firstRatio;

  passed(steps: number): void {
    this.ratio = Math.max(lastRatio, this.ratio - (steps * (firstRatio - lastRatio)) / ratioSteps);
  }

  /** Tokens of KV to be available for a newcomer that has `left` to generate, beside its prompt; `promised`: what running requests may still generate. */
  wanted(left: number, promised: number): number {
    return Math.min(left, countedOutput) + promised * this.ratio;
  }

  /** The one to retract: fewest tokens generated, then the longest prompt. The share becomes what was needed. */
  victim(order: AdmissionOrder, decodeCount: number): SimulatedRequest | undefined {
    let best: SimulatedRequest | undefined;
    let fewest = Infinity;
    let generatedSum = 0;
    let outputSum = 0;
    let sequences = 0;
    for (const request of order.decoding()) {
      const generated = request.output - (request.finishAt - decodeCount);
      generatedSum += generated;
      outputSum += request.output;
      sequences += 1;
      if (generated < fewest || (generated === fewest && request.prompt > (best?.prompt ?? 0))) {
        best = request;
        fewest = generated;
      }
    }
    this.ratio = Math.min(1, (generatedSum + retractSteps * sequences) / (outputSum + 1));
    return best;
  }
}
