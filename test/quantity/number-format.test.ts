import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findNumberFormat, numberFormat, numberFormatNames } from '../../src/quantity/number-format.ts';
import { QuantityError } from '../../src/quantity/quantity-error.ts';

describe('numberFormat', () => {
  // Groups of 128 with a 16-bit scale and a 4-bit zero point: 4 + 20/128 = 4.15625.
  // A Q4_K block is 144 bytes for 256 weights: 144 x 8 / 256 = 4.5. MX: 4 + 8/32 = 4.25. NVFP4: 4 + 8/16 = 4.5.
  it.each([
    ['bf16', 16],
    ['fp8', 8],
    ['fp8-block', 8.001953125],
    ['w4a16-awq', 4.15625],
    ['nvfp4', 4.5],
    ['mxfp4', 4.25],
    ['mxfp8', 8.25],
    ['int4-g32', 5],
    ['w4a16-ct-g32', 4.5],
    ['w4a16-g64', 4.3125],
    ['nf4', 4.5],
    ['exl2-2.5-bpw', 2.5],
    ['exl3-6.0bpw-mcg', 6],
    ['mlx-q4-g64', 4.5],
    ['mlx-q6-g64', 6.5],
    ['isq-q6_k', 6.5625],
    ['gguf-q4_0', 4.5],
    ['gguf-q4_k', 4.5],
    ['gguf-q6_k', 6.5625],
    ['gguf-q8_0', 8.5],
    ['gguf-iq2_xxs', 2.0625 + (0.25 * (4.5 - 2.0625) + 3.5 * 0.125 * (2.625 - 2.0625)) / 13],
    ['gguf-ud-q4_k_xl', 5],
  ])('stores %s in %d bits', (name, bits) => {
    expect(numberFormat(name).bits).toBeCloseTo(bits, 12);
  });

  it('multiplies weight-only formats in the activations, the others in their own', () => {
    expect(numberFormat('w4a16-gptq')).toMatchObject({ arithmetic: 'activation', dequantised: true, headBits: 16 });
    expect(numberFormat('fp8')).toMatchObject({ arithmetic: 'fp8', defaultActivations: 'fp8', dequantised: false });
    expect(numberFormat('int8')).toMatchObject({ arithmetic: 'int8', defaultActivations: 'int8' });
    expect(numberFormat('nvfp4')).toMatchObject({ arithmetic: 'fp4', defaultActivations: 'nvfp4' });
    expect(numberFormat('w4a8-awq')).toMatchObject({ arithmetic: 'fp8', dequantised: true });
    expect(numberFormat('mxfp4')).toMatchObject({ scope: 'experts', elsewhere: 'bf16' });
  });

  it.each([
    ['FP8', 'fp8'],
    ['fp8_e4m3', 'fp8'],
    ['bfloat16', 'bf16'],
    ['AWQ', 'w4a16-awq'],
    ['W8A8', 'int8'],
    ['Q4_K_M', 'gguf-q4_k_m'],
    ['fp4', 'nvfp4'],
    ['gguf-unsloth-f16 (mxfp4 experts + f16)', 'gguf-unsloth-f16'],
    ['compressed-tensors-w4a16-g32-asym-rtn', 'w4a16-ct-g32-asym'],
  ])('reads %s as %s', (written, name) => {
    expect(numberFormat(written).name).toBe(name);
  });

  // Bytes of published files (llama-bench prints them) against
  // (layers x bits + head x headBits + embedding x embeddingBits) / 8; a tied table is stored once, as the head.
  // llama-2-7b Q4_0: (6476271616 x 4.5 + 131072000 x 6.5625 + 131072000 x 4.5) / 8 = 3824150784; the file has 3825065984.
  it.each([
    ['gguf-q4_0', 6_738_415_616, 131_072_000, false, 3_825_065_984],
    ['gguf-q4_k_m', 6_738_415_616, 131_072_000, false, 4_080_263_168],
    ['gguf-q4_k_m', 8_030_261_248, 525_336_576, false, 4_912_898_304],
    ['gguf-q4_k_m', 70_553_706_496, 1_050_673_152, false, 42_512_531_712],
    ['gguf-q4_k_m', 1_235_814_400, 262_668_288, true, 799_862_912],
    ['gguf-q4_k_m', 4_022_468_096, 388_956_160, true, 2_491_323_904],
    ['gguf-q6_k', 4_022_468_096, 388_956_160, true, 3_300_304_384],
    ['gguf-q8_0', 32_762_123_264, 777_912_320, false, 34_811_744_256],
    ['gguf-iq3_m', 14_659_507_200, 513_802_240, false, 6_736_199_680],
  ])('gives the size of a published %s file of %d parameters', (name, parameters, table, tied, bytes) => {
    const { bits, headBits, embeddingBits } = numberFormat(name);
    const layers = parameters - (tied ? 1 : 2) * table;
    const predicted = (layers * bits + table * headBits + (tied ? 0 : table * embeddingBits)) / 8;
    expect(Math.abs(predicted / bytes - 1)).toBeLessThan(0.005);
  });

  it('gives the size of gpt-oss-20b: experts in MXFP4, the rest in 16 bits', () => {
    // 24 layers x 32 experts x 3 x 2880 x 2880 = 19 110 297 600 of 20 914 757 184: the file has 13 779 630 336 bytes.
    const experts = numberFormat('gguf-unsloth-f16');
    const rest = numberFormat(experts.elsewhere ?? '');
    const inExperts = 24 * 32 * 3 * 2880 * 2880;
    const predicted = (inExperts * experts.bits + (20_914_757_184 - inExperts) * rest.bits) / 8;
    expect(Math.abs(predicted / 13_779_630_336 - 1)).toBeLessThan(0.005);
  });

  // Names as public benchmarks write them; a mix that somebody made by hand has no recipe to read.
  const written = [
    'fp8 fp16 bf16 nvfp4 mxfp4 gguf-q4_k_m gguf-q4_0 gguf-ud-q4_k_xl w4a16-awq gguf-q8_0 gguf-ud-q8_k_xl int8 int4',
    'gguf-mxfp4 mlx-q4-g64 w4a16-gptq gguf-iq4_xs gguf-q6_k w4a16-ct-g32 w4a16-autoround gguf-ud-iq2_xxs',
    'gguf-ud-q6_k_xl gguf-ud-iq3_xxs gguf-iq4_ks gguf-q4_k compressed-tensors-w4a16-g32-asym-rtn gguf-q3_k_s',
    'exl3-6.0bpw-mcg gguf-ud-q3_k_xl exl3-4.0bpw-mul1 isq-q4_k mxfp8 isq-q8_0 isq-q6_k gguf-ud-q5_k_xl int4-g128',
    'gguf-ud-q3_k_s gf4 mlx-mxfp4-q8 gguf-q2_k gguf-q4_k_s fp32 q4f16_1 fp8-e5m2 gguf-q5_0 w8a16-gptq gguf-iq4_xs_r4',
    'exl3-6.0bpw-mul1 gguf-q2_k_s gguf-q5_k_s gguf-iq4_nl gguf-iq2_xxs gguf-iq2_xs gguf-iq2_m gguf-iq3_xxs gguf-iq3_s',
    'gguf-ud-iq2_m gguf-q4_1 gguf-q5_k_m w4a8-awq exl2-4.0-bpw mlx-mxfp4 gguf-mxfp4+q8_0 mlx-q8-g64 mlx-q6-g64',
    'mlx-q5-g64 exl2-3.0-bpw w4a8 int4-g32 w2a16-aqlm w2a16-quip# w2a16-qtip mlx-q5-g32 mlx-q4-g32 exl2-5.0-bpw',
  ].flatMap((line) => line.split(' '));

  it.each([...written, 'exl2-2.5-bpw', 'gguf-unsloth-f16 (mxfp4 experts + f16)'])('knows %s', (name) => {
    const format = numberFormat(name);
    expect(format.bits).toBeGreaterThan(1);
    expect(format.source.length).toBeGreaterThan(10);
  });

  it.each([
    ['gguf-q4', "no number format 'gguf-q4', nearest: gguf-q4_0, gguf-q4_1, gguf-q4_k"],
    ['gguf-iq4_k-mix', "no number format 'gguf-iq4_k-mix', nearest: gguf-iq4_ks, gguf-iq4_k, gguf-q4_k_m"],
    ['gguf-iq4_xs-mix', "no number format 'gguf-iq4_xs-mix', nearest: gguf-iq4_xs, gguf-iq2_xs, gguf-iq4_ks"],
    ['gguf-q4_k_m-reap50', "no number format 'gguf-q4_k_m-reap50', nearest: gguf-q4_k_m, gguf-q3_k_m, gguf-q4_k_s"],
  ])('answers %s by the nearest', (name, message) => {
    expect(() => numberFormat(name)).toThrow(new QuantityError(message));
  });

  it('says where an unknown name stands', () => {
    expect(() => numberFormat('bf61', 'deployment.weights')).toThrow(
      /^deployment\.weights: no number format 'bf61', nearest: bf16/,
    );
  });

  it('answers any name by a format or a sentence', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'gguf-constructor', 'isq-toString')),
        (name) => {
          const format = findNumberFormat(name);
          return format === undefined || (Number.isFinite(format.bits) && format.bits > 0);
        },
      ),
    );
  });

  it('lists each name once and reads every fixed one', () => {
    expect(new Set(numberFormatNames).size).toBe(numberFormatNames.length);
    for (const name of numberFormatNames.filter((known) => !known.includes('<'))) {
      const format = numberFormat(name);
      expect(numberFormat(format.defaultActivations).bits).toBeGreaterThan(0);
      if (format.elsewhere !== undefined) expect(numberFormat(format.elsewhere).scope).toBe('all');
    }
  });
});
