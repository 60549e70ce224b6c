import { isJsonObject, type Json } from '../../core/json';
import type { Path } from '../../core/path';
import { type StructuralSchema, schemaOfKey } from '../../core/schema/structural';

/** A number that the CRD accepts but the webhook cannot decode, because it does not fit into 32 or 64 bits. */
export interface DecodeProblem {
  readonly path: Path;
  readonly value: number;
  readonly bits: 32 | 64;
  /** The webhook's own message. */
  readonly message: string;
}

/** The first number that the webhook cannot decode. */
export function undecodable(
  value: Json,
  schema: StructuralSchema,
  path: Path = [],
  holder = '',
): DecodeProblem | undefined {
  return holdsLargeNumber(value) ? problemIn(value, schema, path, holder) : undefined;
}

/** Most objects hold none, and need no paths. */
function holdsLargeNumber(value: Json): boolean {
  if (typeof value === 'number') return !(value < 2 ** 31 && value >= -(2 ** 31));
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsLargeNumber);
}

function problemIn(value: Json, schema: StructuralSchema, path: Path, holder: string): DecodeProblem | undefined {
  if (typeof value === 'number') return checkNumber(value, schema, path, holder);
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? undefined : first(value, (item, at) => problemIn(item, items, [...path, at], holder));
  }
  if (!isJsonObject(value)) return undefined;
  return first(Object.entries(value), ([key, child]) => {
    const known = schemaOfKey(schema, key);
    return known === undefined ? undefined : problemIn(child, known, [...path, key], schema.title ?? holder);
  });
}

function checkNumber(value: number, schema: StructuralSchema, path: Path, holder: string): DecodeProblem | undefined {
  const isInt32 = schema.format === 'int32' || schema['x-kubernetes-int-or-string'] === true;
  const bits = isInt32 ? 32 : schema.format === 'int64' ? 64 : undefined;
  if (bits === undefined || (value < 2 ** (bits - 1) && value >= -(2 ** (bits - 1)))) return undefined;
  const field = path.filter((part) => typeof part === 'string').join('.');
  const struct = holder.replace(/V1(alpha|beta)1$/, '');
  const message = `json: cannot unmarshal number ${value} into Go struct field ${struct}.${field} of type int${bits}`;
  return { path, value, bits, message };
}

function first<T, R>(items: readonly T[], find: (item: T, index: number) => R | undefined): R | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}
