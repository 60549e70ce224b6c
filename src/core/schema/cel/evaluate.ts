import { parseDuration } from '../../duration';
import { isJsonObject, type Json, type JsonObject, ownValue, sameJson } from '../../json';
import { compilePattern } from '../../regex';
import type { Expression } from './parse';

/** A rule that cannot be evaluated for a value. The API server refuses the value then. */
export class EvaluationError extends Error {}

/** The names that an expression can use. */
export type Names = Readonly<Record<string, Json>>;

/** The value of an expression. Throws an EvaluationError where it has none. */
export function evaluate(expression: Expression, names: Names): Json {
  switch (expression.type) {
    case 'literal':
      return expression.value;
    case 'list':
      return expression.items.map((item) => evaluate(item, names));
    case 'name':
      return own(names, expression.name);
    case 'select':
      return own(evaluate(expression.of, names), expression.field);
    case 'index':
      return own(evaluate(expression.of, names), evaluate(expression.at, names) as string | number);
    case 'not':
      return !isTrue(expression.of, names);
    case 'negative':
      return -numberOf(evaluate(expression.of, names));
    case 'choice':
      return evaluate(isTrue(expression.of, names) ? expression.yes : expression.no, names);
    case 'binary':
      return binary(expression, names);
    case 'call':
      return call(expression, names);
  }
}

function own(holder: Json | Names, key: string | number): Json {
  const value = ownValue(holder as Json, key);
  if (value === undefined) throw new EvaluationError(`no such key: ${key}`);
  return value as Json;
}

function isTrue(expression: Expression, names: Names): boolean {
  const value = evaluate(expression, names);
  if (typeof value !== 'boolean') throw new EvaluationError('no such overload');
  return value;
}

function numberOf(value: Json): number {
  if (typeof value !== 'number') throw new EvaluationError('no such overload');
  return value;
}

type Binary = Expression & { readonly type: 'binary' };

function binary({ operator, left, right }: Binary, names: Names): Json {
  if (operator === '&&') return !some([left, right], (part) => !isTrue(part, names));
  if (operator === '||') return some([left, right], (part) => isTrue(part, names));
  const [a, b] = [evaluate(left, names), evaluate(right, names)];
  switch (operator) {
    case '==':
      return sameJson(a, b);
    case '!=':
      return !sameJson(a, b);
    case 'in':
      return Array.isArray(b) ? b.some((item) => sameJson(item, a)) : Object.hasOwn(b as JsonObject, String(a));
    case '+':
      if (Array.isArray(a) && Array.isArray(b)) return [...a, ...b];
      if (typeof a === 'string' && typeof b === 'string') return a + b;
      return numberOf(a) + numberOf(b);
    case '-':
      return numberOf(a) - numberOf(b);
    case '*':
      return numberOf(a) * numberOf(b);
    case '/':
      return Math.trunc(numberOf(a) / numberOf(b));
    case '%':
      return numberOf(a) % numberOf(b);
    default:
      return compared(operator, a, b);
  }
}

function compared(operator: string, a: Json, b: Json): boolean {
  if (typeof a !== typeof b || (typeof a !== 'number' && typeof a !== 'string')) {
    throw new EvaluationError('no such overload');
  }
  const order = a < b! ? -1 : a > b! ? 1 : 0;
  return operator === '<' ? order < 0 : operator === '<=' ? order <= 0 : operator === '>' ? order > 0 : order >= 0;
}

/** Whether some item is so. An error counts only where no item decides. */
function some<Item>(items: readonly Item[], is: (item: Item) => boolean): boolean {
  let failure: unknown;
  for (const item of items) {
    try {
      if (is(item)) return true;
    } catch (error) {
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return false;
}

type Call = Expression & { readonly type: 'call' };

function call(expression: Call, names: Names): Json {
  const { name, on, args } = expression;
  if (on === undefined) return globalCall(name, args, names);
  const of = evaluate(on, names);
  if (Object.hasOwn(MACROS, name)) return macro(expression, of, names);
  return METHODS[name]!(
    of,
    args.map((arg) => evaluate(arg, names)),
  );
}

function globalCall(name: string, args: readonly Expression[], names: Names): Json {
  const [arg] = args;
  if (name === 'has' && arg?.type === 'select') {
    return ownValue(evaluate(arg.of, names), arg.field) !== undefined;
  }
  return FUNCTIONS[name]!(evaluate(arg!, names));
}

const FUNCTIONS: Readonly<Record<string, (value: Json) => Json>> = {
  double: Number,
  duration: durationOf,
  int: Number,
  size: sizeOf,
  string: String,
};

/** Whether every function of an expression is one that is known here. */
export function isKnown(expression: Expression): boolean {
  switch (expression.type) {
    case 'literal':
    case 'name':
      return true;
    case 'list':
      return expression.items.every(isKnown);
    case 'select':
    case 'not':
    case 'negative':
      return isKnown(expression.of);
    case 'index':
      return isKnown(expression.of) && isKnown(expression.at);
    case 'choice':
      return isKnown(expression.of) && isKnown(expression.yes) && isKnown(expression.no);
    case 'binary':
      return isKnown(expression.left) && isKnown(expression.right);
    case 'call':
      return isKnownCall(expression) && expression.args.every(isKnown);
  }
}

function isKnownCall({ name, on, args }: Call): boolean {
  if (on === undefined) return name === 'has' ? args[0]?.type === 'select' : Object.hasOwn(FUNCTIONS, name);
  if (Object.hasOwn(MACROS, name)) return isKnown(on) && args[0]?.type === 'name' && args.length === 2;
  return isKnown(on) && Object.hasOwn(METHODS, name);
}

/** A duration as a number, so that durations can be compared. */
function durationOf(value: Json): number {
  const duration = typeof value === 'string' ? parseDuration(value) : undefined;
  if (duration !== undefined) return duration;
  throw new EvaluationError("type conversion error from 'string' to 'google.protobuf.Duration'");
}

function sizeOf(value: Json): number {
  if (typeof value === 'string') return [...value].length;
  if (Array.isArray(value)) return value.length;
  if (isJsonObject(value)) return Object.keys(value).length;
  throw new EvaluationError('no such overload');
}

/** What is asked of the items of a list, or of the keys of a map. */
const MACROS: Readonly<Record<string, (items: readonly Json[], is: (item: Json) => Json) => Json>> = {
  all: (items, is) => !some(items, (item) => is(item) !== true),
  exists: (items, is) => some(items, (item) => is(item) === true),
  exists_one: (items, is) => items.filter((item) => is(item) === true).length === 1,
  filter: (items, is) => items.filter((item) => is(item) === true),
  map: (items, is) => items.map(is),
};

function macro({ name, args }: Call, of: Json, names: Names): Json {
  const [variable, body] = args as [Expression & { readonly type: 'name' }, Expression];
  const items = Array.isArray(of) ? of : isJsonObject(of) ? Object.keys(of) : undefined;
  if (items === undefined) throw new EvaluationError('no such overload');
  return MACROS[name]!(items, (item) => evaluate(body, { ...names, [variable.name]: item }));
}

const METHODS: Readonly<Record<string, (of: Json, args: readonly Json[]) => Json>> = {
  contains: (of, [part]) => textOf(of).includes(textOf(part)),
  endsWith: (of, [end]) => textOf(of).endsWith(textOf(end)),
  lowerAscii: (of) => textOf(of).toLowerCase(),
  matches: (of, [pattern]) => expressionOf(textOf(pattern))(textOf(of)),
  size: (of) => sizeOf(of),
  split: (of, [by]) => textOf(of).split(textOf(by)),
  startsWith: (of, [start]) => textOf(of).startsWith(textOf(start)),
  substring: (of, [from, to]) => partOf(textOf(of), numberOf(from!), to === undefined ? undefined : numberOf(to)),
};

function textOf(value: Json | undefined): string {
  if (typeof value !== 'string') throw new EvaluationError('no such overload');
  return value;
}

function partOf(text: string, from: number, to = text.length): string {
  if (from < 0 || to > text.length || from > to) throw new EvaluationError('index out of range');
  return text.slice(from, to);
}

const expressions = new Map<string, (text: string) => boolean>();

/** Go writes flags into the expression. */
function expressionOf(pattern: string): (text: string) => boolean {
  const known = expressions.get(pattern);
  if (known !== undefined) return known;
  const made = compilePattern(pattern.replace('(?i)', ''), pattern.includes('(?i)'));
  if (made === undefined) throw new EvaluationError(`no regular expression: ${pattern}`);
  expressions.set(pattern, made);
  return made;
}
