/** Words for a message about a value and for what it may be. */
import type { Shape } from './shape';

const NAMES_SHOWN = 12;
const TEXT_SHOWN = 60;

/** Some names, and how many more there are. */
export function listedNames(names: readonly string[]): string {
  const all = [...new Set(names)];
  if (all.length === 0) return 'none';
  const shown = all.slice(0, NAMES_SHOWN).join(', ');
  return all.length > NAMES_SHOWN ? `${shown} and ${all.length - NAMES_SHOWN} more` : shown;
}

/** The class of a value, unless it is a plain object. */
export function classOf(value: object): string | undefined {
  const { name } = Object.getPrototypeOf(value)?.constructor ?? {};
  return typeof name === 'string' && name !== 'Object' ? name : undefined;
}

/** `a string or a list` */
export function describedKinds(kinds: readonly Shape[]): string {
  const all = [...new Set(kinds.flatMap(describedKind))];
  // What people write by hand says more than that an Output does as well.
  const said = all.length > 1 ? all.filter((each) => each !== OUTPUT) : all;
  return said.join(' or ');
}

const OUTPUT = 'an Output';

function describedKind(kind: Shape): string | string[] {
  if (kind === 'any') return 'any value';
  if (kind === 'null') return 'null';
  if (kind === 'output') return OUTPUT;
  if (typeof kind === 'string') return `a ${kind}`;
  if ('values' in kind) return kind.values.map((value) => JSON.stringify(value));
  if ('list' in kind) return 'a list';
  return 'class' in kind ? `${/^[AEIO]/.test(kind.class) ? 'an' : 'a'} ${kind.class}` : 'an object';
}

/** A value for a message: short, and without anything that a value may run. */
export function shownValue(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'string')
    return `the string "${value.length > TEXT_SHOWN ? `${value.slice(0, TEXT_SHOWN)}…` : value}"`;
  if (typeof value === 'number' || typeof value === 'boolean') return `the ${typeof value} ${value}`;
  if (Array.isArray(value)) return 'a list';
  if (typeof value !== 'object') return `a ${typeof value}`;
  if ((value as { readonly __pulumiOutput?: unknown }).__pulumiOutput === true)
    return 'an Output, which is not known yet when this has to be decided';
  return classOf(value) === undefined ? 'an object' : `an instance of ${classOf(value)}`;
}
