import type { Disaggregation } from '../profile/scenario.ts';
import { efficiencyFor } from '../roofline/efficiency-table.ts';
import { linkBetween, networkRate, networkShare } from '../roofline/link.ts';
import { sequenceBytes } from '../roofline/memory.ts';
import { hostCopyShare } from '../roofline/offload.ts';
import { type Resource, resourceIndex } from '../roofline/resource.ts';
import type { CompiledDeployment } from './compiled.ts';

/** Seconds that the KV cache of a prompt needs from device to device, each rank sending its own part. */
export function transferOf(
  { deployment, memory }: CompiledDeployment,
  link: Disaggregation['link'],
  prompt: number,
): { readonly seconds: number; readonly at: number } {
  const bytes = sequenceBytes(memory.keyValue, prompt);
  const { hardware, engine } = deployment;
  const over = (rate: number, resource: Resource): { readonly seconds: number; readonly at: number } => ({
    seconds: bytes / rate,
    at: resourceIndex[resource],
  });
  if (typeof link === 'object') return over(link.bandwidth * networkShare, 'network');
  const { collective } = efficiencyFor(hardware.architecture, engine.kernels);
  switch (link) {
    case 'own': {
      const own = linkBetween(hardware, 2, collective);
      return over(own.bandwidth * own.share, 'link-bandwidth');
    }
    case 'host':
      return over(hardware.host.bandwidth * hostCopyShare, 'link-bandwidth');
    case 'network':
      return over(networkRate(hardware), 'network');
  }
}

/** What is left of a transfer after the last of `chunks` steps, which take `service` seconds, where each chunk is sent at once. */
export const exposedTransfer = (transfer: number, service: number, chunks: number): number =>
  Math.max(transfer / chunks, transfer - (service * (chunks - 1)) / chunks);
