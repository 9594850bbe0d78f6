import {
  create,
  isAccessorNode,
  isConstantNode,
  isFunctionNode,
  isOperatorNode,
  isParenthesisNode,
  isSymbolNode,
  parseDependencies,
  type MathNode,
} from 'mathjs';
import { distance } from 'fastest-levenshtein';
import { dimensionFacts, type Dimension } from './dimension.ts';
import { isQuantity, parseQuantity } from './parse-quantity.ts';
import { QuantityError } from './quantity-error.ts';
import { baseUnit, describePowers, powersOf, samePowers, unitFactor } from './units.ts';

/** `path = expression`, as `--set` takes it. */
export interface Assignment {
  readonly path: string;
  readonly expression: string;
}

/** A named value that an expression may use, in the program's unit. */
export interface ScopeValue {
  readonly value: number;
  readonly dimension: Dimension;
}

/** Number in base units (bits, seconds, FLOP ...) with the exponents of its dimensions. */
interface Measured {
  readonly value: number;
  readonly powers: readonly number[];
}

const limits = { characters: 1000, depth: 50, nodes: 200 } as const;

// Only the parser: what it returns is walked below and never run by mathjs.
const math = create({ parseDependencies: parseDependencies ?? {} });

/**
 * Splits 'hardware.memory.bandwidth = hardware.memory.bandwidth * 1.5' at its first equals sign.
 * @throws QuantityError where there is none, or where the left side is no dotted name.
 */
export function parseAssignment(text: string): Assignment {
  const at = text.indexOf('=');
  const path = text.slice(0, Math.max(at, 0)).trim();
  const expression = text.slice(at + 1).trim();
  const fail = (reason: string): QuantityError => new QuantityError(`'${shorten(text)}' ${reason}`);
  if (text.length > limits.characters) throw fail(`is longer than ${String(limits.characters)} characters`);
  if (at < 0 || expression === '') {
    throw fail("sets nothing, expected a path and a value such as 'hardware.memory.bandwidth=4.8 TB/s'");
  }
  if (!/^[A-Za-z][\w-]*(\.[\w-]+)*$/.test(path) || path.split('.').some((part) => forbidden.has(part))) {
    throw fail("does not start with a field path, expected one such as 'hardware.memory.bandwidth'");
  }
  return { path, expression };
}

const forbidden: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Calculates what a user wrote for a field: a quantity ('4.8 TB/s') or an expression over named values
 * ('hardware.memory.bandwidth * 1.5', 'min(a.b, 3 GB)') with + - * / ^ ( ) and the functions min, max, sqrt, abs,
 * round, floor, ceil, log, exp. Nothing else is understood, and nothing is run: the parsed tree is read node by node.
 * @param scope Dotted names and their values in the program's units.
 * @param expected Dimension of the field, which the result must have.
 * @param where Field path for the message.
 * @returns the value in the program's unit: finite, at least 0, whole for counts.
 * @throws QuantityError, one sentence, for anything else.
 */
export function evaluateExpression(
  text: string,
  scope: ReadonlyMap<string, ScopeValue>,
  expected: Dimension,
  where?: string,
): number {
  if (isQuantity(text)) return parseQuantity(text, expected, where);
  const fail = (reason: string): QuantityError =>
    new QuantityError(`${where === undefined ? '' : `${where}: `}'${shorten(text)}' ${reason}`);
  if (text.length > limits.characters) throw fail(`is longer than ${String(limits.characters)} characters`);
  const result = new Walk(scope, fail).run(parse(text, fail), 1);
  const facts = dimensionFacts[expected];
  if (!samePowers(result.powers, powersOf(expected))) {
    throw fail(`gives ${describePowers(result.powers)}, expected ${facts.expected} such as '${facts.example}'`);
  }
  const value = result.value / baseUnit(expected).factor;
  if (!Number.isFinite(value)) throw fail('gives no finite number');
  if (value < 0) throw fail('gives a negative value');
  if (expected === 'count' && !Number.isSafeInteger(value))
    throw fail(`gives ${String(value)}, expected a whole number`);
  return value;
}

type Fail = (reason: string) => QuantityError;

function parse(text: string, fail: Fail): MathNode {
  // The parser calls itself for each bracket; its own depth is bounded before it starts.
  let depth = 0;
  for (const character of text) {
    if ('([{'.includes(character)) depth += 1;
    if (')]}'.includes(character)) depth -= 1;
    if (depth > limits.depth) throw fail(`is nested deeper than ${String(limits.depth)} levels`);
  }
  try {
    return math.parse(text.replace(/[\u00b5\u03bc]/g, 'u'));
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'too deeply nested';
    throw fail(`cannot be read: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`);
  }
}

const pure = powersOf('ratio');
const isPure = (value: Measured): boolean => samePowers(value.powers, pure);

/** Functions of pure numbers. */
const pureFunctions: ReadonlyMap<string, (value: number) => number> = new Map([
  ['round', Math.round],
  ['floor', Math.floor],
  ['ceil', Math.ceil],
  ['log', Math.log],
  ['exp', Math.exp],
]);

/** Functions whose arguments and result share one dimension. */
const sameFunctions: ReadonlyMap<string, (...values: number[]) => number> = new Map([
  ['min', Math.min],
  ['max', Math.max],
  ['abs', Math.abs],
]);

/** Reads a tree of known nodes into a value, counting nodes as it goes. */
class Walk {
  #nodes = 0;
  readonly #scope: ReadonlyMap<string, ScopeValue>;
  readonly #fail: Fail;

  constructor(scope: ReadonlyMap<string, ScopeValue>, fail: Fail) {
    this.#scope = scope;
    this.#fail = fail;
  }

  run(node: MathNode, depth: number): Measured {
    this.#nodes += 1;
    if (this.#nodes > limits.nodes) throw this.#fail(`has more than ${String(limits.nodes)} parts`);
    if (depth > limits.depth) throw this.#fail(`is nested deeper than ${String(limits.depth)} levels`);
    if (isParenthesisNode(node)) return this.run(node.content, depth + 1);
    if (isConstantNode(node)) return this.#constant(node.value);
    if (isSymbolNode(node)) return this.#named(node.name);
    if (isAccessorNode(node)) return this.#named(this.#dottedName(node));
    if (isOperatorNode(node)) {
      const [left, right, ...more] = node.args.map((argument) => this.run(argument, depth + 1));
      if (left === undefined || more.length > 0) throw this.#refuse('an unknown operator');
      return right === undefined ? this.#unary(node.op, left) : this.#binary(node.op, left, right);
    }
    if (isFunctionNode(node)) {
      const name = isSymbolNode(node.fn) ? node.fn.name : '';
      return this.#call(
        name,
        node.args.map((argument) => this.run(argument, depth + 1)),
      );
    }
    throw this.#refuse(refusedNodes[node.type] ?? 'something that is no calculation');
  }

  #refuse(what: string): QuantityError {
    return this.#fail(
      `holds ${what}; only numbers with units, named values, + - * / ^ ( ) and ${functionNames} are understood`,
    );
  }

  #constant(value: unknown): Measured {
    if (typeof value === 'string') throw this.#refuse('a text in quotes');
    if (typeof value !== 'number' || !Number.isFinite(value)) throw this.#refuse(`the constant ${String(value)}`);
    return { value, powers: pure };
  }

  #dottedName(node: MathNode): string {
    if (isSymbolNode(node)) return node.name;
    if (!isAccessorNode(node) || !node.index.dotNotation) throw this.#refuse('an index in square brackets');
    // Bounded like every other part: each dot is a node.
    this.#nodes += 1;
    if (this.#nodes > limits.nodes) throw this.#fail(`has more than ${String(limits.nodes)} parts`);
    return `${this.#dottedName(node.object)}.${node.name}`;
  }

  #named(name: string): Measured {
    const known = this.#scope.get(name);
    if (known !== undefined) {
      const unit = baseUnit(known.dimension);
      return { value: known.value * unit.factor, powers: unit.powers };
    }
    const unit = name.includes('.') ? undefined : unitFactor(name);
    if (unit !== undefined) return { value: unit.factor, powers: unit.powers };
    const near = [...this.#scope.keys()].toSorted((a, b) => distance(name, a) - distance(name, b))[0];
    throw this.#fail(`uses the unknown name '${shorten(name)}'${near === undefined ? '' : `, nearest: '${near}'`}`);
  }

  #unary(operator: string, { value, powers }: Measured): Measured {
    if (operator === '-') return { value: -value, powers };
    if (operator === '+') return { value, powers };
    throw this.#refuse(`the operator ${operator}`);
  }

  #binary(operator: string, left: Measured, right: Measured): Measured {
    switch (operator) {
      case '+':
        return { value: left.value + right.value, powers: this.#samePowers('adds', left, right) };
      case '-':
        return { value: left.value - right.value, powers: this.#samePowers('subtracts', left, right) };
      case '*':
        return {
          value: left.value * right.value,
          powers: left.powers.map((power, i) => power + (right.powers[i] ?? 0)),
        };
      case '/':
        return {
          value: left.value / right.value,
          powers: left.powers.map((power, i) => power - (right.powers[i] ?? 0)),
        };
      case '^':
        if (!isPure(right)) throw this.#fail(`raises to the power of ${describePowers(right.powers)}`);
        return { value: left.value ** right.value, powers: left.powers.map((power) => power * right.value) };
      default:
        throw this.#refuse(`the operator ${operator}`);
    }
  }

  #samePowers(verb: string, left: Measured, right: Measured): readonly number[] {
    if (samePowers(left.powers, right.powers)) return left.powers;
    throw this.#fail(`${verb} ${describePowers(left.powers)} and ${describePowers(right.powers)}`);
  }

  #call(name: string, values: readonly Measured[]): Measured {
    const [first] = values;
    const same = sameFunctions.get(name);
    const ofPure = pureFunctions.get(name);
    if (same === undefined && ofPure === undefined && name !== 'sqrt') {
      throw this.#refuse(name === '' ? 'a function of a name' : `the function '${shorten(name)}'`);
    }
    const wanted = name === 'min' || name === 'max' ? values.length >= 1 : values.length === 1;
    if (first === undefined || !wanted)
      throw this.#fail(`gives ${name} ${String(values.length)} arguments, expected 1`);
    if (same !== undefined) {
      for (const value of values) this.#samePowers('compares', first, value);
      return { value: same(...values.map(({ value }) => value)), powers: first.powers };
    }
    if (ofPure === undefined) return { value: Math.sqrt(first.value), powers: first.powers.map((power) => power / 2) };
    if (!isPure(first)) throw this.#fail(`takes ${name} of ${describePowers(first.powers)}, expected a pure number`);
    return { value: ofPure(first.value), powers: pure };
  }
}

const functionNames = [...sameFunctions.keys(), 'sqrt', ...pureFunctions.keys()].join(', ');

const refusedNodes: Readonly<Record<string, string>> = {
  ArrayNode: 'a list',
  AssignmentNode: 'an assignment',
  BlockNode: 'more than one expression',
  ConditionalNode: 'a condition',
  FunctionAssignmentNode: 'a function definition',
  ObjectNode: 'an object',
  RangeNode: 'a range',
  RelationalNode: 'a comparison',
};

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}
