import { isJsonObject, type Json, type JsonObject, ownValue, sameJson } from '../../core/json';
import { formatPath } from '../../core/path';
import type { Difference } from '../../core/test-result';

/**
 * Lists every place where two JSON values differ, in the order of the expected value; empty only if they are equal.
 * Lists are aligned, so that an inserted item is one difference. If both values are strings that hold a JSON object or
 * list, as annotations do, their contents are compared.
 * @example diff({ weight: 50 }, { weight: 20 }, 'spec') // [{ kind: 'changed', path: 'spec.weight', expected: 50, actual: 20 }]
 */
export function diff(expected: Json | undefined, actual: Json | undefined, path = ''): Difference[] {
  if (sameJson(expected, actual)) return [];
  if (expected === undefined) return [{ kind: 'unexpected', path, actual: actual! }];
  if (actual === undefined) return [{ kind: 'missing', path, expected }];
  if (Array.isArray(expected) && Array.isArray(actual)) return diffLists(expected, actual, path);
  if (isJsonObject(expected) && isJsonObject(actual)) return diffObjects(expected, actual, path);
  if (typeof expected === 'string' && typeof actual === 'string') return diffStrings(expected, actual, path);
  return [{ kind: 'changed', path, expected, actual }];
}

function diffObjects(expected: JsonObject, actual: JsonObject, path: string): Difference[] {
  const unexpected = Object.keys(actual).filter((key) => !Object.hasOwn(expected, key));
  return [...Object.keys(expected), ...unexpected].flatMap((key) =>
    diff(ownValue(expected, key), ownValue(actual, key), `${path}${step(path, key)}`),
  );
}

/** A key at the top level has no dot before it. */
function step(path: string, key: string): string {
  const text = formatPath([key]);
  return path === '' || text.startsWith('[') ? text : `.${text}`;
}

function diffLists(expected: readonly Json[], actual: readonly Json[], path: string): Difference[] {
  if (isReordered(expected, actual)) return [{ kind: 'reordered', path, expected, actual }];
  return align(expected, actual).flatMap(([left, right]) =>
    diff(
      left === undefined ? undefined : expected[left],
      right === undefined ? undefined : actual[right],
      `${path}[${left ?? right}]`,
    ),
  );
}

function diffStrings(expected: string, actual: string, path: string): Difference[] {
  const left = parseContainer(expected);
  const right = parseContainer(actual);
  const inside = left === undefined || right === undefined ? [] : diff(left, right);
  // Equal contents: the same JSON, formatted differently. The controller still sees two different strings.
  if (inside.length === 0) return [{ kind: 'changed', path, expected, actual }];
  return inside.map((difference) => ({
    ...difference,
    path,
    jsonPath: difference.jsonPath === undefined ? difference.path : `${difference.path} > ${difference.jsonPath}`,
  }));
}

function parseContainer(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function isReordered(expected: readonly Json[], actual: readonly Json[]): boolean {
  if (expected.length !== actual.length || expected.length > ALIGN_LIMIT) return false;
  const left = [...actual];
  return expected.every((item) => {
    const index = left.findIndex((other) => sameJson(item, other));
    if (index >= 0) left.splice(index, 1);
    return index >= 0;
  });
}

/** Alignment takes quadratic time; longer lists are compared position by position. */
const ALIGN_LIMIT = 200;

type Pairing = readonly [left: number | undefined, right: number | undefined];

/** Pairs the items of two lists: equal items first (longest common subsequence), then the items between them in order. */
function align(expected: readonly Json[], actual: readonly Json[]): Pairing[] {
  const anchors =
    expected.length === actual.length || Math.max(expected.length, actual.length) > ALIGN_LIMIT
      ? []
      : commonItems(expected, actual);
  const pairs: Pairing[] = [];
  let [left, right] = [0, 0];
  for (const [leftEnd, rightEnd] of [...anchors, [expected.length, actual.length] as const]) {
    while (left < leftEnd || right < rightEnd) {
      pairs.push([left < leftEnd ? left++ : undefined, right < rightEnd ? right++ : undefined]);
    }
    left = leftEnd + 1;
    right = rightEnd + 1;
  }
  return pairs;
}

function commonItems(expected: readonly Json[], actual: readonly Json[]): (readonly [number, number])[] {
  const equal = expected.map((item) => actual.map((other) => sameJson(item, other)));
  const longest = Array.from({ length: expected.length + 1 }, () => new Array<number>(actual.length + 1).fill(0));
  for (let i = expected.length - 1; i >= 0; i--) {
    for (let j = actual.length - 1; j >= 0; j--) {
      longest[i]![j] = equal[i]![j] ? longest[i + 1]![j + 1]! + 1 : Math.max(longest[i + 1]![j]!, longest[i]![j + 1]!);
    }
  }
  const found: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < expected.length && j < actual.length; ) {
    if (equal[i]![j]) found.push([i++, j++]);
    else if (longest[i + 1]![j]! >= longest[i]![j + 1]!) i++;
    else j++;
  }
  return found;
}
