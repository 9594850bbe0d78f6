import type { Efficiency } from '../efficiency.ts';
import { collective, decode, efficiency, elementWise, everyClass, experts, gemm, prefill } from './build.ts';
import { aiconfigurator } from './sources.ts';

/**
 * One set for a GPU and a library that nobody measured: midway between the fits to all NVIDIA GPUs with vLLM and with
 * TensorRT-LLM. On a GPU left out of such a fit the median / p90 error is 7-8/20 % (GEMM BF16), 7-14/35 (FP8), 12/30
 * (prefill from 512 tokens), 8-10/33 (decode from 256 tokens), 12-16/50 (experts BF16).
 */
export const universal: Efficiency = efficiency({
  gemm: everyClass({
    bf16: gemm(0.748, 0.814, 3.1e-6, 2.36),
    // Static scales: shares of the dynamic fits (13.8 us, 3.8 passes; 6.7 us, 7.3 passes), floor and pass of the cast.
    fp8: gemm(0.68, 0.808, 4.6e-6, 1.9, 1.5),
    'fp8-block': gemm(0.655, 0.82, 5.5e-6, 2, 2.3),
    fp4: gemm(0.44, 0.68, 8e-6, 1.9, 1.7),
    'weight-only': gemm(0.6, 0.78, 6e-6, 1.5),
    'weight-only-8': gemm(0.6, 0.8, 6e-6, 1.5),
  }),
  prefillAttention: prefill(0.59, 0.63, 14e-6, 440),
  decodeAttention: decode(0.12, 0.95, 11e-6, 130),
  latentPrefill: prefill(0.65, 0.65, 18e-6, 250),
  latentDecode: decode(0.7, 0.8, 12.5e-6, 160),
  experts: everyClass({
    bf16: experts(0.6, 0.88, 26e-6, 1.8, 2.5),
    fp8: experts(0.55, 0.82, 27e-6, 2.2, 3.5),
    'fp8-block': experts(0.5, 0.75, 30e-6, 2, 3.8),
    fp4: experts(0.8, 0.77, 28e-6, 2.5, 4.4),
    'weight-only': experts(0.3, 0.72, 50e-6, 1.2, 3.5),
  }),
  elementWise: elementWise(0.75, 2.5e-6),
  // NCCL 2.27-2.29 at 2, 4 and 8 GPUs over NVLink; host link as RTX PRO 6000.
  collective: collective(7e-6, 0.75, 0.62, 6.5e-6, 0.42),
  evidence: 'similar',
  sources: [aiconfigurator],
});
