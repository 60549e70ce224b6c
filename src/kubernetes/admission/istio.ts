/** What the webhook of Istio refuses of a VirtualService: expressions that RE2 does not have. */
import { isJsonObject, type Json, type JsonObject } from '../../core/json';
import type { Path } from '../../core/path';
import { isRefusedByRe2 } from '../../core/regex';
import type { SchemaError } from '../../core/schema/error';

/** The errors for each `regex` of a VirtualService, wherever it stands. */
export function virtualServiceErrors({ spec }: JsonObject): SchemaError[] {
  return expressionsIn(spec ?? null, ['spec'])
    .filter(({ value }) => isRefusedByRe2(value))
    .map(({ path, value }) => ({
      path,
      type: 'FieldValueInvalid',
      detail: 'the webhook of Istio refuses the object: this is no regular expression of RE2',
      value,
    }));
}

function expressionsIn(value: Json, path: Path): { readonly path: Path; readonly value: string }[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => expressionsIn(item, [...path, index]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    // Istio reads a star as any value.
    if (key === 'regex' && typeof child === 'string')
      return child === '*' ? [] : [{ path: [...path, key], value: child }];
    return expressionsIn(child, [...path, key]);
  });
}
