import type { BinaryExpression, Expression } from '../syntax/ast';
import { isComparison, isLogical, unparenthesized } from '../syntax/expression-kinds';
import { Op } from '../vm/interpreter';
import type { Label } from './code';
import { ExpressionCompiler, ONE, resultRegister, type Target } from './expression-compiler';
import { lineOf } from './source-line';

/** Where a condition leads. One of the two labels directly follows the condition. */
interface Branch {
  readonly whenTrue: Label;
  readonly whenFalse: Label;
  /** True if the code after the condition is that of `whenFalse`: the condition then jumps when it is true. */
  readonly jumpsWhenTrue: boolean;
}

/** The labels of an `and` or `or` that gives a value. */
interface LogicalLabels {
  /** Loads true, or false. */
  readonly loadTrue: Label;
  readonly loadFalse: Label;
  readonly end: Label;
  /** True once something jumps to `loadTrue` or `loadFalse`. */
  needsLoads: boolean;
}

/** Compiles conditions and logical operators to jumps. */
export abstract class ConditionCompiler extends ExpressionCompiler {
  /** Compiles the condition of an `if` or a loop. */
  protected condition(expression: Expression, register: number, branch: Branch): void {
    const bare = unparenthesized(expression);
    const { jumpsWhenTrue, whenTrue, whenFalse } = branch;
    if (!jumpsWhenTrue && (bare.kind === 'Nil' || (bare.kind === 'Boolean' && !bare.value))) {
      this.code.jump(whenFalse, lineOf(expression));
      return;
    }
    if (!jumpsWhenTrue && (bare.kind === 'Boolean' || bare.kind === 'Number' || bare.kind === 'String')) return;
    if (bare.kind === 'Unary' && bare.operator === 'not') {
      this.condition(bare.operand, register, {
        whenTrue: whenFalse,
        whenFalse: whenTrue,
        jumpsWhenTrue: !jumpsWhenTrue,
      });
    } else if (isLogical(bare)) {
      this.logical(bare, branch, (side, next) => this.condition(side, register, next));
    } else if (isComparison(bare)) {
      this.comparison(bare, register, jumpsWhenTrue, jumpsWhenTrue ? whenTrue : whenFalse, lineOf(expression));
    } else {
      const { at } = this.operand(expression, register, 'local');
      const line = lineOf(expression);
      this.code.add(Op.Test, at, 0, Number(jumpsWhenTrue), line);
      this.code.jump(jumpsWhenTrue ? whenTrue : whenFalse, line);
    }
  }

  protected comparisonValue(comparison: BinaryExpression, register: number, target: Target, line: number): void {
    const result = resultRegister(target, register);
    const isTrue = this.newLabel();
    this.comparison(comparison, register, true, isTrue, line);
    this.code.add(Op.LoadBool, result, 0, 1, line);
    this.place(isTrue);
    this.code.add(Op.LoadBool, result, 1, 0, line);
  }

  protected logicalValue(logical: BinaryExpression, register: number, target: Target, line: number): void {
    const end = this.newLabel();
    const labels = { loadTrue: this.newLabel(), loadFalse: this.newLabel(), end, needsLoads: false };
    this.logical(logical, { whenTrue: end, whenFalse: end, jumpsWhenTrue: false }, (side, next) =>
      this.logicalPart(side, register, target, next, labels),
    );
    if (labels.needsLoads) {
      const result = resultRegister(target, register);
      this.place(labels.loadFalse);
      this.code.add(Op.LoadBool, result, 0, 1, line);
      this.place(labels.loadTrue);
      this.code.add(Op.LoadBool, result, 1, 0, line);
    }
    const { last } = this.code;
    if (last?.op === Op.Jump && last.b === end) this.code.pop();
    this.place(end);
  }

  /** Compiles both sides of `and` or `or`; the left one leads to the right one, or out. */
  private logical(
    { operator, left, right }: BinaryExpression,
    branch: Branch,
    compile: (side: Expression, branch: Branch) => void,
  ): void {
    const second = this.newLabel();
    compile(
      left,
      operator === 'and'
        ? { whenTrue: second, whenFalse: branch.whenFalse, jumpsWhenTrue: false }
        : { whenTrue: branch.whenTrue, whenFalse: second, jumpsWhenTrue: true },
    );
    this.place(second);
    compile(right, branch);
  }

  /** Compiles an operand of `and` or `or`. Its value is the result if it decides the outcome. */
  private logicalPart(
    expression: Expression,
    register: number,
    target: Target,
    branch: Branch,
    labels: LogicalLabels,
  ): void {
    const bare = unparenthesized(expression);
    const line = lineOf(expression);
    switch (bare.kind) {
      case 'Boolean':
        this.booleanPart(bare.value, line, branch, labels);
        return;
      case 'Nil':
        if (branch.whenFalse === labels.end) this.expression(expression, register, target);
        this.code.jump(branch.whenFalse, line);
        return;
      case 'Number':
      case 'String':
        if (branch.whenTrue === labels.end) this.expression(expression, register, target);
        this.code.jump(branch.whenTrue, line);
        return;
    }
    if (isLogical(bare)) {
      this.logical(bare, branch, (side, next) => this.logicalPart(side, register, target, next, labels));
    } else if (isComparison(bare)) {
      this.comparisonPart(bare, register, branch, labels, line);
    } else {
      this.valuePart(expression, register, target, branch);
    }
  }

  private booleanPart(value: boolean, line: number, branch: Branch, labels: LogicalLabels): void {
    const out = value ? branch.whenTrue : branch.whenFalse;
    if (out !== labels.end) {
      this.code.jump(out, line);
      return;
    }
    this.code.jump(value ? labels.loadTrue : labels.loadFalse, line);
    labels.needsLoads = true;
  }

  private comparisonPart(
    comparison: BinaryExpression,
    register: number,
    branch: Branch,
    labels: LogicalLabels,
    line: number,
  ): void {
    const { whenTrue, whenFalse } = branch;
    let { jumpsWhenTrue } = branch;
    let label = jumpsWhenTrue ? whenTrue : whenFalse;
    if (whenTrue === whenFalse) {
      jumpsWhenTrue = !jumpsWhenTrue;
      label = labels.loadTrue;
    } else if (whenTrue === labels.end) {
      label = labels.loadTrue;
    } else if (whenFalse === labels.end) {
      label = labels.loadFalse;
    }
    if (label === labels.loadTrue || label === labels.loadFalse) labels.needsLoads = true;
    this.comparison(comparison, register, jumpsWhenTrue, label, line);
  }

  private valuePart(expression: Expression, register: number, target: Target, branch: Branch): void {
    const { jumpsWhenTrue, whenTrue, whenFalse } = branch;
    const line = lineOf(expression);
    const result = resultRegister(target, register);
    if (!jumpsWhenTrue && whenTrue === whenFalse) {
      const { local, results } = target;
      this.expression(expression, register, {
        results,
        ...(local === undefined ? {} : { local: Math.max(register, local) }),
      });
      const { last } = this.code;
      if (last?.op === Op.Move && last.a === register) last.a = result;
      else this.code.add(Op.Move, result, register, 0, line);
    } else {
      this.expression(expression, register, ONE);
      if (result === register) this.code.add(Op.Test, register, 0, Number(jumpsWhenTrue), line);
      else this.code.add(Op.TestSet, result, register, Number(jumpsWhenTrue), line);
    }
    this.code.jump(jumpsWhenTrue ? whenTrue : whenFalse, line);
  }

  /** Compares, and jumps if the answer is the wanted one. */
  private comparison(
    comparison: BinaryExpression,
    register: number,
    wanted: boolean,
    label: Label,
    line: number,
  ): void {
    const left = this.operand(comparison.left, register, 'local or constant');
    const right = this.operand(comparison.right, left.next, 'local or constant');
    const { op, swapped, negated } = COMPARISONS[comparison.operator as keyof typeof COMPARISONS];
    const [b, c] = swapped ? [right.at, left.at] : [left.at, right.at];
    this.code.add(op, Number(wanted !== negated), b, c, line);
    this.code.jump(label, line);
  }
}

/** `a > b` is `b < a`; both sides are still evaluated in their order. */
const COMPARISONS = {
  '<': { op: Op.Lt, swapped: false, negated: false },
  '>': { op: Op.Lt, swapped: true, negated: false },
  '<=': { op: Op.Le, swapped: false, negated: false },
  '>=': { op: Op.Le, swapped: true, negated: false },
  '==': { op: Op.Eq, swapped: false, negated: false },
  '~=': { op: Op.Eq, swapped: false, negated: true },
} as const;
