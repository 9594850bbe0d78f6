import type { SimulatedRequest } from './request.ts';

interface Admission {
  readonly request: SimulatedRequest;
  readonly number: number;
}

/** Running requests in the order of their admission: who gives way where the KV cache is full. */
export class AdmissionOrder {
  private order: Admission[] = [];

  /** `running`: how many run now, so that those who left can be forgotten from time to time. */
  push(request: SimulatedRequest, running: number): void {
    this.order.push({ request, number: request.admissions });
    if (this.order.length > 2 * running + 1024) this.order = this.order.filter(isCurrent);
  }

  /** Takes out the one that was admitted last. */
  takeNewest(): SimulatedRequest | undefined {
    for (;;) {
      const last = this.order.pop();
      if (last === undefined || isCurrent(last)) return last?.request;
    }
  }

  /** Those that decode, oldest first. */
  *decoding(): Generator<SimulatedRequest> {
    for (const admission of this.order)
      if (isCurrent(admission) && admission.request.state === 'decode') yield admission.request;
  }
}

const isCurrent = ({ request, number }: Admission): boolean =>
  request.admissions === number && (request.state === 'prefill' || request.state === 'decode');
