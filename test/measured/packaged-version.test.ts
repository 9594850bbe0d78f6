import { describe, expect, it } from 'vitest';
import { engineVersionOf } from '../../src/measured/packaged-version.ts';
import { readMeasurements } from '../../src/measured/read-measurements.ts';

const row = (version: string, notes: string) => {
  const csv = `source_id,engine,engine_version,hardware,model,load,metric,value,notes\na,trt-llm,${version},h100,m,single,ttft_ms,1,${notes}\n`;
  const [first] = readMeasurements(csv, 'rows.csv');
  if (first === undefined) throw new Error('no row');
  return first;
};

describe('the engine of a packaged image', () => {
  it('has a version of its own, which is not that of the package', () => {
    const notes = 'image nvcr.io/nvidia/ai-dynamo/tensorrtllm-runtime:0.8.1.post1';
    expect(engineVersionOf(row('0.8.1.post1', notes), 'trt-llm')).toBe('1.2.0rc6');
    expect(engineVersionOf(row('0.8.1.post1', notes), 'vllm')).toBe('0.12.0');
  });

  it('is that of 0.11 in a NIM of 2024', () => {
    expect(engineVersionOf(row('NVIDIA NIM (TRT-LLM backend; 2024)', ''), 'trt-llm')).toBe('0.11.0');
    expect(engineVersionOf(row('NIM 2025', ''), 'trt-llm')).toBe('NIM 2025');
  });

  it.each(['image nvcr.io/nvidia/tensorrt-llm/release:1.2.0rc2', 'image ai-dynamo/tensorrtllm-runtime:7.0.0', ''])(
    'is the one stated where the image says %j',
    (notes) => {
      expect(engineVersionOf(row('1.1.0', notes), 'trt-llm')).toBe('1.1.0');
    },
  );
});
