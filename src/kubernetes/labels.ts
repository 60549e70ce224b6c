import type { JsonObject } from '../core/json';
import { asList, asObject, asText, isSet, stringMapOf } from '../core/json';
import type { Path } from '../core/path';
import { labelMistakes as mistakesOfLabel, validateMetadata } from '../core/schema/metadata';

/** A problem that Kubernetes' own checks find in a part of an object. */
export interface PartProblem {
  /** The place in the object. */
  readonly path: Path;
  /** Kubernetes' own message. */
  readonly message: string;
  /** Our own message, which follows the path. */
  readonly text: string;
}

/** The problems of one label or annotation, with Kubernetes' messages. */
export function labelMistakes(kind: 'annotations' | 'labels', key: string, value: string): string[] {
  if (kind === 'labels') return mistakesOfLabel(key, value);
  return validateMetadata({ metadata: { name: 'x', annotations: { [key]: value } } }).map(({ detail }) => detail);
}

/** Kubernetes' checks of a map of labels or annotations. */
export function labelsProblems(kind: 'annotations' | 'labels', map: unknown, path: Path): PartProblem[] {
  return [...stringMapOf(map)].flatMap(([key, value]) =>
    labelMistakes(kind, key, value).map((message) => ({
      message,
      path,
      text: `"${key}: ${value}" is invalid: ${message}`,
    })),
  );
}

/** Kubernetes' checks of a label selector. */
export function selectorProblems(selector: JsonObject, path: Path): PartProblem[] {
  return [
    ...labelsProblems('labels', selector.matchLabels, [...path, 'matchLabels']),
    ...asList(selector.matchExpressions).flatMap((expression, index) =>
      expressionProblems(asObject(expression), [...path, 'matchExpressions', index]),
    ),
  ];
}

function expressionProblems({ key, operator, values }: JsonObject, path: Path): PartProblem[] {
  const found: PartProblem[] = [];
  const add = (name: string, message: string, text: string) => found.push({ message, path: [...path, name], text });
  const names = asList(values);
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (names.length === 0) {
        add('values', "must be specified when `operator` is 'In' or 'NotIn'", `is empty, but ${operator} needs values`);
      }
      break;
    case 'Exists':
    case 'DoesNotExist':
      if (names.length > 0) {
        const message = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
        add('values', message, `has values, but ${operator} must have none`);
      }
      break;
    default:
      add('operator', 'not a valid selector operator', `"${asText(operator)}" is not a selector operator`);
  }
  for (const message of labelMistakes('labels', asText(key), '')) add('key', message, `"${asText(key)}": ${message}`);
  names.forEach((value, index) => {
    for (const message of labelMistakes('labels', 'x', asText(value))) {
      found.push({ message, path: [...path, 'values', index], text: `"${asText(value)}": ${message}` });
    }
  });
  return found;
}

/** Whether a valid selector matches labels. A missing selector matches nothing, an empty one everything. */
export function selects(selector: JsonObject | undefined, labels: ReadonlyMap<string, string>): boolean {
  if (selector === undefined) return false;
  const hasLabels = [...stringMapOf(selector.matchLabels)].every(([key, value]) => labels.get(key) === value);
  return hasLabels && asList(selector.matchExpressions).every((one) => meets(asObject(one), labels));
}

function meets({ key, operator, values }: JsonObject, labels: ReadonlyMap<string, string>): boolean {
  const value = labels.get(asText(key));
  const isOneOf = isSet(value) && asList(values).includes(value);
  switch (operator) {
    case 'In':
      return isOneOf;
    case 'NotIn':
      return !isOneOf;
    case 'Exists':
      return value !== undefined;
    default:
      return value === undefined;
  }
}
