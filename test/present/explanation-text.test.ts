import { describe, expect, it } from 'vitest';
import { estimate } from '../../src/estimate.ts';
import { derivation } from '../../src/present/explanation-text.ts';
import { evaluateExpression } from '../../src/quantity/expression.ts';
import { compile } from '../../src/serving/compiled.ts';
import { explainSteps } from '../../src/serving/explain.ts';
import { toyScenario } from '../support/toy.ts';

describe('derivation', () => {
  it.each(['ideal', 'typical'] as const)('gives every time again from its formula, units checked: %s', (grade) => {
    const scenario = toyScenario({ grade });
    const result = estimate(scenario);
    const compiled = compile(scenario.deployment, grade);
    const formulas = derivation(
      scenario,
      result,
      explainSteps(compiled, scenario.workload, result.load.running),
    ).flatMap(({ formula }) => (formula === undefined ? [] : [formula]));
    expect(formulas.length).toBeGreaterThan(10);
    for (const { expression, seconds } of formulas) {
      // Six digits are printed.
      expect(Math.abs(evaluateExpression(expression, new Map(), 'time') / seconds - 1)).toBeLessThan(1e-4);
    }
    const totals = formulas.filter(({ seconds }) => seconds === result.ttft.seconds || seconds === result.tpot.seconds);
    expect(totals.length).toBeGreaterThanOrEqual(2);
  });
});
