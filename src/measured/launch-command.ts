/** Flags of launch commands that say what options of a row say, in any spelling: `--max-num-seqs 64`, `--max_batch_size=64`. */
const optionOf: Readonly<Record<string, string>> = {
  'max-num-batched-tokens': 'token_budget',
  'max-num-tokens': 'token_budget',
  'chunked-prefill-size': 'token_budget',
  'max-num-seqs': 'max_running',
  'max-batch-size': 'max_running',
  'max-running-requests': 'max_running',
  'gpu-memory-utilization': 'memory_fraction',
  'mem-fraction-static': 'memory_fraction',
};

const keyValueFlag = 'kv-cache-dtype';

/** As engines spell 8-bit floats; anything else, `auto` above all, is the checkpoint's own. */
const eightBitFloat = /^fp8(?:_e[45]m[23])?$/;

/** What the words after `cmd:` in a row's notes set, up to the next semicolon. */
export function commandSettings(notes: string): {
  readonly options: Readonly<Record<string, string>>;
  readonly keyValueFormat?: string;
} {
  const command = /\bcmd: ([^;]{1,2000})/.exec(notes)?.[1] ?? '';
  const flags = [...command.matchAll(/--([a-z][\w-]{1,60})[= ]([\w.]{1,40})/g)].map(
    ([, flag = '', value = '']) => [flag.replaceAll('_', '-'), value] as const,
  );
  const options = flags.flatMap(([flag, value]) => {
    const option = Object.hasOwn(optionOf, flag) ? optionOf[flag] : undefined;
    return option === undefined ? [] : [[option, value] as const];
  });
  // The server is told to leave the checkpoint's generation_config.json aside.
  const plain = flags.some(([flag, value]) => flag === 'generation-config' && value === 'vllm');
  const keyValue = flags.find(([flag]) => flag === keyValueFlag)?.[1] ?? '';
  return {
    options: { ...Object.fromEntries(options), ...(plain ? { sampling: 'temperature' } : {}) },
    ...(eightBitFloat.test(keyValue) ? { keyValueFormat: 'fp8' } : {}),
  };
}
