/** Which requests a release sends to its canary, whatever controller writes the routes. */

/** A condition on the path of a request. */
export interface PathCondition {
  /**
   * How the path is compared. `PathPrefix` compares whole segments.
   * @default 'PathPrefix'
   */
  readonly type?: 'Exact' | 'PathPrefix' | 'RegularExpression';
  /**
   * The path, the prefix or the expression.
   * @default '/'
   */
  readonly value?: string;
}

/** A condition on a header or on a query parameter. */
export interface ValueCondition {
  /**
   * How the value is compared.
   * @default 'Exact'
   */
  readonly type?: 'Exact' | 'RegularExpression';
  /** The header or the parameter. */
  readonly name: string;
  /** The value or the expression. */
  readonly value: string;
  /**
   * Values that meet the condition as well.
   * @default - none
   */
  readonly otherValues?: readonly string[];
}

/**
 * A set of conditions that a request must all meet.
 * @example const match: Match = { headers: [{ name: 'user-agent', value: 'pc' }] };
 */
export interface Match {
  /**
   * The condition on the path.
   * @default - any path
   */
  readonly path?: PathCondition;
  /**
   * The conditions on headers.
   * @default - none
   */
  readonly headers?: readonly ValueCondition[];
  /**
   * The conditions on query parameters.
   * @default - none
   */
  readonly queryParams?: readonly ValueCondition[];
}

/**
 * Formats the conditions of a match.
 * @example summaryOf({ headers: [{ name: 'user-agent', value: 'pc' }] }) // 'user-agent: pc'
 */
export function summaryOf(match: Match): string {
  const parts = [
    ...(match.path === undefined ? [] : [match.path.value ?? '/']),
    ...(match.headers ?? []).map(({ name, value }) => `${name}: ${value}`),
    ...(match.queryParams ?? []).map(({ name, value }) => `?${name}=${value}`),
  ];
  return parts.join(', ') || 'empty match';
}

/** Formats alternatives: `user-agent: pc or ?v=2`. */
export function summaryOfAll(matches: readonly Match[]): string {
  return matches.map(summaryOf).join(' or ');
}

/** Removes duplicates and keeps the order. */
export function distinctMatches(matches: readonly Match[]): readonly Match[] {
  return [...new Map(matches.map((match) => [JSON.stringify(match), match])).values()];
}
