import type { Disaggregation } from '../profile/scenario.ts';
import { efficiencyOf } from '../roofline/efficiency-table.ts';
import { linkBetween, networkRate, networkShare } from '../roofline/link.ts';
import { sequenceBytes } from '../roofline/memory.ts';
import { hostCopyShare } from '../roofline/offload.ts';
import { type Resource, resourceIndex } from '../roofline/resource.ts';
import type { CompiledDeployment } from './compiled.ts';
import type { EngineRules } from './simulate/engine-rules.ts';

/** Seconds that the KV cache of a prompt needs from device to device, each rank sending its own part. */
export function transferOf(
  { deployment, memory }: CompiledDeployment,
  link: Disaggregation['link'],
  prompt: number,
): { readonly seconds: number; readonly at: number } {
  const bytes = sequenceBytes(memory.keyValue, prompt);
  const { hardware } = deployment;
  const over = (rate: number, resource: Resource): { readonly seconds: number; readonly at: number } => ({
    seconds: bytes / rate,
    at: resourceIndex[resource],
  });
  if (typeof link === 'object') return over(link.bandwidth * networkShare, 'network');
  const { collective } = efficiencyOf(deployment);
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

/**
 * What is left of a transfer when the prefill ends, where each chunk is sent as soon as it is computed: a prompt of so many
 * chunks, whose last is `tail` of it. Chunks follow each other on the way as they do on the device, so the latest to be
 * through is the first, the last, or the one before it.
 */
export function exposedTransfer(transfer: number, service: number, chunks: number, tail: number): number {
  if (chunks <= 1) return transfer;
  const each = (1 - tail) / (chunks - 1);
  return Math.max(transfer - service * (1 - each), transfer * tail, transfer * (each + tail) - service * tail);
}

/** The same by an engine's rules, of a prompt of which `fresh` tokens are computed: chunks sent at once, or all after the last. */
export const exposedOf = (
  { sendsChunks, chunkTokens }: EngineRules,
  transfer: number,
  service: number,
  chunks: number,
  fresh: number,
): number =>
  sendsChunks
    ? exposedTransfer(transfer, service, chunks, Math.max(0, 1 - ((chunks - 1) * chunkTokens) / fresh))
    : transfer;
