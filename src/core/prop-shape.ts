/** The shapes of properties at run time, as the compiler knows them, for callers whose compiler did not check them. */
import { didYouMean } from './did-you-mean';
import type { ObjectShape, Parameter, PropShapes, Shape } from './shape';
import { classOf, describedKinds, listedNames, shownValue } from './shape-words';

/** After so many, more would not help. */
const MOST = 5;
const MAX_DEPTH = 30;

/**
 * What of a value is not of a shape, each with its path, what was given and what is expected.
 * @example shapeProblems({ rules: [0] }, shape, types) // ['"rules[0]" is the number 0: give an object']
 */
export function shapeProblems(given: unknown, shape: Shape, types: PropShapes['types'], path = ''): string[] {
  return new ShapeReader(types).problems(given, shape, path, 0).slice(0, MOST);
}

/** What is wrong with the arguments of a call. */
export function callProblems(
  given: readonly unknown[],
  parameters: readonly Parameter[],
  types: PropShapes['types'],
): string[] {
  const reader = new ShapeReader(types);
  const problems = parameters.flatMap(({ name, shape, optional = false, rest = false }, at) => {
    if (rest) return given.slice(at).flatMap((each, index) => reader.problems(each, shape, `${name}[${index}]`, 0));
    if (given[at] !== undefined) return reader.problems(given[at], shape, name, 0);
    return optional ? [] : reader.missing(name, shape);
  });
  return problems.slice(0, MOST);
}

class ShapeReader {
  constructor(private readonly types: PropShapes['types']) {}

  problems(value: unknown, expected: Shape, path: string, depth: number): string[] {
    if (depth > MAX_DEPTH) return [];
    const kinds = this.alternatives(expected);
    if (kinds.includes('any') || (isLater(value) && kinds.some(mayBeLater))) return [];
    const fitting = kinds.filter((each) => isOfKind(value, each));
    if (fitting.length === 0) return [this.other(value, kinds, path)];
    // What is not of one kind may be of another, and what comes closest says most.
    const names = fitting.flatMap((each) => (isObjectShape(each) ? namesOf(each) : []));
    let closest: readonly string[] | undefined;
    for (const each of fitting) {
      const found = this.within(value, each, { path, depth, names });
      if (found.length === 0) return [];
      if (closest === undefined || found.length < closest.length) closest = found;
    }
    return [...closest!];
  }

  missing(path: string, shape: Shape): string[] {
    return [`"${path}" is missing: give ${describedKinds(this.alternatives(shape))}`];
  }

  private other(value: unknown, kinds: readonly Shape[], path: string): string {
    const texts = kinds
      .flatMap((each) => (typeof each === 'object' && 'values' in each ? each.values : []))
      .map(String);
    const meant = typeof value === 'string' ? didYouMean(value, texts) : undefined;
    const is = path === '' ? `the properties are ${shownValue(value)}` : `"${path}" is ${shownValue(value)}`;
    return meant === undefined ? `${is}: give ${describedKinds(kinds)}` : `${is}: did you mean "${meant}"?`;
  }

  private within(value: unknown, shape: Shape, at: Place): string[] {
    if (typeof shape !== 'object') return [];
    const { path, depth } = at;
    if ('list' in shape) {
      const problems: string[] = [];
      // Also what a list leaves out.
      for (const [index, item] of (value as unknown[]).entries()) {
        problems.push(...this.problems(item, shape.list, `${path}[${index}]`, depth + 1));
        if (problems.length >= MOST) break;
      }
      return problems;
    }
    if ('map' in shape) {
      const entries = Object.entries(value as object).filter(([, item]) => item !== undefined);
      return entries.flatMap(([key, item]) => this.problems(item, shape.map, pathTo(path, key), depth + 1));
    }
    return isObjectShape(shape) ? this.members(value as Readonly<Record<string, unknown>>, shape, at) : [];
  }

  private members(
    value: Readonly<Record<string, unknown>>,
    shape: ObjectShape,
    { path, depth, names }: Place,
  ): string[] {
    const problems = Object.entries(shape.props).flatMap(([key, expected]) => {
      const name = nameOf(key);
      if (value[name] !== undefined) return this.problems(value[name], expected, pathTo(path, name), depth + 1);
      return name === key ? this.missing(pathTo(path, name), expected) : [];
    });
    // An instance of a class may have more than it needs here.
    if (shape.open || !isPlain(value)) return problems;
    const unknown = Object.keys(value).filter((key) => !names.includes(key) && value[key] !== undefined);
    return [...problems, ...unknown.map((key) => unknownProperty(pathTo(path, key), key, names))];
  }

  private alternatives(shape: Shape): Shape[] {
    const known = typeof shape === 'object' && 'type' in shape ? (this.types[shape.type] ?? 'any') : shape;
    if (typeof known !== 'object' || !('oneOf' in known)) return [known];
    return known.oneOf.flatMap((one) => this.alternatives(one));
  }
}

interface Place {
  readonly path: string;
  readonly depth: number;
  /** The names of the properties of all objects that the value may be. */
  readonly names: readonly string[];
}

function unknownProperty(path: string, key: string, names: readonly string[]): string {
  const meant = didYouMean(key, names);
  const hint = meant === undefined ? `the properties are ${listedNames(names)}` : `did you mean "${meant}"?`;
  return `"${path}" is no property: ${hint}`;
}

function pathTo(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function nameOf(key: string): string {
  return key.replace(/\?$/, '');
}

function namesOf({ props }: ObjectShape): string[] {
  return Object.keys(props).map(nameOf);
}

function isObjectShape(shape: Shape): shape is ObjectShape {
  return typeof shape === 'object' && 'props' in shape;
}

/** A value that cdk8s asks for at the end of a synth. */
function isLater(value: unknown): boolean {
  return typeof value === 'object' && value !== null && /^(Lazy|Token)$/.test(classOf(value) ?? '');
}

/** What is written as it is, and not looked into before. */
function mayBeLater(shape: Shape): boolean {
  return typeof shape === 'string' || 'map' in shape || 'values' in shape;
}

function isOfKind(value: unknown, shape: Shape): boolean {
  if (typeof shape === 'string') return isOfSimpleKind(value, shape);
  if ('values' in shape) return shape.values.includes(value as string);
  if ('list' in shape) return Array.isArray(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isOutput(value)) return false;
  return 'class' in shape ? isInstance(value, shape.class) : true;
}

function isOfSimpleKind(value: unknown, kind: Shape & string): boolean {
  switch (kind) {
    case 'any':
      return true;
    case 'null':
      return value === null;
    case 'output':
      return isOutput(value);
    case 'resource':
      return isObject(value) && value.__pulumiResource === true;
    case 'construct':
      return isObject(value) && isObject(value.node) && typeof value.node.path === 'string';
    case 'number':
      return Number.isFinite(value);
    default:
      return typeof value === kind;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** A value that Pulumi knows later. */
function isOutput(value: unknown): boolean {
  return isObject(value) && (value.__pulumiOutput === true || value instanceof Promise);
}

/** By name, because a class of another copy of this library serves as well. */
function isInstance(value: object, name: string): boolean {
  for (let at: object | null = Object.getPrototypeOf(value); at !== null; at = Object.getPrototypeOf(at))
    if (at.constructor?.name === name) return true;
  return false;
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
