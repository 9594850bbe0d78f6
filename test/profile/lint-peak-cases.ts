import type { LintCase } from './lint-case.ts';

// L40S: 1466 / 362.05 = 4.05; GH200: 132 x 4096 x 1.98 GHz = 1070.5, 1979 / 1070.5 = 1.85; GB200: 4500 / 2500 = 1.8.
export const peakCases: readonly LintCase[] = [
  [
    'sparse FP8 beside dense BF16 (inference-sim f90a1e3, L40S)',
    'l40s',
    { 'matrix.fp8': '1466 TFLOP/s' },
    [
      [
        'sparse-peak',
        'error',
        'matrix.fp8',
        'fp8 is 1.466 PFLOP/s, 4.05 times bf16 where this family has at most 2; it looks like the figure with 2:1 sparsity.',
      ],
    ],
  ],
  [
    'sparse BF16 against units x rate x clock (GenZ 091bdd0, GH200)',
    'gh200-96gb',
    { 'matrix.bf16': '1979 TFLOP/s', 'matrix.fp16': undefined },
    [
      [
        'sparse-peak',
        'error',
        'matrix.bf16',
        'bf16 is 1.979 PFLOP/s, 1.85 times what units x rate x clock give (1.0705 PFLOP/s); it looks like the figure with 2:1 sparsity, halve it.',
      ],
    ],
  ],
  [
    'the sparse BF16 of a B200 on a GB200 (GenZ 091bdd0)',
    'gb200',
    { 'matrix.bf16': '4500 TFLOP/s' },
    [
      [
        'sparse-peak',
        'error',
        'matrix.bf16',
        'bf16 is 4.5 PFLOP/s, 1.8 times what units x rate x clock give (2.5 PFLOP/s); it looks like the figure with 2:1 sparsity, halve it.',
      ],
    ],
  ],
  [
    'sparse FP4 of a B200',
    'b200-sxm',
    { 'matrix.fp4': '18 PFLOP/s' },
    [
      [
        'sparse-peak',
        'error',
        'matrix.fp4',
        'fp4 is 18 PFLOP/s, 8 times bf16 where this family has at most 6.25; it looks like the figure with 2:1 sparsity.',
      ],
    ],
  ],
  [
    'sparse BF16 beside dense FP8, no clock to check against',
    'h100-sxm5-80gb',
    { units: { kind: 'SM' }, 'matrix.bf16': '1979 TFLOP/s', 'matrix.fp16': undefined },
    [
      [
        'sparse-peak',
        'error',
        'matrix.bf16',
        'bf16 is 1.979 PFLOP/s and fp8 no more than that where this family has twice; bf16 looks like the figure with 2:1 sparsity.',
      ],
    ],
  ],
  [
    'sparse BF16 beside dense FP16',
    'mi300x',
    { units: { kind: 'CU' }, matrix: { fp16: '1307.4 TFLOP/s', bf16: '2614.9 TFLOP/s' } },
    [
      [
        'sparse-peak',
        'error',
        'matrix.bf16',
        'fp16 is 1.3074 PFLOP/s and bf16 2.6149 PFLOP/s; this family runs both at one rate, so the larger looks like the figure with 2:1 sparsity.',
      ],
    ],
  ],
  [
    'a lone sparse BF16 under the name of a known part',
    'a100-sxm4-80gb',
    { name: 'my-a100', units: { kind: 'SM' }, matrix: { bf16: '624 TFLOP/s' } },
    [
      [
        'sparse-peak',
        'error',
        'matrix.bf16',
        'bf16 is 624 TFLOP/s, twice the dense peak of a100-sxm4-80gb (312 TFLOP/s); it looks like the figure with 2:1 sparsity, halve it.',
      ],
    ],
  ],
  [
    'doubled INT8 of CDNA2 (llm-analysis d841e40, MI250)',
    'mi250',
    { 'matrix.int8': '724 TOP/s' },
    [
      [
        'sparse-peak',
        'error',
        'matrix.int8',
        'int8 is 724 TOP/s, 2 times bf16 where this family has at most 1; nothing in it doubles that rate.',
      ],
    ],
  ],
  [
    'the full die in place of the product (LLMCompass 2e015fd, A100)',
    'a100-sxm4-80gb',
    { 'matrix.fp16': '369.6 TFLOP/s', 'matrix.bf16': undefined },
    [
      [
        'peak-above-formula',
        'warning',
        'matrix.fp16',
        'fp16 is 369.6 TFLOP/s, 1.19 times what units x rate x clock give (311.87 TFLOP/s); check the clock and the number of enabled units.',
      ],
    ],
  ],
  [
    'four times the FP32 of the shaders (npm @huggingface/tasks 0.21.54, H100)',
    'h100-sxm5-80gb',
    { 'matrix.fp16': '267.6 TFLOP/s', vectorFp32: '66.9 TFLOP/s' },
    [
      [
        'shader-rate',
        'error',
        'matrix.fp16',
        'fp16 is 267.6 TFLOP/s, 0.27 times what the matrix units give (989.43 TFLOP/s); it looks like the shader rate.',
      ],
    ],
  ],
  [
    'the FP32 of the shaders as FP16',
    't4',
    { 'matrix.fp16': '8.1 TFLOP/s' },
    [
      [
        'shader-rate',
        'error',
        'matrix.fp16',
        'fp16 is 8.1 TFLOP/s, 0.124 times what the matrix units give (65.126 TFLOP/s); it looks like the shader rate.',
      ],
    ],
  ],
  [
    'FP16 accumulation as FP32 accumulation (feifeibear/LLMRoofline, RTX 4090)',
    'rtx-4090',
    { 'matrix.fp16': '330.3 TFLOP/s' },
    [
      [
        'fp16-accumulate',
        'error',
        'matrix.fp16',
        'fp16 is 330.3 TFLOP/s, the rate with FP16 accumulation; expected about 165.15 TFLOP/s with FP32 accumulation, and the doubled rate in matrixFp16Accumulate.',
      ],
    ],
  ],
  [
    'FP8 with FP16 accumulation (RTX 5090)',
    'rtx-5090',
    { 'matrix.fp8': '838 TFLOP/s', 'matrixFp16Accumulate.fp8': undefined },
    [
      [
        'fp16-accumulate',
        'error',
        'matrix.fp8',
        'fp8 is 838 TFLOP/s, the rate with FP16 accumulation; expected about 419 TFLOP/s with FP32 accumulation, and the doubled rate in matrixFp16Accumulate.',
      ],
    ],
  ],
  [
    'the same rate for both accumulations',
    'rtx-3090',
    { 'matrixFp16Accumulate.fp16': '71 TFLOP/s' },
    [
      [
        'fp16-accumulate',
        'error',
        'matrixFp16Accumulate.fp16',
        'matrixFp16Accumulate.fp16 is 71 TFLOP/s, expected twice matrix.fp16 (71 TFLOP/s).',
      ],
    ],
  ],
  [
    'FP8 on A100',
    'a100-sxm4-80gb',
    { 'matrix.fp8': '624 TFLOP/s' },
    [
      [
        'absent-format',
        'error',
        'matrix.fp8',
        'fp8 is 624 TFLOP/s, but ampere has no fp8 matrix arithmetic; leave it out.',
      ],
    ],
  ],
  [
    'INT4 on H100 (llm-analysis d841e40)',
    'h100-sxm5-80gb',
    { 'matrix.int4': '3958 TOP/s' },
    [
      [
        'absent-format',
        'error',
        'matrix.int4',
        'int4 is 3.958 POP/s, but hopper has no int4 matrix arithmetic; leave it out.',
      ],
    ],
  ],
  [
    'BF16 on V100',
    'v100-sxm2-32gb',
    { 'matrix.bf16': '125 TFLOP/s' },
    [
      [
        'absent-format',
        'error',
        'matrix.bf16',
        'bf16 is 125 TFLOP/s, but volta has no bf16 matrix arithmetic; leave it out.',
      ],
    ],
  ],
  [
    'the INT8 of B200 on Blackwell Ultra (stas00, GB300)',
    'gb300',
    { 'matrix.int8': '5000 TOP/s' },
    [
      [
        'uncut-int8',
        'error',
        'matrix.int8',
        'int8 is 5 POP/s beside fp8 of 5 PFLOP/s; Blackwell Ultra (fp4 three times fp8) cut INT8 to about 0.033 of FP8.',
      ],
    ],
  ],
];
