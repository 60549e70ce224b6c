import type { BinaryOperator, Expression } from '../syntax/ast';
import { unparenthesized } from '../syntax/expression-kinds';
import { calculate } from '../vm/arithmetic';

/** The value of a number, of a negative number, or of arithmetic with numbers only. */
export function constantNumber(expression: Expression): number | undefined {
  const bare = unparenthesized(expression);
  if (bare.kind === 'Number') return bare.value;
  if (bare.kind === 'Unary' && bare.operator === '-') {
    const operand = constantNumber(bare.operand);
    return operand === undefined ? undefined : -operand;
  }
  if (bare.kind !== 'Binary') return undefined;
  const event = ARITHMETIC.get(bare.operator);
  if (event === undefined) return undefined;
  const left = constantNumber(bare.left);
  const right = left === undefined ? undefined : constantNumber(bare.right);
  return right === undefined ? undefined : calculate(event, left!, right);
}

/** Arithmetic operators and their metamethods. */
export const ARITHMETIC = new Map<BinaryOperator, 'add' | 'sub' | 'mul' | 'div' | 'mod' | 'pow'>([
  ['+', 'add'],
  ['-', 'sub'],
  ['*', 'mul'],
  ['/', 'div'],
  ['%', 'mod'],
  ['^', 'pow'],
]);
