import { describe, expect, it } from 'vitest';
import { leverRankingData } from '../../src/present/chart/data/lever-ranking-data.ts';
import { clockPartsData } from '../../src/present/chart/data/clock-parts-data.ts';
import { promptCurveData } from '../../src/present/chart/data/clock-curve-data.ts';
import { devicesData } from '../../src/present/chart/data/comparison-data.ts';
import { heatMapData } from '../../src/present/chart/data/heat-map-data.ts';
import { paretoData } from '../../src/present/chart/data/pareto-data.ts';
import { tornadoData } from '../../src/present/chart/data/tornado-data.ts';
import { question } from '../support/what-if.ts';
import { shippedDevice } from '../support/shipped.ts';

// A hundred prompts of 2000 tokens a second: 3.2e15 FLOP/s, more than three H100s have at their peak.
const rate = (requestsPerSecond: number): Parameters<typeof clockPartsData>[0] =>
  question('llama-3.1-8b', 'h100-sxm5-80gb', 'vllm', {
    prompt: 2000,
    output: 300,
    load: { kind: 'rate', requestsPerSecond },
  });
const asked = rate(100);

describe('a chart of a load that grows without end', () => {
  it('says so and has no TTFT', () => {
    const { heading, clocks } = clockPartsData(asked);
    expect(heading.lines.some((line) => line.startsWith('Unstable: 100 requests/s arrive'))).toBe(true);
    expect(clocks.map(({ name }) => name)).toEqual(['TPOT']);
    expect(heatMapData(asked).effects).toEqual(['TPOT', 'throughput']);
    expect(tornadoData(asked).clocks.map(({ name }) => name)).toEqual(['TPOT']);
    expect(paretoData(asked, {}).here).toBeUndefined();
  });

  it('has no bar where TTFT grows', () => {
    const { ttft } = devicesData(asked, [shippedDevice('l40s')]);
    expect(ttft.map(({ seconds, remark }) => [seconds, remark])).toEqual([
      [undefined, 'grows'],
      [undefined, 'grows'],
    ]);
  });

  it('ends its curve where the load stops to be stable', () => {
    const { points, limits, here } = promptCurveData(rate(10));
    expect(here).toBeDefined();
    const limit = limits.find(({ label }) => label === 'stable up to here');
    expect(limit?.value).toBe(points.at(-1)?.x);
    expect(limit?.value).toBeGreaterThan(2000);
  });

  it('ranks only what settles it, by the wait that is left', () => {
    const { levers } = leverRankingData(rate(20), { devices: [shippedDevice('b200-sxm')], engines: [] });
    expect(levers.length).toBeGreaterThan(0);
    expect(levers.every(({ ttft, e2e }) => ttft === undefined && e2e === undefined)).toBe(true);
    const waits = levers.map(({ settled = 0 }) => settled);
    expect(waits).toEqual(waits.toSorted((a, b) => a - b));
  });
});

describe('a device that cannot hold the model', () => {
  // 70e9 parameters of 2 bytes are 140 GB; an L40S has 48.
  it('has neither times nor a cost', () => {
    const large = question('llama-3.1-70b', 'mi300x', 'vllm', {
      prompt: 1000,
      output: 100,
      load: { kind: 'concurrency', size: 1 },
    });
    const { ttft, tpot } = devicesData(large, [shippedDevice('l40s')]);
    for (const bars of [ttft, tpot]) expect(bars[1]).toMatchObject({ label: 'L40S', remark: 'does not fit' });
    for (const bars of [ttft, tpot]) expect(bars[1]?.seconds).toBeUndefined();
  });
});
