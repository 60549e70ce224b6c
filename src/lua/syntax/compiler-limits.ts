import type {
  AssignStatement,
  BinaryExpression,
  CallExpression,
  Chunk,
  Expression,
  FunctionExpression,
  GenericForStatement,
  IndexExpression,
  MethodCallExpression,
  NameExpression,
  NumericForStatement,
  Statement,
  TableExpression,
  UnaryExpression,
} from './ast';
import { LuaSyntaxError } from './error';
import {
  type Bare,
  constantOf,
  givesSeveral,
  isCall,
  isComparison,
  isLogical,
  unparenthesized,
} from './expression-kinds';

/**
 * Refuses what the controller's Lua parses but cannot compile: a `break` outside a loop, `...` in a function without
 * it, more than 200 local variables or 200 registers in a function.
 *
 * Registers are counted as that compiler allots them: one for each local variable and for each value in waiting, none
 * for an operand that is a constant or a local variable.
 */
export function checkCompilerLimits(chunk: Chunk, chunkName: string): void {
  const main = { parameters: [], vararg: true, body: chunk.body, line: 0 };
  new FunctionLimits(main, chunkName, undefined).check(false);
}

const MAXIMUM_REGISTERS = 200;

/** A constant with a higher index needs a register even as an operand. */
const LARGEST_OPERAND_CONSTANT = 255;

/** So many list entries of a table constructor wait in registers before they are stored. */
const ENTRIES_PER_FLUSH = 50;

/**
 * Below this depth of one function nothing is counted any more. Only chains of operators, fields or calls get so deep:
 * the parser limits everything else.
 */
const MAXIMUM_DEPTH = 600;

/** How many values a call or `...` is to give: a number, none, or all of them. */
type Wanted = number | 'none' | 'all';

interface FunctionShape {
  readonly parameters: readonly NameExpression[];
  readonly vararg: boolean;
  readonly body: readonly Statement[];
  readonly line: number;
}

class FunctionLimits {
  /** Names of the local variables in scope, by register. */
  private readonly locals: string[] = [];
  private readonly constants = new Map<string | number, number>();
  private highest = 1;
  private loops = 0;
  private depth = 0;

  constructor(
    private readonly shape: FunctionShape,
    private readonly chunkName: string,
    private readonly parent: FunctionLimits | undefined,
  ) {}

  check(isMethod: boolean): void {
    const { parameters, vararg, body } = this.shape;
    if (parameters.length > MAXIMUM_REGISTERS) throw this.error(this.shape.line, 'register overflow');
    if (isMethod) this.declare('self');
    for (const { name } of parameters) this.declare(name);
    this.touch(this.locals.length);
    // The table of arguments of Lua 5.0, which the main chunk does not have.
    if (vararg && this.parent) this.declare('arg');
    this.statements(body);
    if (this.highest + 1 > MAXIMUM_REGISTERS) {
      throw this.error(this.shape.line, 'register overflow(too many local variables)');
    }
  }

  private statements(body: readonly Statement[]): void {
    for (const statement of body) this.statement(statement);
  }

  private statement(statement: Statement): void {
    switch (statement.kind) {
      case 'Local':
        this.assignRegisters(statement.names.length, statement.values, this.top);
        for (const { name } of statement.names) this.declare(name);
        break;
      case 'LocalFunction':
        this.declare(statement.name.name);
        this.closure(statement.function, false);
        break;
      case 'FunctionStatement':
        this.functionStatement(statement.target, statement.function, statement.method !== undefined);
        break;
      case 'Assign':
        this.assign(statement);
        break;
      case 'CallStatement':
        this.evaluate(statement.call, this.top, 'none');
        break;
      case 'Return':
        this.return(statement.values);
        break;
      case 'Break':
        if (this.loops === 0) throw this.error(statement.line, 'no loop to break');
        break;
      case 'If':
        for (const clause of statement.clauses) {
          this.condition(clause.condition);
          this.scope(() => this.statements(clause.body));
        }
        this.scope(() => this.statements(statement.otherwise ?? []));
        break;
      case 'Do':
        this.scope(() => this.statements(statement.body));
        break;
      default:
        this.loop(statement);
    }
  }

  private loop(statement: Extract<Statement, { kind: 'While' | 'Repeat' | 'NumericFor' | 'GenericFor' }>): void {
    if (statement.kind === 'While') this.condition(statement.condition);
    this.loops++;
    this.scope(() => {
      if (statement.kind === 'NumericFor') this.declareNumericFor(statement);
      if (statement.kind === 'GenericFor') this.declareGenericFor(statement);
      this.statements(statement.body);
      if (statement.kind === 'Repeat') this.condition(statement.condition);
    });
    this.loops--;
  }

  private declareNumericFor({ name, start, limit, step }: NumericForStatement): void {
    for (const value of [start, limit, step]) {
      const register = this.top;
      this.declare('(for)');
      if (value) this.evaluate(value, register, 1, register);
      else this.touch(register);
    }
    this.declare(name.name);
  }

  private declareGenericFor({ names, values }: GenericForStatement): void {
    const first = this.top;
    for (let count = 0; count < 3; count++) this.declare('(for)');
    this.assignRegisters(names.length, values, first, 3);
    for (const { name } of names) this.declare(name);
  }

  private functionStatement(target: NameExpression | IndexExpression, body: FunctionExpression, method: boolean): void {
    if (target.kind === 'Index') this.operand(target.object, this.top, 'constant');
    this.closure(body, method);
  }

  private assign({ targets, values }: AssignStatement): void {
    let register = this.top;
    for (const target of targets) {
      if (target.kind === 'Name') this.constant(target.name);
      else {
        register = this.operand(target.object, register, 'constant');
        register += this.evaluate(target.key, register, 1);
      }
    }
    targets.forEach((target, index) => {
      const value = values[index];
      if (!value) {
        if (!givesSeveral(values.at(-1))) this.touch(register++);
        return;
      }
      const isLast = index === values.length - 1;
      if (isLast && givesSeveral(value)) register += this.evaluate(value, register, targets.length - index);
      else if (target.kind === 'Index') register = this.operand(value, register, 'constant');
      else register += this.evaluate(value, register, 1, this.destination(target, index === targets.length - 1));
    });
    for (const value of values.slice(targets.length)) register += this.evaluate(value, register, 1);
  }

  /** The last local variable on the left is assigned directly. */
  private destination(target: NameExpression, isLast: boolean): number | undefined {
    const register = this.locals.lastIndexOf(target.name);
    return isLast && register >= 0 ? register : undefined;
  }

  private assignRegisters(names: number, values: readonly Expression[], first: number, places = names): void {
    let register = first;
    let assigned = 0;
    for (; assigned < names && assigned < values.length; ) {
      const value = values[assigned]!;
      if (assigned === values.length - 1 && givesSeveral(value)) {
        this.evaluate(value, register, Math.max(places - assigned, 0));
        register += places - assigned;
        assigned = names;
      } else {
        this.evaluate(value, register, 1, register);
        register++;
        assigned++;
      }
    }
    if (names > assigned) this.touch(register + names - assigned - 1);
    for (const value of values.slice(assigned)) register += this.evaluate(value, register, 1);
  }

  private return(values: readonly Expression[]): void {
    const only = values.length === 1 ? unparenthesized(values[0]!) : undefined;
    if (only?.kind === 'Name' && this.locals.includes(only.name)) return;
    let register = this.top;
    values.forEach((value, index) => {
      const all = index === values.length - 1 && (givesSeveral(value) || (only !== undefined && isCall(only)));
      register += this.evaluate(value, register, all ? 'all' : 1);
    });
  }

  private condition(condition: Expression): void {
    const expression = unparenthesized(condition);
    const literal = expression.kind === 'Nil' || constantOf(expression) !== undefined || expression.kind === 'Boolean';
    if (literal) return;
    if (expression.kind === 'Unary' && expression.operator === 'not') this.condition(expression.operand);
    else if (isLogical(expression)) this.conditions(expression);
    else if (isComparison(expression)) this.comparison(expression, this.top);
    else this.operand(expression, this.top, 'local');
  }

  private conditions({ left, right }: BinaryExpression): void {
    this.deeper(() => {
      this.condition(left);
      this.condition(right);
    });
  }

  /** Evaluates an expression that may stay where it is. Returns the first register that is free then. */
  private operand(expression: Expression, register: number, kept: 'local' | 'constant'): number {
    const inner = unparenthesized(expression);
    if (inner.kind === 'Name' && this.locals.includes(inner.name)) return register;
    if (kept === 'constant' && this.isOperandConstant(inner)) return register;
    return register + this.evaluate(expression, register, 1);
  }

  /**
   * Evaluates an expression into a register, or into the one of a local variable.
   * @returns how many registers hold its values then
   */
  private evaluate(expression: Expression, register: number, wanted: Wanted, destination = register): number {
    const inner = unparenthesized(expression);
    if (inner.kind !== 'Function') this.touch(destination);
    const used = destination < register ? 0 : 1;
    switch (inner.kind) {
      case 'Nil':
      case 'Boolean':
        return used;
      case 'Number':
      case 'String':
        this.isOperandConstant(inner);
        return used;
      case 'Name':
        if (!this.isVariable(inner.name)) this.constant(inner.name);
        return used;
      case 'Vararg':
        return this.varargs(inner.line, destination, wanted);
      case 'Function':
        this.closure(inner, false);
        return used;
      case 'Call':
      case 'MethodCall':
        this.deeper(() => this.call(inner, register));
        return this.valuesOf(register, wanted);
      case 'Table':
        this.deeper(() => this.table(inner, register));
        return 1;
      default:
        this.deeper(() => this.operation(inner, register));
        return used;
    }
  }

  private operation(expression: IndexExpression | UnaryExpression | BinaryExpression, register: number): void {
    if (expression.kind === 'Index') {
      const next = this.operand(expression.object, register, 'local');
      this.operand(expression.key, next, 'constant');
    } else if (expression.kind === 'Unary') {
      this.operand(expression.operand, register, 'local');
    } else if (isLogical(expression)) {
      this.evaluate(expression.left, register, 1);
      this.evaluate(expression.right, register, 1);
    } else if (expression.operator === '..') {
      this.concatenation(expression, register);
    } else {
      this.comparison(expression, register);
    }
  }

  private comparison({ left, right }: BinaryExpression, register: number): void {
    const next = this.operand(left, register, 'constant');
    this.operand(right, next, 'constant');
  }

  /** All parts of a chain wait in registers side by side. */
  private concatenation(expression: BinaryExpression, register: number): void {
    let next = register;
    let rest: Bare = expression;
    for (; rest.kind === 'Binary' && rest.operator === '..'; rest = unparenthesized(rest.right)) {
      next += this.evaluate(rest.left, next, 1);
    }
    this.evaluate(rest, next, 1);
  }

  private call(call: CallExpression | MethodCallExpression, register: number): void {
    let next: number;
    if (call.kind === 'Call') {
      next = register + this.evaluate(call.callee, register, 1);
    } else {
      next = Math.max(this.operand(call.object, register, 'local') + 1, register + 2);
      this.constant(call.method.text);
      this.touch(register + 1);
    }
    call.arguments.forEach((argument, index) => {
      const all = index === call.arguments.length - 1 && givesSeveral(argument);
      next += this.evaluate(argument, next, all ? 'all' : 1);
    });
  }

  private table({ fields }: TableExpression, register: number): void {
    let next = register + 1;
    let entries = 0;
    fields.forEach(({ key, value }, index) => {
      const isLast = index === fields.length - 1;
      if (key) {
        const afterKey = this.operand(key, next, 'constant');
        this.operand(value, afterKey, 'constant');
      } else if (isLast && givesSeveral(value)) {
        this.evaluate(value, next, 'all');
      } else {
        next += this.evaluate(value, next, 1);
        entries++;
      }
      if (entries > 0 && entries % ENTRIES_PER_FLUSH === 0) next = register + 1;
    });
  }

  private varargs(line: number, register: number, wanted: Wanted): number {
    if (!this.shape.vararg) throw this.error(line, "cannot use '...' outside a vararg function");
    return this.valuesOf(register, wanted);
  }

  private valuesOf(register: number, wanted: Wanted): number {
    if (wanted === 'none' || wanted === 'all') return 0;
    this.touch(register + wanted - 1);
    return wanted;
  }

  private closure(shape: FunctionExpression, isMethod: boolean): void {
    new FunctionLimits(shape, this.chunkName, this).check(isMethod);
  }

  private scope(inside: () => void): void {
    const { length } = this.locals;
    inside();
    this.locals.length = length;
  }

  private deeper(inside: () => void): void {
    if (this.depth >= MAXIMUM_DEPTH) return;
    this.depth++;
    inside();
    this.depth--;
  }

  private declare(name: string): void {
    this.locals.push(name);
    if (this.locals.length > MAXIMUM_REGISTERS) throw this.error(this.shape.line, 'too many local variables');
  }

  private get top(): number {
    return this.locals.length;
  }

  private touch(register: number): void {
    this.highest = Math.max(this.highest, register);
  }

  private isVariable(name: string): boolean {
    return this.locals.includes(name) || (this.parent?.isVariable(name) ?? false);
  }

  private constant(value: string | number): number {
    const known = this.constants.get(value);
    if (known !== undefined) return known;
    const index = this.constants.size;
    this.constants.set(value, index);
    return index;
  }

  private isOperandConstant(expression: Expression): boolean {
    const value = constantOf(expression);
    return value !== undefined && this.constant(value) <= LARGEST_OPERAND_CONSTANT;
  }

  private error(line: number, message: string): LuaSyntaxError {
    return LuaSyntaxError.ofCompiler(this.chunkName, line, message);
  }
}
