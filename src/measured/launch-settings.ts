import { commandSettings } from './launch-command.ts';
import type { Measurement } from './measurement.ts';
import { isNimOf2024 } from './packaged-version.ts';

/** What whoever started an engine set: options in the words of a row's own, and the format of the KV cache where known. */
interface LaunchSettings {
  readonly options: Measurement['options'];
  readonly keyValueFormat?: string;
}

/**
 * A row with the settings that its notes imply, where they hold the command that launched the engine, or name a public
 * harness whose scripts say how it does. What the row itself states goes first.
 */
export function asLaunched(row: Measurement, architecture: string): Measurement {
  const harness = settingsOf(row, architecture);
  const command = commandSettings(row.notes);
  const keyValueFormat = command.keyValueFormat ?? harness.keyValueFormat ?? '';
  return {
    ...row,
    options: { ...harness.options, ...command.options, ...row.options },
    keyValueFormat: row.keyValueFormat === '' ? keyValueFormat : row.keyValueFormat,
  };
}

function settingsOf(row: Measurement, architecture: string): LaunchSettings {
  if (isNimOf2024(row)) return { options: { token_budget: nimBudget } };
  if (/\bgap[- ]analysis\b/i.test(row.notes)) return generated(row);
  return /\bInference(?:X|MAX)\b/.test(row.notes) ? continuouslyBenchmarked(row, architecture) : { options: {} };
}

/**
 * NIM's engines of 2024 were built for more tokens a step than TensorRT-LLM's builder gives by default: prompts that start
 * together share one step until 50,000 to 70,000 tokens do (TTFT of Llama-3-8B on A100 and H100 in FP16 and FP8, nim.csv of
 * NVIDIA's DLI course Sizing LLM Inference Systems: 25 prompts of 2000 take 25 times as long as one, 50 and 100 no more
 * than 35 times).
 */
const nimBudget = '65536';

/** Sequences that the generator allows at least, and tokens that it adds to them and to a prompt. */
const generatedSequences = 512;
const generatedTokens = 1500;

/**
 * AIConfigurator deploys what its generator writes and calls the comparison with its predictions a gap analysis. For
 * vLLM and TensorRT-LLM the generator sets the token budget of a step to its sequences, a prompt and 1500 more
 * (github.com/ai-dynamo/aiconfigurator, src/aiconfigurator/generator/rule_plugin: vllm.rule at 11324a6, trtllm.rule at
 * 17676b3, read 2026-12-02), so that hardly two prompts share a step.
 */
function generated({ engine, inputTokens = 0 }: Measurement): LaunchSettings {
  if (engine !== 'vllm' && engine !== 'trt-llm') return { options: {} };
  const budget = generatedSequences + inputTokens + generatedTokens;
  // Its client, aiperf, sends no temperature unless it is told one.
  return {
    options: { max_running: String(generatedSequences), token_budget: String(budget), sampling: 'checkpoint' },
  };
}

/**
 * InferenceX, formerly InferenceMAX (github.com/SemiAnalysisAI/InferenceX, benchmarks/*.sh, read 2026-12-02): an FP8
 * cache in vLLM, but for MXFP4 on Hopper, and in TensorRT-LLM, 8192 tokens a step in vLLM, 32768 in SGLang, which gets
 * 0.82 of the memory.
 */
function continuouslyBenchmarked({ engine, weightFormat }: Measurement, architecture: string): LaunchSettings {
  switch (engine) {
    case 'vllm': {
      const options = { token_budget: '8192', sampling: 'greedy' };
      return weightFormat === 'mxfp4' && architecture === 'hopper' ? { options } : { options, keyValueFormat: 'fp8' };
    }
    case 'trt-llm':
      return { options: {}, keyValueFormat: 'fp8' };
    case 'sglang':
      return { options: { token_budget: '32768', memory_fraction: '0.82' } };
    default:
      return { options: {} };
  }
}
