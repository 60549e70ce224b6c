import { asList, asObject, entriesOf, type Json, type JsonObject } from '../../core/json';
import type { Path } from '../../core/path';
import type { SchemaError } from '../../core/schema/error';
import { labelValueErrors, qualifiedNameErrors } from '../../core/schema/names';
import { type PartProblem, selectorProblems } from '../labels';
import { invalid } from './field-checks';

/** A map of labels. */
export function labelsErrors(labels: Json, path: Path): SchemaError[] {
  return entriesOf(labels).flatMap(([key, value]) => [
    ...qualifiedNameErrors(key).map((detail) => invalid([...path, key], detail, key)),
    ...labelValueErrors(value).map((detail) => invalid([...path, key], detail, value)),
  ]);
}

/** A label selector. */
export function selectorErrors(selector: Json, path: Path): SchemaError[] {
  return asErrors(selectorProblems(asObject(selector), path));
}

/** Whether a selector selects by anything. */
export function isEmptySelector(selector: JsonObject): boolean {
  return Object.keys(asObject(selector.matchLabels)).length === 0 && asList(selector.matchExpressions).length === 0;
}

/** Problems of a part of an object as the API server's errors. */
export function asErrors(problems: readonly PartProblem[]): SchemaError[] {
  return problems.map(({ path, text }) => invalid(path, text));
}
