import { pow } from './pow';

/** Arithmetic metamethods, by their names in errors. */
export type ArithmeticEvent = 'add' | 'sub' | 'mul' | 'div' | 'mod' | 'pow';

/** An arithmetic operator on numbers. */
export function calculate(event: ArithmeticEvent, left: number, right: number): number {
  switch (event) {
    case 'add':
      return left + right;
    case 'sub':
      return left - right;
    case 'mul':
      return left * right;
    case 'div':
      return left / right;
    case 'mod':
      return modulo(left, right);
    case 'pow':
      return pow(left, right);
  }
}

/** gopher-lua's `%`, which is wrong for a negative left operand that divides evenly, and for two negative ones. */
export function modulo(left: number, right: number): number {
  const remainder = left % right;
  return left < 0 || right < 0 ? remainder + right : remainder;
}
