import { matchesPattern, type ReadCondition } from './policy-document';

/** The condition keys of a request, in lower case. */
export type RequestContext = ReadonlyMap<string, string>;

const NEGATED = /^StringNot/i;
const LIKE = /Like$/i;
const SET = /^For(Any|All)Values?:/i;
const STRING = /^(ForAnyValue:|ForAllValues:)?String(Not)?(Equals|EqualsIgnoreCase|Like)(IfExists)?$/i;

/**
 * Whether a condition holds for a request. Undefined if that is unknown: for operators other than those of strings, for
 * keys that are neither in the context nor accepted by `knows`, and for values with variables.
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
