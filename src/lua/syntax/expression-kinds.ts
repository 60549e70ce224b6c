import type { BinaryExpression, Expression } from './ast';

/** An expression without parentheses around it. */
export type Bare = Exclude<Expression, { kind: 'Parenthesized' }>;

/** Removes the parentheses. */
export function unparenthesized(expression: Expression): Bare {
  let inner = expression;
  while (inner.kind === 'Parenthesized') inner = inner.expression;
  return inner;
}

/** True for `f()` and `a:b()`. */
export function isCall(expression: Expression): boolean {
  return expression.kind === 'Call' || expression.kind === 'MethodCall';
}

/** True for a call or `...` without parentheses around it. */
export function givesSeveral(expression: Expression | undefined): boolean {
  return expression !== undefined && (isCall(expression) || expression.kind === 'Vararg');
}

/** True for `and` and `or`. */
export function isLogical(expression: Expression): expression is BinaryExpression & { operator: 'and' | 'or' } {
  return expression.kind === 'Binary' && (expression.operator === 'and' || expression.operator === 'or');
}

const COMPARISONS = new Set(['<', '>', '<=', '>=', '==', '~=']);

/** True for a comparison. */
export function isComparison(expression: Expression): expression is BinaryExpression {
  return expression.kind === 'Binary' && COMPARISONS.has(expression.operator);
}
