import { matchesPattern, type ReadCondition } from './policy-document';

/** What AWS knows of a request when it reads conditions: keys in lower case. */
export type RequestContext = ReadonlyMap<string, string>;

const NEGATED = /^StringNot/i;
const LIKE = /Like$/i;
const SET = /^For(Any|All)Values?:/i;
const STRING = /^(ForAnyValue:|ForAllValues:)?String(Not)?(Equals|EqualsIgnoreCase|Like)(IfExists)?$/i;

/**
 * Whether a condition holds in a request. Undefined where this cannot be told: other operators than those of strings,
 * keys that are neither in the context nor among those that `knows` tells, and values with variables.
 *
 * @param knows whether the context would hold the key if the request had it
 */
export function conditionHolds(
  { operator, key, values }: ReadCondition,
  context: RequestContext,
  knows: (key: string) => boolean,
): boolean | undefined {
  const known = key.toLowerCase();
  if (!STRING.test(operator) || !(context.has(known) || knows(known))) return undefined;
  if (values.some((value) => value.includes('${'))) return undefined;
  const name = operator.replace(SET, '').replace(/IfExists$/i, '');
  const ifMissing = NEGATED.test(name) || /IfExists$/i.test(operator) || /^ForAllValues?:/i.test(operator);
  const actual = context.get(known);
  if (actual === undefined) return ifMissing;
  const fits = values.some((value) => fitsValue(name, value, actual));
  return NEGATED.test(name) ? !fits : fits;
}

function fitsValue(operator: string, value: string, actual: string): boolean {
  if (LIKE.test(operator)) return matchesPattern(value, actual);
  return /IgnoreCase$/i.test(operator) ? value.toLowerCase() === actual.toLowerCase() : value === actual;
}
