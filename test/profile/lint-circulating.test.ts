import { describe, expect, it } from 'vitest';
import { lintHardware } from '../../src/profile/lint/lint-hardware.ts';
import { changed, shippedHardware } from './shipped-hardware.ts';

/**
 * Wrong figures that circulate in public simulators, registries and pages (hardware tables compared against data
 * sheets, 2026-09), each on the device that it was printed for.
 */
const circulating: readonly (readonly [
  where: string,
  device: string,
  changes: Readonly<Record<string, string | number>>,
])[] = [
  ['inference-sim, L40S', 'l40s', { 'matrix.fp8': '1466 TFLOP/s' }],
  ['GenZ, GH200', 'gh200-96gb', { 'matrix.bf16': '1979 TFLOP/s' }],
  ['GenZ, GB200', 'gb200', { 'matrix.bf16': '4500 TFLOP/s' }],
  ['LLMCompass, A100 as the full die', 'a100-sxm4-80gb', { 'matrix.bf16': '369.6 TFLOP/s' }],
  ['LLMCompass, MI210', 'mi210', { 'matrix.bf16': '298.2 TFLOP/s' }],
  ['InferSim, GB200', 'gb200', { 'memory.bandwidth': '13.4 TB/s' }],
  ['aiconfigurator, B200 on PCIe 6', 'b200-sxm', { 'host.kind': 'PCIe 6.0 x16', 'host.bandwidth': '128 GB/s' }],
  ['GenZ, TPU v4', 'tpu-v4', { 'link.bandwidth': '24 GB/s' }],
  ['LLM-Viewer, H100', 'h100-sxm5-80gb', { 'memory.bandwidth': '3072 GB/s' }],
  ['llm-analysis, a bridge as a switch', 'a100-pcie-80gb', { 'link.topology': 'switch', 'link.domain': 8 }],
  ['llm-analysis, Gb/s as GB/s', 'h100-sxm5-80gb', { 'network.bandwidth': '400 GB/s' }],
  ['llm-analysis, MI250 INT8', 'mi250', { 'matrix.int8': '724 TOP/s' }],
  ['HF tasks, MI300X', 'mi300x', { 'matrix.fp16': '383 TFLOP/s', 'matrix.bf16': '383 TFLOP/s' }],
  ['codesota, MI300X', 'mi300x', { 'matrix.fp16': '2615 TFLOP/s', 'matrix.bf16': '2615 TFLOP/s' }],
  [
    'saulelectric, H200',
    'h200-sxm-141gb',
    { 'matrix.fp16': '1970 TFLOP/s', 'matrix.bf16': '1970 TFLOP/s', 'matrix.fp8': '3940 TFLOP/s' },
  ],
  [
    'MLPerf_per_Watt, H100',
    'h100-sxm5-80gb',
    { 'matrix.fp16': '1979 TFLOP/s', 'matrix.bf16': '1979 TFLOP/s', 'matrix.fp8': '3958 TFLOP/s' },
  ],
  ['acml-project1, L4', 'l4', { 'matrix.fp16': '242 TFLOP/s', 'matrix.bf16': '242 TFLOP/s' }],
  ['LLMRoofline, RTX 4090', 'rtx-4090', { 'matrix.fp16': '330 TFLOP/s', 'matrix.bf16': '330 TFLOP/s' }],
  ['one_gpu_lm, RTX 5090', 'rtx-5090', { 'matrix.fp8': '838 TFLOP/s' }],
  ['gpu_poor, RTX 4090', 'rtx-4090', { 'matrix.fp16': '82.58 TFLOP/s', 'matrix.bf16': '82.58 TFLOP/s' }],
  ['gpu-specs, RTX 4090', 'rtx-4090', { 'matrix.fp16': '292.8 TFLOP/s', 'matrix.bf16': '292.8 TFLOP/s' }],
  ['Lightning, A10G', 'a10g', { 'matrix.fp16': '125 TFLOP/s', 'matrix.bf16': '125 TFLOP/s' }],
  ['HF tasks, V100', 'v100-sxm2-32gb', { 'matrix.fp16': '28.26 TFLOP/s' }],
  ['stas00, H100 NVL', 'h100-nvl-94gb', { 'matrix.fp16': '989 TFLOP/s', 'matrix.bf16': '989 TFLOP/s' }],
  ['llm-analysis, A10', 'a10', { 'memory.capacity': '28 GB' }],
  ['llm-analysis, H100 INT4', 'h100-sxm5-80gb', { 'matrix.int4': '3958 TOP/s' }],
  ['vidur, A40', 'a40', { 'memory.capacity': '45 GB' }],
  ['stas00, B300 INT8', 'b300-sxm', { 'matrix.int8': '4500 TOP/s' }],
  ['GenZ, Gaudi 3', 'gaudi3', { 'matrix.bf16': '1835 TFLOP/s' }],
  ['gpuhunter, RX 9070 XT', 'rx-9070-xt', { 'memory.bandwidth': '512 GB/s' }],
  ['stas00 older, MI355X', 'mi355x', { 'matrix.fp16': '2300 TFLOP/s', 'matrix.bf16': '2300 TFLOP/s' }],
  ['InferSim, H20', 'h20', { 'memory.bandwidth': '4096 GB/s' }],
  ['LLM-Prof, GB times 1024', 'h100-sxm5-80gb', { 'memory.bandwidth': '3.35 TiB/s' }],
  ['T4, older page', 't4', { 'memory.bandwidth': '300 GB/s' }],
  ['NVLink marketing, V100', 'v100-sxm2-32gb', { 'link.bandwidth': '300 GB/s' }],
  ['NVLink marketing, A100', 'a100-sxm4-80gb', { 'link.bandwidth': '600 GB/s' }],
  ['NVLink marketing, H100', 'h100-sxm5-80gb', { 'link.bandwidth': '900 GB/s' }],
  ['NVLink marketing, B200', 'b200-sxm', { 'link.bandwidth': '1800 GB/s' }],
  ['HGX B200 with the domain of a rack', 'b200-sxm', { 'link.domain': 72 }],
  ['TPU v5p, both directions', 'tpu-v5p', { 'link.bandwidth': '1200 GB/s' }],
  ['TPU v6e, both directions', 'tpu-v6e', { 'link.bandwidth': '800 GB/s' }],
  ['L40S on PCIe 5', 'l40s', { 'host.kind': 'PCIe 5.0 x16', 'host.bandwidth': '63 GB/s' }],
  ['PCIe 4, half', 'l40s', { 'host.bandwidth': '16 GB/s' }],
  ['Trainium2, both directions', 'trn2', { 'link.bandwidth': '1280 GB/s' }],
  ['B200 with all its stacks', 'b200-sxm', { 'memory.capacity': '192 GiB' }],
  ['B300 with all its stacks', 'b300-sxm', { 'memory.capacity': '288 GiB' }],
  ['H100, GB for GiB', 'h100-sxm5-80gb', { 'memory.capacity': '80 GB' }],
  ['gen_hardware.py, M1 Max', 'apple-m1-max-32c', { 'matrix.fp16': '21 TFLOP/s' }],
  ['ViVi-Buddy, M5', 'apple-m5-10c', { 'memory.bandwidth': '120 GB/s' }],
  ['L40S cache of another table', 'l40s', { 'cache.lastLevel': '48 MB' }],
  ['H100 at its maximum clock', 'h100-sxm5-80gb', { 'units.boostClock': '1.98 GHz' }],
];

describe('figures in circulation', () => {
  it.each(circulating)('%s', (_where, device, changes) => {
    // As somebody would copy it: a file name of one's own, the device's title.
    const json = changed(device, { name: 'copied', aliases: [], ...changes });
    const findings = lintHardware(json, 'copied.json', shippedHardware).filter(
      ({ rule }) => rule !== 'acknowledgement',
    );
    const paths = Object.keys(changes);
    expect(findings.map(({ path }) => path)).toEqual(
      expect.arrayContaining([expect.toSatisfy((path: string) => paths.includes(path))]),
    );
  });

  it.each(shippedHardware.map(({ name }) => name))('%s as shipped says nothing wrong', (name) => {
    expect(lintHardware(changed(name, {}), name, shippedHardware)).toEqual([]);
  });
});
