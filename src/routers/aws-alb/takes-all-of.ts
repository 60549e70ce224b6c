/** Whether a rule takes every request that another one takes, by their conditions. */
import { sameJson } from '../../core/json';
import type { Condition, TextCondition } from './model';
import { wildcardPattern } from './pattern';

/** Whether all requests that meet the second conditions meet the first. Expressions are compared as text. */
export function takesAllOf(wide: readonly Condition[], narrow: readonly Condition[]): boolean {
  return wide.every((condition) => narrow.some((other) => includes(condition, other)));
}

function includes(wide: Condition, narrow: Condition): boolean {
  if (sameJson(wide as never, narrow as never)) return true;
  if (wide.field !== narrow.field || !isPattern(wide) || !isPattern(narrow) || narrow.regexValues) return false;
  const { field, values: patterns = [] } = wide;
  const { values = [] } = narrow;
  const ignoreCase = field === 'host-header';
  return values.length > 0 && values.every((value) => patterns.some((each) => matchesAll(each, value, ignoreCase)));
}

function isPattern(condition: Condition): condition is TextCondition {
  return condition.field === 'host-header' || condition.field === 'path-pattern';
}

/** Whether a pattern matches all texts that another one matches. What is not sure counts as no. */
function matchesAll(pattern: string, other: string, ignoreCase: boolean): boolean {
  if (pattern === other) return true;
  if (!/[*?]/.test(other)) return wildcardPattern(pattern, { ignoreCase })(other);
  const [before, after] = pattern.split('*') as [string, string | undefined];
  if (after === undefined || /[*?]/.test(`${before}${after}`) || pattern.split('*').length > 2) return false;
  const [start] = other.split(/[*?]/, 1) as [string];
  const end = other.slice(other.search(/[^*?]*$/));
  return start.startsWith(before) && end.endsWith(after);
}
