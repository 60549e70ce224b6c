import type { JsonObject } from '../json';
import { type Path, valueAt } from '../path';
import type { SchemaError } from './error';

const MAX_INT32 = 2 ** 31 - 1;

/** The API server's errors for the number of replicas of a kind that can be scaled. */
export function scaleErrors(object: JsonObject, path: Path): SchemaError[] {
  const replicas = valueAt(object, path);
  if (typeof replicas !== 'number' || !Number.isInteger(replicas)) return [];
  const refused = (detail: string): SchemaError[] => [{ path, type: 'FieldValueInvalid', detail, value: replicas }];
  if (replicas < 0) return refused('should be a non-negative integer');
  return replicas > MAX_INT32 ? refused(`should be less than or equal to ${MAX_INT32}`) : [];
}
