import { describe, expect, it } from 'vitest';
import { commandSettings } from '../../src/measured/launch-command.ts';

describe('a launch command in the notes', () => {
  it.each([
    ['cmd: vllm serve m --async-scheduling --max-num-batched-tokens 4096; prefix cache on', { token_budget: '4096' }],
    ['cmd: trtllm-serve m --max_num_tokens=16384 --max_batch_size=64', { token_budget: '16384', max_running: '64' }],
    [
      'cmd: python3 -m sglang.launch_server --mem-fraction-static 0.8 --chunked-prefill-size 2048',
      { memory_fraction: '0.8', token_budget: '2048' },
    ],
    ['cmd: vllm serve m --generation-config vllm', { sampling: 'temperature' }],
    ['cmd: vllm serve m --generation-config auto', {}],
    ['cmd: vllm serve m; --max-num-seqs 8 was tried too', {}],
    ['vllm serve m --max-num-seqs 8', {}],
    ['cmd: vllm serve m --constructor 8 --__proto__ 1', {}],
  ])('%j sets %j', (notes, options) => {
    expect(commandSettings(notes)).toEqual({ options });
  });

  it('names the format of the KV cache, where that is not the own one', () => {
    expect(commandSettings('cmd: vllm serve m --kv-cache-dtype fp8_e4m3').keyValueFormat).toBe('fp8');
    expect(commandSettings('cmd: vllm serve m --kv-cache-dtype=auto').keyValueFormat).toBeUndefined();
  });
});
