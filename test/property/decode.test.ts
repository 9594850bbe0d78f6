import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDecodeSeconds } from '../../src/phase/decode.ts';
import { compileDeployment } from '../../src/roofline/compile.ts';
import { resourceCount } from '../../src/roofline/resource.ts';
import type { StepTable } from '../../src/roofline/step-table.ts';
import { deployment } from '../support/arbitrary.ts';
import { runs } from '../support/thorough.ts';

// Prompt 10, answer 4: steps at contexts 11, 12 and 13. Attention linear in the context: their mean is the step at 12.

/** The mean of the decode steps, each evaluated at its own context. */
function stepByStep(table: StepTable, sequences: number, prompt: number, output: number): readonly number[] {
  const parts = new Float64Array(resourceCount);
  const steps = Math.max(1, output - 1);
  for (let context = prompt + 1; context <= prompt + steps; context++) {
    // An answer of two tokens has one decode step.
    addDecodeSeconds(table, sequences, context - 1, 2, parts, 1 / steps);
  }
  return [...parts];
}

const lengths = fc.record({
  sequences: fc.integer({ min: 1, max: 128 }),
  prompt: fc.integer({ min: 1, max: 20_000 }),
  output: fc.integer({ min: 1, max: 400 }),
});

describe('decode over a whole answer', () => {
  it('equals the sum over its steps, resource by resource, windows and chunks included', () => {
    fc.assert(
      fc.property(
        deployment,
        lengths,
        fc.constantFrom('ideal', 'typical'),
        (drawn, { sequences, prompt, output }, grade) => {
          const table = { ...compileDeployment(drawn, grade), launch: 0 };
          const parts = new Float64Array(resourceCount);
          const seconds = addDecodeSeconds(table, sequences, prompt, output, parts);
          const exact = stepByStep(table, sequences, prompt, output);
          for (const [index, part] of exact.entries()) {
            expect(Math.abs((parts[index] ?? NaN) - part)).toBeLessThan(1e-9 * seconds);
          }
        },
      ),
      runs(120),
    );
  });

  it('is below the sum by at most 2 % where an engine launches kernels one by one', () => {
    // The smooth maximum of host and device is convex in the device's seconds, so the mean step is a lower bound.
    fc.assert(
      fc.property(deployment, lengths, (drawn, { sequences, prompt, output }) => {
        const overhead = { ...drawn.release.overhead, launch: 9e-5 };
        const table = compileDeployment({ ...drawn, release: { ...drawn.release, overhead } }, 'typical');
        const closed = addDecodeSeconds(table, sequences, prompt, output, new Float64Array(resourceCount));
        const exact = stepByStep(table, sequences, prompt, output).reduce((sum, part) => sum + part, 0);
        expect(closed).toBeLessThanOrEqual(exact * (1 + 1e-12));
        expect(closed).toBeGreaterThan(0.98 * exact);
      }),
      runs(60),
    );
  });
});
