import type {
  BinaryExpression,
  CallExpression,
  Expression,
  FunctionExpression,
  IndexExpression,
  MethodCallExpression,
  NameExpression,
  TableExpression,
  UnaryExpression,
} from '../syntax/ast';
import { type Bare, isComparison, isLogical, unparenthesized } from '../syntax/expression-kinds';
import { latin1Text } from '../text/bytes';
import { CONSTANT, Op } from '../vm/interpreter';
import { ARITHMETIC, constantNumber } from './fold';
import { FunctionState } from './function-state';
import { lineOf } from './source-line';

/** All values of a call or of `...`. */
export const ALL = -1;

/** What an expression is compiled for. */
export interface Target {
  /** The local variable that gets the value; none for the next register. */
  readonly local?: number;
  /** How many values a call or `...` gives, or `ALL`. */
  readonly results: number;
}

/** One value in the next register. */
export const ONE: Target = { results: 1 };

/** Where an instruction reads an operand, and the next free register. */
interface Operand {
  readonly at: number;
  readonly next: number;
}

/** Which operands are read in place, without a register of their own. */
type Kept = 'local' | 'local or constant';

const ARITHMETIC_OPS = {
  add: Op.Add,
  sub: Op.Sub,
  mul: Op.Mul,
  div: Op.Div,
  mod: Op.Mod,
  pow: Op.Pow,
} as const;

/** Compiles expressions, each into a register. */
export abstract class ExpressionCompiler extends FunctionState {
  protected abstract call(
    call: CallExpression | MethodCallExpression,
    register: number,
    target: Target,
    line: number,
  ): number;
  protected abstract table(table: TableExpression, register: number, target: Target, line: number): void;
  protected abstract closure(expression: FunctionExpression, register: number, isMethod: boolean, line?: number): void;
  protected abstract varargs(result: number, register: number, target: Target, line: number): number;
  protected abstract comparisonValue(
    comparison: BinaryExpression,
    register: number,
    target: Target,
    line: number,
  ): void;
  protected abstract logicalValue(logical: BinaryExpression, register: number, target: Target, line: number): void;

  /** Compiles an expression. Returns how many registers hold its values from `register` on. */
  protected expression(expression: Expression, register: number, target: Target): number {
    const bare = unparenthesized(expression);
    const line = lineOf(expression);
    const result = resultRegister(target, register);
    switch (bare.kind) {
      case 'String':
      case 'Number':
        this.code.add(Op.LoadK, result, this.constant(literal(bare)), 0, line);
        break;
      case 'Nil':
        this.code.loadNil(result, result, line);
        break;
      case 'Boolean':
        this.code.add(Op.LoadBool, result, bare.value ? 1 : 0, 0, line);
        break;
      case 'Name':
        this.name(bare, result, line);
        break;
      case 'Vararg':
        return this.varargs(result, register, target, line);
      case 'Call':
      case 'MethodCall':
        return this.call(bare, register, target, line);
      case 'Table':
        this.table(bare, register, target, line);
        return 1;
      case 'Function':
        this.closure(bare, result, false, line);
        break;
      case 'Index':
        this.index(bare, register, result, line);
        break;
      case 'Unary':
        this.unary(bare, register, result, line);
        break;
      case 'Binary':
        this.binary(bare, register, result, target, line);
        break;
    }
    return result < register ? 0 : 1;
  }

  /** Compiles an expression that an instruction may read where it is, without filling a register for it. */
  protected operand(expression: Expression, register: number, kept: Kept): Operand {
    const used = this.expression(expression, register, ONE);
    if (isLogical(unparenthesized(expression))) return { at: register, next: register + used };
    return this.keptOperand(register, used, kept);
  }

  /** Takes back the last instruction if it only fills a register with a local variable or a constant. */
  protected keptOperand(register: number, used: number, kept: Kept): Operand {
    const { last } = this.code;
    if (last !== undefined && last.a >= this.top) {
      const constant = last.op === Op.LoadK && last.b < CONSTANT && kept === 'local or constant';
      if (constant || last.op === Op.Move) {
        this.code.pop();
        return { at: constant ? last.b + CONSTANT : last.b, next: register };
      }
    }
    return { at: register, next: register + used };
  }

  /** A name as an operand: a constant, or a register if there are too many constants. */
  protected nameOperand(name: string, register: number, line: number): Operand {
    const index = this.constant(name);
    if (index < CONSTANT) return { at: index + CONSTANT, next: register };
    this.code.add(Op.LoadK, register, index, 0, line);
    return { at: register, next: register + 1 };
  }

  private name({ name }: NameExpression, result: number, line: number): void {
    switch (this.kindOf(name)) {
      case 'local':
        this.code.add(Op.Move, result, this.localRegister(name)!, 0, line);
        break;
      case 'upvalue':
        this.code.add(Op.GetUpvalue, result, this.upvalue(name), 0, line);
        break;
      case 'global':
        this.code.add(Op.GetGlobal, result, this.constant(name), 0, line);
    }
  }

  private index(expression: IndexExpression, register: number, result: number, line: number): void {
    const object = this.operand(expression.object, register, 'local');
    const key = this.operand(expression.key, object.next, 'local or constant');
    const op = unparenthesized(expression.key).kind === 'String' && key.at >= CONSTANT ? Op.GetField : Op.GetTable;
    this.code.add(op, result, object.at, key.at, line);
  }

  private unary(expression: UnaryExpression, register: number, result: number, line: number): void {
    const folded = constantNumber(expression);
    if (folded !== undefined) {
      this.code.add(Op.LoadK, result, this.constant(folded), 0, line);
      return;
    }
    const bare = unparenthesized(expression.operand);
    if (expression.operator === 'not' && (bare.kind === 'Boolean' || bare.kind === 'Nil')) {
      const isTrue = bare.kind === 'Boolean' && bare.value;
      this.code.add(Op.LoadBool, result, isTrue ? 0 : 1, 0, line);
      return;
    }
    const operand = this.operand(expression.operand, register, 'local');
    const op = { '-': Op.Unm, not: Op.Not, '#': Op.Len }[expression.operator];
    this.code.add(op, result, operand.at, 0, line);
  }

  private binary(expression: BinaryExpression, register: number, result: number, target: Target, line: number): void {
    const { operator } = expression;
    if (isLogical(expression)) this.logicalValue(expression, register, target, line);
    else if (isComparison(expression)) this.comparisonValue(expression, register, target, line);
    else if (operator === '..') this.concatenation(expression, register, result, line);
    else this.arithmetic(expression, register, result, line);
  }

  private arithmetic(expression: BinaryExpression, register: number, result: number, line: number): void {
    const folded = constantNumber(expression);
    if (folded !== undefined) {
      this.code.add(Op.LoadK, result, this.constant(folded), 0, line);
      return;
    }
    const left = this.operand(expression.left, register, 'local or constant');
    const right = this.operand(expression.right, left.next, 'local or constant');
    this.code.add(ARITHMETIC_OPS[ARITHMETIC.get(expression.operator)!], result, left.at, right.at, line);
  }

  /** All parts of a chain wait in neighbouring registers for one instruction. */
  private concatenation(expression: BinaryExpression, register: number, result: number, line: number): void {
    let next = register;
    let last = register;
    let rest: Expression = expression;
    for (let bare: Bare = expression; isConcatenation(bare); bare = unparenthesized(rest)) {
      next += this.expression(bare.left, next, ONE);
      last++;
      rest = bare.right;
    }
    this.expression(rest, next, ONE);
    this.code.add(Op.Concat, result, register, last, line);
  }
}

/** The register that gets the value: a local variable, or the next register. */
export function resultRegister({ local }: Target, register: number): number {
  return local ?? register;
}

function isConcatenation(expression: Bare): expression is BinaryExpression {
  return expression.kind === 'Binary' && expression.operator === '..';
}

function literal(expression: Extract<Bare, { kind: 'String' | 'Number' }>): string | number {
  return expression.kind === 'Number' ? expression.value : latin1Text(expression.value);
}
