import type { CallExpression, Expression, Field, MethodCallExpression, TableExpression } from '../syntax/ast';
import { givesSeveral, unparenthesized } from '../syntax/expression-kinds';
import { latin1Text } from '../text/bytes';
import { CONSTANT, Op } from '../vm/interpreter';
import { ConditionCompiler } from './condition-compiler';
import { ALL, ONE, type Target } from './expression-compiler';
import { lineOf } from './source-line';

/** How many list items of a table constructor wait in registers before one instruction stores them. */
const ITEMS_PER_STORE = 50;

/** gopher-lua stores the items of later batches under wrong keys. */
const MAXIMUM_BATCH = 511;

/** Compiles calls, `...` and table constructors, which take or return several values. */
export abstract class CallCompiler extends ConditionCompiler {
  protected abstract readonly parameters: number;
  protected abstract readonly isVararg: boolean;
  /** True if the function uses `...`, so that it gets no `arg` table. */
  protected usesVarargs = false;

  protected call(call: CallExpression | MethodCallExpression, register: number, target: Target, line: number): number {
    // If the result goes to the last parameter, gopher-lua calls in its register: it overwrites the parameter too early.
    const first = target.local !== undefined && target.local === this.parameters - 1 ? target.local : register;
    const next = call.kind === 'Call' ? this.callee(call, first) : this.method(call, first, line);
    const several = this.pushArguments(call.arguments, next);
    const count = call.arguments.length + (call.kind === 'Call' ? 0 : 1);
    this.callNames.set(this.code.next, calledName(call));
    this.code.add(Op.Call, first, several ? 0 : count + 1, target.results + 1, line);
    // The controller's VM then clears the registers after it, and reads the result from one of them.
    if (first !== register) this.code.add(Op.LoadNil, first + 1, Math.max(register - 1, first + count), 0, line);
    if (target.results === 1 && target.local !== undefined && target.local !== first) {
      this.code.add(Op.Move, target.local, first, 0, line);
      return 1;
    }
    return this.top > first + 1 + target.results || target.results < 0 ? 0 : target.results;
  }

  protected varargs(result: number, register: number, { results }: Target, line: number): number {
    if (!this.isVararg) throw this.error(line, "cannot use '...' outside a vararg function");
    this.usesVarargs = true;
    this.code.add(Op.VarArg, result, results + 1, 0, line);
    return this.top > result + 1 + results || results < 0 ? 0 : result + results - register;
  }

  protected table({ fields }: TableExpression, register: number, { local }: Target, line: number): void {
    this.code.add(Op.NewTable, register, 0, 0, line);
    let next = register + 1;
    let items = 0;
    for (const [index, field] of fields.entries()) {
      const isLast = index === fields.length - 1;
      const several = isLast && givesSeveral(field.value);
      let open = false;
      let stored: number | undefined;
      if (field.key !== undefined) {
        const value = this.keyedField(field, field.key, register, next, line);
        // gopher-lua mistakes a call under the last key for the last list item, and stores its value there as well.
        if (several) stored = value - register;
      } else {
        open = several;
        next += this.expression(field.value, next, several ? { results: ALL } : ONE);
        if (!several) items++;
      }
      const isFull = items % ITEMS_PER_STORE === 0;
      if (!open && (items === 0 || !(isFull || isLast))) continue;
      stored ??= items % ITEMS_PER_STORE || ITEMS_PER_STORE;
      this.storeItems(register, items, open ? 0 : stored, lineOf(field.key ?? field.value));
      next = register + 1;
    }
    if (local !== undefined && local !== register) this.code.add(Op.Move, local, register, 0, line);
  }

  /** Compiles a field with a key. Returns the register of its value. */
  private keyedField(field: Field, key: Expression, table: number, register: number, line: number): number {
    const keyAt = this.operand(key, register, 'local or constant');
    const value = this.operand(field.value, keyAt.next, 'local or constant');
    this.code.add(this.storeOp(key, keyAt.at), table, keyAt.at, value.at, line);
    return keyAt.next;
  }

  /** The instruction that stores under a key. */
  protected storeOp(key: Expression, operand: number): Op {
    return unparenthesized(key).kind === 'String' && operand >= CONSTANT ? Op.SetField : Op.SetTable;
  }

  /** Stores the items that wait in registers; `waiting` is 0 if the last item returns any number of values. */
  private storeItems(table: number, items: number, waiting: number, line: number): void {
    const batch = Math.trunc((items - 1) / ITEMS_PER_STORE) + 1;
    const stored = batch > MAXIMUM_BATCH ? 0 : batch;
    this.code.add(Op.SetList, table, waiting, (stored - 1) * ITEMS_PER_STORE, line);
    // gopher-lua's instruction is two words long here.
    if (stored === 0) this.code.add(Op.Nop, 0, 0, 0, line);
  }

  private callee(call: CallExpression, register: number): number {
    return register + this.expression(call.callee, register, ONE);
  }

  private method(call: MethodCallExpression, register: number, line: number): number {
    const object = this.operand(call.object, register, 'local');
    const name = this.nameOperand(call.method.text, object.next, line);
    this.code.add(Op.Self, register, object.at, name.at, line);
    return Math.max(object.at + 1, register + 2);
  }

  /** Pushes arguments. Returns true if the last one gives any number of values. */
  private pushArguments(list: readonly Expression[], register: number): boolean {
    let next = register;
    let several = false;
    list.forEach((argument, index) => {
      several = index === list.length - 1 && givesSeveral(argument);
      next += this.expression(argument, next, several ? { results: ALL } : ONE);
    });
    return several;
  }
}

/** The name that errors give a called function. */
function calledName(call: CallExpression | MethodCallExpression): string {
  if (call.kind === 'MethodCall') return call.method.text;
  const callee = unparenthesized(call.callee);
  if (callee.kind === 'Name') return callee.name;
  const key = callee.kind === 'Index' ? unparenthesized(callee.key) : undefined;
  return key?.kind === 'String' ? latin1Text(key.value) : '?';
}
