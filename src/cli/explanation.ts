import type { Estimate } from '../estimate.ts';
import { derivation } from '../present/explanation-text.ts';
import type { DerivationLine } from '../present/explanation/derivation-line.ts';
import type { Scenario } from '../profile/scenario.ts';
import { evaluateExpression } from '../quantity/expression.ts';
import { compile } from '../serving/compiled.ts';
import { explainSteps } from '../serving/explain.ts';

/** Printed numbers have six digits; sums of many of them lose some. */
const tolerance = 1e-3;

/**
 * The derivation of an estimate, line by line. Every formula in it is calculated again, units and all, before it is shown: a line
 * that does not give its result, or another kind of quantity, is a fault of the program.
 */
export function explanation(scenario: Scenario, estimate: Estimate): readonly string[] {
  const compiled = compile(scenario.deployment, scenario.grade);
  const running = estimate.pools?.decode.running ?? estimate.load.running / compiled.groups;
  const steps = explainSteps(compiled, scenario.workload, running);
  const lines = derivation(scenario, estimate, steps, compiled);
  lines.forEach(checkFormula);
  return lines.map(({ text }) => text);
}

function checkFormula({ text, formula }: DerivationLine): void {
  if (formula === undefined) return;
  const value = evaluateExpression(formula.expression, new Map(), formula.dimension, text);
  if (Math.abs(value - formula.value) > tolerance * Math.abs(formula.value)) {
    throw new RangeError(`${text}: the formula gives ${value}, the program ${formula.value}`);
  }
}
