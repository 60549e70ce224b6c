/** The shapes of properties at run time, as the compiler knows them, for callers whose compiler did not check them. */
import { didYouMean } from './did-you-mean';
import shapes from './prop-shapes.json';

/** What a value may be. The shapes of all constructs are made of their types: scripts/write-prop-shapes.ts. */
export type Shape =
  | 'any'
  | 'null'
  | 'string'
  | 'number'
  | 'boolean'
  | 'function'
  /** A list of such values. */
  | { readonly list: Shape }
  /** An object with any keys and such values. */
  | { readonly map: Shape }
  /** An object with these keys; those with `?` may be missing. An open one may have others. */
  | { readonly props: Readonly<Record<string, Shape>>; readonly open?: boolean }
  /** An instance of a class of this library. */
  | { readonly class: string }
  /** A shape by its name. */
  | { readonly type: string }
  | { readonly oneOf: readonly Shape[] };

/** The shapes of the properties of constructs, by the names of classes, and what they refer to. */
export interface PropShapes {
  readonly constructs: Readonly<Record<string, Shape>>;
  readonly types: Readonly<Record<string, Shape>>;
}

/** The shapes of this package's constructs. */
export const propShapes = shapes as unknown as PropShapes;

/** After so many, more would not help. */
const MOST = 5;
const MAX_DEPTH = 30;

/**
 * What of a value is not of a shape, each with its path, what was given and what is expected.
 * @example shapeProblems({ rules: [0] }, shape, types) // ['"rules[0]" is the number 0: give an object']
 */
export function shapeProblems(given: unknown, shape: Shape, types: PropShapes['types']): string[] {
  const problems: string[] = [];
  const visit = (value: unknown, expected: Shape, path: string, depth: number): void => {
    if (problems.length >= MOST || depth > MAX_DEPTH || isLater(value)) return;
    const known = resolved(expected, types);
    if (known === 'any') return;
    const [fitting] = alternativesOf(known, types).filter((each) => isOfKind(value, each));
    if (fitting === undefined) {
      problems.push(`"${path}" is ${shown(value)}: give ${described(known, types)}`);
      return;
    }
    if (typeof fitting !== 'object') return;
    if ('list' in fitting) {
      for (const [index, item] of (value as unknown[]).entries())
        visit(item, fitting.list, `${path}[${index}]`, depth + 1);
    } else if ('props' in fitting) {
      members(value as Readonly<Record<string, unknown>>, fitting, path, depth);
    } else if ('map' in fitting) {
      const entries = Object.entries(value as object).filter(([, item]) => item !== undefined);
      for (const [key, item] of entries) visit(item, fitting.map, pathTo(path, key), depth + 1);
    }
  };
  const members = (
    value: Readonly<Record<string, unknown>>,
    { props, open = false }: { readonly props: Readonly<Record<string, Shape>>; readonly open?: boolean },
    path: string,
    depth: number,
  ): void => {
    const names = Object.keys(props).map((key) => key.replace(/\?$/, ''));
    for (const [key, expected] of Object.entries(props)) {
      const name = key.replace(/\?$/, '');
      const own = value[name];
      if (own !== undefined) visit(own, expected, pathTo(path, name), depth + 1);
      else if (name === key && problems.length < MOST)
        problems.push(`"${pathTo(path, name)}" is missing: give ${described(resolved(expected, types), types)}`);
    }
    // An instance of a class may have more than it needs here.
    if (open || !isPlain(value)) return;
    for (const key of Object.keys(value)) {
      if (names.includes(key) || value[key] === undefined || problems.length >= MOST) continue;
      const meant = didYouMean(key, names);
      const hint = meant === undefined ? `the properties are ${listed(names)}` : `did you mean "${meant}"?`;
      problems.push(`"${pathTo(path, key)}" is no property: ${hint}`);
    }
  };
  visit(given, shape, '', 0);
  return problems;
}

const NAMES_SHOWN = 12;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN).join(', ');
  return names.length > NAMES_SHOWN ? `${shown} and ${names.length - NAMES_SHOWN} more` : shown;
}

function pathTo(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

/** A value that cdk8s asks for at the end of a synth. */
function isLater(value: unknown): boolean {
  return typeof value === 'object' && value !== null && /^(Lazy|Token)$/.test(classOf(value) ?? '');
}

function resolved(shape: Shape, types: PropShapes['types']): Shape {
  return typeof shape === 'object' && 'type' in shape ? (types[shape.type] ?? 'any') : shape;
}

function alternativesOf(shape: Shape, types: PropShapes['types']): Shape[] {
  if (typeof shape !== 'object' || !('oneOf' in shape)) return [shape];
  const all = shape.oneOf.flatMap((one) => alternativesOf(resolved(one, types), types));
  const objects = all.filter(
    (one): one is { props: Readonly<Record<string, Shape>> } => typeof one === 'object' && 'props' in one,
  );
  if (objects.length < 2) return all;
  // Which of several objects is meant cannot be told in general: their keys may all be there.
  return [...all.filter((one) => !objects.includes(one as never)), { props: joined(objects), open: true }];
}

function joined(
  objects: readonly { readonly props: Readonly<Record<string, Shape>> }[],
): Readonly<Record<string, Shape>> {
  const shapes = new Map<string, Shape[]>();
  for (const { props } of objects) {
    for (const [key, shape] of Object.entries(props)) {
      const name = key.replace(/\?$/, '');
      shapes.set(name, [...(shapes.get(name) ?? []), shape]);
    }
  }
  return Object.fromEntries([...shapes].map(([name, all]) => [`${name}?`, { oneOf: all }]));
}

function isOfKind(value: unknown, shape: Shape): boolean {
  if (shape === 'any') return true;
  if (typeof shape === 'string')
    return shape === 'null' ? value === null : typeof value === shape && !Number.isNaN(value);
  if ('list' in shape) return Array.isArray(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return 'class' in shape ? isInstance(value, shape.class) : true;
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

function classOf(value: object): string | undefined {
  const { name } = Object.getPrototypeOf(value)?.constructor ?? {};
  return typeof name === 'string' && name !== 'Object' ? name : undefined;
}

function described(shape: Shape, types: PropShapes['types']): string {
  const kinds = alternativesOf(shape, types).map((one) => {
    if (typeof one === 'string') return one === 'any' ? 'any value' : `a ${one}`;
    if ('list' in one) return 'a list';
    return 'class' in one ? `${/^[AEIOU]/.test(one.class) ? 'an' : 'a'} ${one.class}` : 'an object';
  });
  return [...new Set(kinds)].join(' or ');
}

/** A value for a message: short, and without anything that a value may run. */
function shown(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return `the string "${value.length > 60 ? `${value.slice(0, 60)}…` : value}"`;
  if (typeof value === 'number' || typeof value === 'boolean') return `the ${typeof value} ${value}`;
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return classOf(value) === undefined ? 'an object' : `an instance of ${classOf(value)}`;
  return `a ${typeof value}`;
}
