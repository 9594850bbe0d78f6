import type { Estimate } from '../estimate.ts';
import { derivation, type DerivationLine } from '../present/explanation-text.ts';
import type { Scenario } from '../profile/scenario.ts';
import { evaluateExpression } from '../quantity/expression.ts';
import { compile } from '../serving/compiled.ts';
import { explainSteps } from '../serving/explain.ts';

/** Printed numbers have six digits; sums of many of them lose some. */
const tolerance = 1e-3;

/**
 * The derivation of an estimate, line by line. Every formula in it is calculated again, units and all, before it is shown: a line
 * that does not give a time, or not this time, is a fault of the program.
 */
export function explanation(scenario: Scenario, estimate: Estimate): readonly string[] {
  const compiled = compile(scenario.deployment, scenario.grade);
  const steps = explainSteps(compiled, scenario.workload, estimate.load.running / compiled.groups);
  const lines = derivation(scenario, estimate, steps);
  lines.forEach(checkFormula);
  return lines.map(({ text }) => text);
}

function checkFormula({ text, formula }: DerivationLine): void {
  if (formula === undefined) return;
  const seconds = evaluateExpression(formula.expression, new Map(), 'time', text);
  if (Math.abs(seconds - formula.seconds) > tolerance * Math.abs(formula.seconds)) {
    throw new RangeError(`${text}: the formula gives ${seconds} s, the program ${formula.seconds} s`);
  }
}
