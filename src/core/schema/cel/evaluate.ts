import { isJsonObject, type Json, ownValue } from '../../json';
import { sameJson } from '../validate';
import { type Expression, parseCel } from './parser';

/** An expression was evaluated on values that it is not made for: `no such key: type`. */
export class CelError extends Error {}

/** The names that an expression may use, `self` and `oldSelf`. */
export type Variables = { readonly [name: string]: Json };

type Call = (target: Json, first: Json) => Json;

/** Functions that are called on a value. */
const METHODS: { readonly [name: string]: Call } = {
  startsWith: (target, first) => text(target).startsWith(text(first)),
  endsWith: (target, first) => text(target).endsWith(text(first)),
  contains: (target, first) => text(target).includes(text(first)),
  matches: (target, first) => expression(text(first)).test(text(target)),
  lowerAscii: (target) => text(target).replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
  size: (target) => size(target),
};

/** Functions over the items of a list, with a variable for the item: `self.all(x, x > 0)`. */
const MACROS: { readonly [name: string]: (items: readonly Json[], each: (item: Json) => Json) => Json } = {
  all: (items, each) => items.every((item) => each(item) === true),
  exists: (items, each) => items.some((item) => each(item) === true),
  exists_one: (items, each) => items.filter((item) => each(item) === true).length === 1,
  filter: (items, each) => items.filter((item) => each(item) === true),
  map: (items, each) => items.map(each),
};

const UNARY: { readonly [operator: string]: (value: Json) => Json } = {
  '!': (value) => !truth(value),
  '-': (value) => -number(value),
};

const BINARY: { readonly [operator: string]: (left: Json, right: Json) => Json } = {
  '==': (left, right) => sameJson(left, right),
  '!=': (left, right) => !sameJson(left, right),
  '<': (left, right) => compare(left, right) < 0,
  '<=': (left, right) => compare(left, right) <= 0,
  '>': (left, right) => compare(left, right) > 0,
  '>=': (left, right) => compare(left, right) >= 0,
  in: (left, right) => (Array.isArray(right) ? right.some((item) => sameJson(item, left)) : hasKey(right, left)),
  '+': (left, right) =>
    typeof left === 'string'
      ? left + text(right)
      : Array.isArray(left) && Array.isArray(right)
        ? [...left, ...right]
        : number(left) + number(right),
  '-': (left, right) => number(left) - number(right),
  '*': (left, right) => number(left) * number(right),
  '/': (left, right) => Math.trunc(number(left) / number(right)),
  '%': (left, right) => number(left) % number(right),
};

const NAMES = [...Object.keys(METHODS), ...Object.keys(MACROS), 'has', 'size'];

const parsed = new Map<string, Expression | undefined>();

/**
 * The value of a CEL expression, or undefined when it uses more of the language than is known here. Throws a `CelError`
 * where the API server reports an evaluation error.
 */
export function evaluateCel(expression: string, variables: Variables): Json | undefined {
  if (!parsed.has(expression)) parsed.set(expression, understood(expression));
  const known = parsed.get(expression);
  return known === undefined ? undefined : value(known, variables);
}

/** Whether an expression stays within the part of the language that is known here. */
export function isKnownCel(expression: string): boolean {
  return understood(expression) !== undefined;
}

function understood(expression: string): Expression | undefined {
  try {
    const parsed = parseCel(expression);
    return callsOf(parsed).every((name) => NAMES.includes(name)) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function callsOf(expression: Expression): string[] {
  const below = Object.values(expression)
    .flat()
    .filter((part): part is Expression => typeof part === 'object' && part !== null)
    .flatMap(callsOf);
  return expression.kind === 'call' ? [expression.name, ...below] : below;
}

function value(expression: Expression, variables: Variables): Json {
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'list':
      return expression.items.map((item) => value(item, variables));
    case 'name':
      return member(variables, expression.name);
    case 'field':
      return member(value(expression.of, variables), expression.name);
    case 'index':
      return member(value(expression.of, variables), key(value(expression.at, variables)));
    case 'unary':
      return UNARY[expression.operator]!(value(expression.operand, variables));
    case 'choice':
      return value(truth(value(expression.condition, variables)) ? expression.then : expression.otherwise, variables);
    case 'binary':
      return binary(expression, variables);
    case 'call':
      return call(expression, variables);
  }
}

function binary({ operator, left, right }: Expression & { kind: 'binary' }, variables: Variables): Json {
  if (operator === '||' || operator === '&&') {
    const settles = operator === '||';
    // An error on one side does not matter when the other side settles the answer.
    const first = attempt(() => truth(value(left, variables)));
    if (first === settles) return settles;
    const second = attempt(() => truth(value(right, variables)));
    if (second === settles) return settles;
    for (const side of [first, second]) if (side instanceof CelError) throw side;
    return !settles;
  }
  return BINARY[operator]!(value(left, variables), value(right, variables));
}

function call(expression: Expression & { kind: 'call' }, variables: Variables): Json {
  const { name, target, arguments: given } = expression;
  if (target === undefined) {
    if (name === 'has') return has(given[0], variables);
    if (name !== 'size') throw new CelError(`no such function: ${name}`);
    return size(argument(given, 0, variables));
  }
  const on = value(target, variables);
  if (!Object.hasOwn(MACROS, name)) return METHODS[name]!(on, given.length > 0 ? argument(given, 0, variables) : null);
  const [variable, body] = given;
  if (variable?.kind !== 'name' || body === undefined) throw new CelError(`${name}: expected a name and an expression`);
  const items = Array.isArray(on) ? on : Object.keys(object(on));
  return MACROS[name]!(items, (item) => value(body, { ...variables, [variable.name]: item }));
}

function expression(pattern: string): RegExp {
  try {
    return new RegExp(pattern);
  } catch {
    throw new CelError('no such overload');
  }
}

function has(field: Expression | undefined, variables: Variables): boolean {
  if (field?.kind !== 'field') throw new CelError('has: expected a field');
  return ownValue(value(field.of, variables), field.name) !== undefined;
}

function argument(given: readonly Expression[], index: number, variables: Variables): Json {
  const expression = given[index];
  if (expression === undefined) throw new CelError('no such overload');
  return value(expression, variables);
}

function attempt(run: () => boolean): boolean | CelError {
  try {
    return run();
  } catch (error) {
    if (error instanceof CelError) return error;
    throw error;
  }
}

function member(of: Json, name: string | number): Json {
  const found = ownValue(of, name);
  if (found === undefined) throw new CelError(`no such key: ${name}`);
  return found;
}

function hasKey(of: Json, name: Json): boolean {
  return ownValue(object(of), key(name)) !== undefined;
}

function key(value: Json): string | number {
  if (typeof value === 'string' || typeof value === 'number') return value;
  throw new CelError('no such overload');
}

function object(value: Json): object {
  if (isJsonObject(value)) return value;
  throw new CelError('no such overload');
}

function size(of: Json): number {
  if (typeof of === 'string') return [...of].length;
  return Array.isArray(of) ? of.length : Object.keys(object(of)).length;
}

function truth(value: Json): boolean {
  if (typeof value === 'boolean') return value;
  throw new CelError('no such overload');
}

function text(value: Json): string {
  if (typeof value === 'string') return value;
  throw new CelError('no such overload');
}

function number(value: Json): number {
  if (typeof value === 'number') return value;
  throw new CelError('no such overload');
}

function compare(left: Json, right: Json): number {
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0;
  return number(left) - number(right);
}
