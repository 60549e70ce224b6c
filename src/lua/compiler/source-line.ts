import type { Expression } from '../syntax/ast';
import { isCall } from '../syntax/expression-kinds';

/**
 * The line that gopher-lua gives the instructions of an expression: the one where it starts. Parentheses count as the
 * start, except around a call.
 */
export function lineOf(expression: Expression): number {
  switch (expression.kind) {
    case 'Binary':
      return lineOf(expression.left);
    case 'Unary':
      return lineOf(expression.operand);
    case 'Index':
    case 'MethodCall':
      return lineOf(expression.object);
    case 'Call':
      return lineOf(expression.callee);
    case 'Parenthesized':
      return isCall(expression.expression) ? lineOf(expression.expression) : expression.line;
    default:
      return expression.line;
  }
}
