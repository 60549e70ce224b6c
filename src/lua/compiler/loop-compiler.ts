import type {
  GenericForStatement,
  NumericForStatement,
  RepeatStatement,
  Statement,
  WhileStatement,
} from '../syntax/ast';
import { Op } from '../vm/interpreter';
import { AssignmentCompiler } from './assignment-compiler';
import { lineOf } from './source-line';

/** Compiles loops. */
export abstract class LoopCompiler extends AssignmentCompiler {
  protected abstract statements(body: readonly Statement[]): void;

  protected whileLoop({ condition, body, endLine }: WhileStatement): void {
    const [whenTrue, whenFalse, start] = [this.newLabel(), this.newLabel(), this.newLabel()];
    this.place(start);
    this.condition(condition, this.top, { whenTrue, whenFalse, jumpsWhenTrue: false });
    this.place(whenTrue);
    this.enterBlock(endLine, whenFalse);
    this.statements(body);
    this.closeCaptured();
    this.code.jump(start, endLine);
    this.leaveBlock();
    this.place(whenFalse);
  }

  protected repeatLoop({ condition, body }: RepeatStatement): void {
    const endLine = lineOf(condition);
    const [start, end, again] = [this.newLabel(), this.newLabel(), this.newLabel()];
    this.place(start);
    this.place(again);
    this.enterBlock(endLine, end);
    this.statements(body);
    this.condition(condition, this.top, { whenTrue: end, whenFalse: again, jumpsWhenTrue: false });
    this.place(end);
    const closed = this.leaveBlock();
    if (closed === undefined) return;
    const behind = this.newLabel();
    this.code.jump(behind, endLine);
    this.place(again);
    this.code.add(Op.Close, closed, 0, 0, endLine);
    this.code.jump(start, endLine);
    this.place(behind);
  }

  protected numericFor({ name, start, limit, step, body, line, endLine }: NumericForStatement): void {
    const end = this.newLabel();
    this.enterBlock(endLine, end);
    const index = this.top;
    for (const value of [start, limit, step]) {
      const register = this.top;
      this.declare('(for)');
      if (value !== undefined) this.expression(value, register, { results: 1, local: register });
      else this.code.add(Op.LoadK, register, this.constant(1), 0, lineOf(start));
    }
    const prepare = this.code.add(Op.ForPrep, index, 0, 0, line);
    this.declare(name.name);
    const first = this.code.next;
    this.statements(body);
    this.leaveBlock();
    prepare.b = this.code.next;
    this.code.add(Op.ForLoop, index, first, 0, line);
    this.place(end);
  }

  protected genericFor({ names, values, body, line, endLine }: GenericForStatement): void {
    const [end, start, next] = [this.newLabel(), this.newLabel(), this.newLabel()];
    this.enterBlock(endLine, end);
    const iterator = this.top;
    for (let count = 0; count < 3; count++) this.declare('(for)');
    this.declaredValues(names.length, values, iterator, 3, line);
    this.code.jump(next, line);
    for (const { name } of names) this.declare(name);
    this.place(start);
    this.statements(body);
    this.leaveBlock();
    this.place(next);
    this.code.add(Op.TForLoop, iterator, 0, names.length, line);
    this.code.jump(start, line);
    this.place(end);
  }
}
