import type { AssignStatement, Expression, IndexExpression, NameExpression } from '../syntax/ast';
import { givesSeveral, isLogical, unparenthesized } from '../syntax/expression-kinds';
import { CONSTANT, Op } from '../vm/interpreter';
import { CallCompiler } from './call-compiler';
import { ONE, type Target } from './expression-compiler';
import type { NameKind } from './function-state';
import { lineOf } from './source-line';

type LineOf = (target: NameExpression | IndexExpression) => number;

/** A place on the left of an assignment. */
interface Place {
  readonly kind: NameKind | 'table';
  readonly line: number;
  /** The local variable, the name's constant, or the captured variable; the table of a field. */
  readonly at: number;
  /** The key of a field: its register, and the expression. */
  readonly key: number;
  readonly keyExpression: Expression | undefined;
  /** For a local variable, false once its value was compiled straight into it. */
  waits: boolean;
  /** Where the value of a field is. */
  value: number;
}

const NO_PLACE = { at: 0, key: 0, keyExpression: undefined, waits: false, value: 0 };

/** Compiles assignments. */
export abstract class AssignmentCompiler extends CallCompiler {
  protected assign(
    { targets, values }: Pick<AssignStatement, 'targets' | 'values'>,
    lineOfTarget: LineOf = lineOf,
  ): void {
    const places: Place[] = [];
    let register = this.top;
    for (const target of targets) {
      if (target.kind === 'Name') {
        places.push(this.variable(target, lineOfTarget(target)));
        continue;
      }
      const object = this.operand(target.object, register, 'local or constant');
      const used = this.expression(target.key, object.next, ONE);
      const key = targets.length === 1 ? this.constantKey(target.key, object.next) : object.next;
      places.push({
        ...NO_PLACE,
        kind: 'table',
        line: lineOfTarget(target),
        at: object.at & 0xff,
        key,
        keyExpression: target.key,
      });
      register = object.next + used;
    }
    let last = this.assignedValues(places, values, register) - 1;
    for (const place of places.reverse()) last -= this.store(place, last);
  }

  /** Compiles values straight into the registers of variables that are declared with them. */
  protected declaredValues(names: number, values: readonly Expression[], first: number, wanted: number, line: number) {
    let register = first;
    let assigned = 0;
    while (assigned < names && assigned < values.length) {
      const value = values[assigned]!;
      if (assigned === values.length - 1 && givesSeveral(value)) {
        this.expression(value, register, { results: wanted - assigned });
        register += wanted - assigned;
        assigned = names;
      } else {
        this.expression(value, register, { results: 1, local: register });
        register++;
        assigned++;
      }
    }
    if (names > assigned) {
      const rest = names - assigned - 1;
      this.code.loadNil(register, register + rest, line);
      register += rest;
    }
    this.extraValues(values, assigned, register);
  }

  private variable({ name }: NameExpression, line: number): Place {
    const kind = this.kindOf(name);
    switch (kind) {
      case 'local':
        return { ...NO_PLACE, kind, line, at: this.localRegister(name)! };
      case 'upvalue':
        return { ...NO_PLACE, kind, line, at: this.upvalue(name) };
      case 'global':
        return { ...NO_PLACE, kind, line, at: this.constant(name) };
    }
  }

  /** Reads a key that is a constant where it is. It keeps its register, which counts towards the limit. */
  private constantKey(key: Expression, register: number): number {
    const { last } = this.code;
    if (last?.op !== Op.LoadK || last.b >= CONSTANT || isLogical(unparenthesized(key))) return register;
    last.op = Op.Nop;
    return last.b + CONSTANT;
  }

  /** Compiles the values. Returns the first register after the values that wait to be stored. */
  private assignedValues(places: readonly Place[], values: readonly Expression[], register: number): number {
    let next = register;
    for (let index = 0; index < places.length; index++) {
      const place = places[index]!;
      const value = values[index];
      if (value !== undefined && index === values.length - 1 && givesSeveral(value)) {
        next = this.severalValues(places.slice(index), value, next);
        break;
      }
      // Only the last variable on the left is assigned directly.
      const isDirect = place.kind === 'local' && index === places.length - 1;
      next = this.assignedValue(place, value, next, isDirect ? { results: 1, local: place.at } : ONE);
    }
    this.extraValues(values, places.length, next);
    return next;
  }

  private assignedValue(place: Place, value: Expression | undefined, register: number, target: Target): number {
    let used: number;
    if (value === undefined) {
      this.code.loadNil(target.local ?? register, target.local ?? register, place.line);
      used = target.local === undefined ? 1 : 0;
    } else {
      used = this.expression(value, register, target);
    }
    place.value = register;
    if (place.kind !== 'table') {
      place.waits = used !== 0;
      return register + used;
    }
    if (value !== undefined && isLogical(unparenthesized(value))) return register + used;
    const kept = this.keptOperand(register, used, 'local or constant');
    place.value = kept.at;
    return kept.next;
  }

  private severalValues(places: readonly Place[], value: Expression, register: number): number {
    const used = this.expression(value, register, { results: places.length });
    for (const [index, place] of places.slice(0, Math.max(used, 0)).entries()) {
      place.waits = true;
      place.value = register + index;
    }
    return register + used;
  }

  /** Values without a variable are evaluated, and dropped. */
  private extraValues(values: readonly Expression[], from: number, register: number): void {
    let next = register;
    for (let index = from; index < values.length; index++) {
      next += this.expression(values[index]!, next, index === values.length - 1 ? { results: 0 } : ONE);
    }
  }

  /** Stores the value that waits in `register`. Returns how many registers that frees. */
  private store({ kind, at, key, keyExpression, line, value, waits }: Place, register: number): number {
    switch (kind) {
      case 'local':
        if (!waits) return 0;
        this.code.add(Op.Move, at, register, 0, line);
        return 1;
      case 'global':
        this.code.add(Op.SetGlobal, at, register, 0, line);
        return 1;
      case 'upvalue':
        this.code.add(Op.SetUpvalue, register, at, 0, line);
        return 1;
      case 'table':
        this.code.add(this.storeOp(keyExpression!, key), at, key, value, line);
        return value >= CONSTANT ? 0 : 1;
    }
  }
}
