import type { Measurement } from './measurement.ts';

/**
 * Versions of the engines in a release of NVIDIA Dynamo, whose images carry Dynamo's version (Backend Dependencies,
 * docs.nvidia.com/dynamo/getting-started/support-matrix, read 2026-12-02). Patch releases have those of their base.
 */
const dynamo: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '0.6.0': { vllm: '0.11.0', sglang: '0.5.3', 'trt-llm': '1.1.0rc5' },
  '0.6.1': { vllm: '0.11.0', sglang: '0.5.3', 'trt-llm': '1.1.0rc5' },
  '0.7.0': { vllm: '0.11.0', sglang: '0.5.4', 'trt-llm': '1.2.0rc2' },
  '0.7.1': { vllm: '0.11.0', sglang: '0.5.4', 'trt-llm': '1.2.0rc3' },
  '0.8.0': { vllm: '0.12.0', sglang: '0.5.6', 'trt-llm': '1.2.0rc6' },
  '0.8.1': { vllm: '0.12.0', sglang: '0.5.6', 'trt-llm': '1.2.0rc6' },
  '0.9.0': { vllm: '0.14.1', sglang: '0.5.8', 'trt-llm': '1.3.0rc1' },
  '0.9.1': { vllm: '0.14.1', sglang: '0.5.8', 'trt-llm': '1.3.0rc3' },
  '1.0.0': { vllm: '0.16.0', sglang: '0.5.9', 'trt-llm': '1.3.0rc5' },
};

const dynamoImage = /\bai-dynamo\/[\w-]+-runtime:v?(\d+\.\d+\.\d+)/;

/**
 * TensorRT-LLM in a NIM of 2024. No document that was read names the version; the decode attention of its Llama-3-8B
 * costs 70 ns an entry on H100 in FP16 and FP8 alike (nim.csv of NVIDIA's DLI course), as before 0.12 and not since.
 */
const nimOf2024 = '0.11.0';

/** A version that names NIM and the year, and no version of TensorRT-LLM. */
export const isNimOf2024 = ({ engineVersion }: Pick<Measurement, 'engineVersion'>): boolean =>
  /\bNIM\b.*\b2024\b/.test(engineVersion.slice(0, 100));

/** The version of the engine itself: where a row's notes name an image of a package that has versions of its own, that of the engine inside. */
export function engineVersionOf({ engineVersion, notes }: Measurement, engine: string): string {
  if (engine === 'trt-llm' && isNimOf2024({ engineVersion })) return nimOf2024;
  const packaged = dynamoImage.exec(notes)?.[1];
  return (packaged === undefined ? undefined : dynamo[packaged]?.[engine]) ?? engineVersion;
}
