import { describe, expect, it } from 'vitest';
import { asLaunched } from '../../src/measured/launch-settings.ts';
import { readMeasurements } from '../../src/measured/read-measurements.ts';

const row = (engine: string, notes: string, columns: Readonly<Record<string, string>> = {}) => {
  const all = { weight_format: 'fp8', kv_format: '', options: '', ...columns };
  const csv = `source_id,engine,hardware,model,load,metric,value,input_tokens,weight_format,kv_format,options,notes
a,${engine},h100,m,closed-loop,ttft_ms,1,1024,${all.weight_format},${all.kv_format},${all.options},${notes}\n`;
  const [first] = readMeasurements(csv, 'rows.csv');
  if (first === undefined) throw new Error('no row');
  return first;
};

const gap = 'NVIDIA in-house gap-analysis run';
const inferenceX = 'InferenceX DB dump 2026-04-27';

describe('what a harness set', () => {
  it.each(['vllm', 'trt-llm'])('is a budget of 512 sequences, a prompt and 1500 where %s was generated', (engine) => {
    const { options, keyValueFormat } = asLaunched(row(engine, gap), 'hopper');
    expect(options).toEqual({ max_running: '512', sampling: 'checkpoint', token_budget: '3036' });
    expect(keyValueFormat).toBe('');
  });

  it('is a budget of 65536 tokens in a NIM of 2024', () => {
    const { options } = asLaunched({ ...row('trt-llm', ''), engineVersion: 'NVIDIA NIM (2024)' }, 'hopper');
    expect(options).toEqual({ token_budget: '65536' });
  });

  it('leaves what the row states', () => {
    const stated = row('vllm', gap, { kv_format: 'fp16', options: 'token_budget=2048' });
    const { options, keyValueFormat } = asLaunched(stated, 'hopper');
    expect(options).toEqual({ max_running: '512', sampling: 'checkpoint', token_budget: '2048' });
    expect(keyValueFormat).toBe('fp16');
  });

  it.each([
    ['vllm', 'fp8', 'hopper', 'fp8', { sampling: 'greedy', token_budget: '8192' }],
    ['vllm', 'mxfp4', 'hopper', '', { sampling: 'greedy', token_budget: '8192' }],
    ['vllm', 'mxfp4', 'blackwell', 'fp8', { sampling: 'greedy', token_budget: '8192' }],
    ['trt-llm', 'mxfp4', 'blackwell', 'fp8', {}],
    ['sglang', 'fp8', 'hopper', '', { token_budget: '32768', memory_fraction: '0.82' }],
    ['mlx', 'fp8', 'apple', '', {}],
  ])('by InferenceX: %s with %s on %s keeps KV as %j', (engine, weights, architecture, keyValue, options) => {
    const launched = asLaunched(row(engine, inferenceX, { weight_format: weights }), architecture);
    expect(launched.keyValueFormat).toBe(keyValue);
    expect(launched.options).toEqual(options);
  });

  it.each(['', 'gaps were analysed', 'Inference on one card'])('is nothing where the notes say %j', (notes) => {
    const plain = row('vllm', notes);
    expect(asLaunched(plain, 'hopper')).toEqual(plain);
  });
});
