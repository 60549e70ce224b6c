import { isSet, type Json, type JsonObject } from '../../core/json';
import type { Path } from '../../core/path';
import type { SchemaError, SchemaErrorType } from '../../core/schema/error';
import type { NameCheck } from '../../core/schema/names';

/** A check of a value that has the right type. */
export type FieldCheck = (value: Json, path: Path) => SchemaError[];

/** A check of an object of one type of Kubernetes, such as `ServicePort`. */
export type TypeCheck = (object: JsonObject, path: Path) => SchemaError[];

/** All errors of several checks. */
export function all<T>(...checks: readonly ((value: T, path: Path) => SchemaError[])[]) {
  return (value: T, path: Path): SchemaError[] => {
    const errors: SchemaError[] = [];
    for (const check of checks) for (const error of check(value, path)) errors.push(error);
    return errors;
  };
}

/** Checks of fields that are set. */
export function fields(checks: Readonly<Record<string, FieldCheck>>): TypeCheck {
  const entries = Object.entries(checks);
  return (object, path) => {
    const errors: SchemaError[] = [];
    for (const [name, check] of entries) {
      const value = object[name];
      if (isSet(value)) for (const error of check(value, [...path, name])) errors.push(error);
    }
    return errors;
  };
}

/** Texts that must be there, and not be empty. A missing field is the schema's concern where it requires it. */
export function needs(...names: readonly string[]): TypeCheck {
  return (object, path) =>
    names.flatMap((name) => (isSet(object[name]) && object[name] !== '' ? [] : [missing([...path, name])]));
}

/** A list or map with at least one entry. */
export function needsEntries(...names: readonly string[]): TypeCheck {
  return (object, path) =>
    names.flatMap((name) => (Object.keys((object[name] ?? {}) as object).length > 0 ? [] : [missing([...path, name])]));
}

/** A text with a name; an empty text counts as absent. */
export function text(check: NameCheck): FieldCheck {
  return (value, path) => (value === '' ? [] : anyText(check)(value, path));
}

/** A text with a name, which may not be empty. */
export function anyText(check: NameCheck): FieldCheck {
  return (value, path) => (typeof value === 'string' ? check(value).map((detail) => invalid(path, detail, value)) : []);
}

/** Each text of a list. */
export function each(check: FieldCheck): FieldCheck {
  return (value, path) => (Array.isArray(value) ? value.flatMap((item, index) => check(item, [...path, index])) : []);
}

/** Each key of a map. */
export function keys(check: NameCheck): FieldCheck {
  return (value, path) =>
    Object.keys(value as object).flatMap((key) => check(key).map((detail) => invalid([...path, key], detail, key)));
}

/** A number from `min` to `max`. */
export function range(min: number, max = Number.POSITIVE_INFINITY): FieldCheck {
  const detail =
    max === Number.POSITIVE_INFINITY
      ? `must be greater than or equal to ${min}`
      : `must be between ${min} and ${max}, inclusive`;
  return (value, path) =>
    typeof value === 'number' && (value < min || value > max) ? [invalid(path, detail, value)] : [];
}

/** One of these words. */
export function oneOf(...words: readonly string[]): FieldCheck {
  return (value, path) => {
    if (typeof value !== 'string' || value === '' || words.includes(value)) return [];
    const detail = `supported values: ${words.map((word) => JSON.stringify(word)).join(', ')}`;
    return [{ path, type: 'FieldValueNotSupported', detail, value }];
  };
}

/** An error for a value. */
export function invalid(
  path: Path,
  detail: string,
  value?: Json,
  type: SchemaErrorType = 'FieldValueInvalid',
): SchemaError {
  return value === undefined ? { path, type, detail } : { path, type, detail, value };
}

/** An error for a missing field. */
export function missing(path: Path): SchemaError {
  return { path, type: 'FieldValueRequired', detail: '' };
}

/** An error for a field that may not be set here. */
export function forbidden(path: Path, detail: string): SchemaError {
  return { path, type: 'FieldValueForbidden', detail };
}

/** Errors for values that come up again. */
export function duplicates(values: readonly (readonly [key: string, path: Path])[]): SchemaError[] {
  const seen = new Set<string>();
  return values.flatMap(([key, path]) => {
    const isAgain = seen.has(key);
    seen.add(key);
    return isAgain ? [{ path, type: 'FieldValueDuplicate' as const, detail: '', value: key }] : [];
  });
}
