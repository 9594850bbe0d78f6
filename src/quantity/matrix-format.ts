/**
 * Number formats a matrix unit multiplies in. A device profile gives one dense peak for each that its
 * hardware has; a format that is absent runs in the next wider one (see `arithmeticFor` in roofline/).
 */
export const matrixFormats = ['fp32', 'tf32', 'fp16', 'bf16', 'fp8', 'int8', 'fp6', 'fp4', 'int4'] as const;

export type MatrixFormat = (typeof matrixFormats)[number];
