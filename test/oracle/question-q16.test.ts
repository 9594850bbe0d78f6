import { describe, expect, it } from 'vitest';
import { changed, question, ranks } from '../support/what-if.ts';
import { shippedDevice } from '../support/shipped.ts';

// vllm-project/vllm#6610: 70B on two GH200 in two pipeline stages, network of 400 and 800 Gb/s: no change. A token hands over
// 8192 x 2 bytes = 16 kB; 16 tokens 262 kB / 50 GB/s = 5 us of a step of 50 ms: 0.01 %.

const device = shippedDevice('gh200-96gb');
const asked = question(
  'llama-3.1-70b',
  'gh200-96gb',
  'vllm@0.5.3',
  { prompt: 1000, output: 256, load: { kind: 'concurrency', size: 16 } },
  {
    parallelism: ranks({ pipeline: 2 }),
    // Two nodes with nothing but the network between them.
    hardware: {
      ...device,
      link: { kind: 'none', topology: 'none', bandwidth: 0, domain: 1 },
      host: { kind: 'none', bandwidth: 0 },
      network: { bandwidth: 50e9 },
    },
  },
);

describe('Q16: a faster network under pipeline parallelism (vllm-project/vllm#6610)', () => {
  it('moves neither clock: the network is under 1 % of both', async () => {
    const { ttft, tpot, moved, verdict } = await changed(asked, 'hardware.network.bandwidth=800 Gb/s');
    expect(moved).toBe('neither');
    for (const clock of [ttft, tpot]) {
      expect(clock.ratio).toBeLessThanOrEqual(1);
      expect(clock.ratio).toBeGreaterThan(0.99);
      const onNetwork = clock.breakdown['link-bandwidth'] + clock.breakdown['link-latency'] + clock.breakdown.network;
      expect(onNetwork / clock.after).toBeLessThan(0.01);
    }
    expect(verdict).toMatch(/^Moves neither clock/);
  });

  it('would move TPOT under tensor parallelism over the same network', async () => {
    const spread = { ...asked, deployment: { ...asked.deployment, parallelism: ranks({ tensor: 2 }) } };
    const { ttft } = await changed(spread, 'hardware.network.bandwidth=800 Gb/s');
    expect(ttft.ratio).toBeLessThan(0.97);
  });
});
