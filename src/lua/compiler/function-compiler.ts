import type {
  Expression,
  FunctionExpression,
  FunctionStatement,
  IfStatement,
  IndexExpression,
  NameExpression,
  ReturnStatement,
  Statement,
} from '../syntax/ast';
import { givesSeveral, isCall, unparenthesized } from '../syntax/expression-kinds';
import { Op } from '../vm/interpreter';
import type { Prototype, UpvalueSource } from '../vm/prototype';
import { assemble, highestRegister } from './assemble';
import { ALL, ONE } from './expression-compiler';
import { type FunctionState, MAXIMUM_REGISTERS } from './function-state';
import { LoopCompiler } from './loop-compiler';

/** The parts of a function or a chunk that its compiler needs. */
export interface FunctionShape {
  readonly parameters: readonly NameExpression[];
  readonly vararg: boolean;
  readonly body: readonly Statement[];
  readonly line: number;
  readonly endLine: number;
  /** True if the parameter `self` comes before the others. */
  readonly isMethod: boolean;
}

/** Compiles the statements of one function. */
export class FunctionCompiler extends LoopCompiler {
  protected readonly parameters: number;
  protected readonly isVararg: boolean;

  constructor(
    private readonly shape: FunctionShape,
    chunkName: string,
    parent: FunctionState | undefined,
  ) {
    super(chunkName, parent, shape.line);
    this.parameters = shape.parameters.length + (shape.isMethod ? 1 : 0);
    this.isVararg = shape.vararg;
  }

  compile(): Prototype {
    const { parameters, vararg, body, line, endLine, isMethod } = this.shape;
    if (parameters.length > MAXIMUM_REGISTERS) throw this.error(line, 'register overflow');
    if (isMethod) this.declare('self');
    for (const { name } of parameters) this.declare(name);
    // Lua 5.0's table of arguments, which the main chunk does not have.
    const hasArg = vararg && this.parent !== undefined;
    if (hasArg) this.declare('arg');
    this.statements(body);
    this.code.add(Op.Return, 0, 1, 0, endLine);
    const registers = highestRegister(this.code.instructions, Math.max(this.parameters, 1)) + 1;
    if (registers > MAXIMUM_REGISTERS) throw this.error(line, 'register overflow(too many local variables)');
    return {
      ...assemble(this.code.instructions, this.labels, this.callNames),
      chunkName: this.chunkName,
      constants: this.constants,
      prototypes: this.prototypes,
      upvalues: this.upvalues.map((name) => this.source(name)),
      parameters: this.parameters,
      isVararg: vararg,
      needsArg: hasArg && !this.usesVarargs,
      registers,
    };
  }

  protected statements(body: readonly Statement[]): void {
    for (const statement of body) this.statement(statement);
  }

  protected closure(
    { parameters, vararg, body, endLine, ...expression }: FunctionExpression,
    register: number,
    isMethod: boolean,
    line = expression.line,
  ): void {
    const shape = { parameters, vararg, body, line, endLine, isMethod };
    const prototype = new FunctionCompiler(shape, this.chunkName, this).compile();
    this.code.add(Op.Closure, register, this.prototypes.push(prototype) - 1, 0, line);
    // gopher-lua's compiler adds a word for each captured variable.
    for (const _ of prototype.upvalues) this.code.add(Op.Nop, 0, 0, 0, line);
  }

  /** Where a closure of this function finds a variable. Captures it from the enclosing function. */
  private source(name: string): UpvalueSource {
    return (this.parent as FunctionCompiler).captured(name);
  }

  private captured(name: string): UpvalueSource {
    const block = this.blockOf(name);
    if (block === undefined) return { inRegister: false, index: this.upvalue(name) };
    block.captured = true;
    return { inRegister: true, index: block.find(name)! };
  }

  private statement(statement: Statement): void {
    switch (statement.kind) {
      case 'Local':
        this.local(statement.names, statement.values, statement.line);
        break;
      case 'LocalFunction':
        this.local([statement.name], [statement.function], statement.line);
        break;
      case 'FunctionStatement':
        this.functionStatement(statement);
        break;
      case 'Assign':
        this.assign(statement);
        break;
      case 'CallStatement':
        this.expression(statement.call, this.top, { results: 0 });
        break;
      case 'Return':
        this.return(statement);
        break;
      case 'Break':
        this.break(statement.line);
        break;
      case 'If':
        this.if(statement, 0);
        break;
      case 'Do':
        this.enterBlock(statement.endLine);
        this.statements(statement.body);
        this.leaveBlock();
        break;
      case 'While':
        this.whileLoop(statement);
        break;
      case 'Repeat':
        this.repeatLoop(statement);
        break;
      case 'NumericFor':
        this.numericFor(statement);
        break;
      case 'GenericFor':
        this.genericFor(statement);
    }
  }

  /** As in gopher-lua, `local f = function() … end` declares `f` before the function, like `local function f()`. */
  private local(names: readonly NameExpression[], values: readonly Expression[], line: number): void {
    const register = this.top;
    const isFunction = names.length === 1 && values.length === 1 && unparenthesized(values[0]!).kind === 'Function';
    if (isFunction) this.declare(names[0]!.name);
    this.declaredValues(names.length, values, register, names.length, line);
    if (!isFunction) for (const { name } of names) this.declare(name);
  }

  private functionStatement({ target, method, function: body }: FunctionStatement): void {
    if (method === undefined) {
      this.assign({ targets: [target], values: [body] }, lineOfName);
      return;
    }
    const object = this.operand(target, this.top, 'local or constant');
    const name = this.nameOperand(method.text, object.next, body.line);
    this.closure(body, name.next, true);
    this.code.add(this.storeOp(method, name.at), object.at, name.at, name.next, lineOfName(target));
  }

  private return({ values, line }: ReturnStatement): void {
    const first = this.top;
    const only = values.length === 1 ? unparenthesized(values[0]!) : undefined;
    const local = only?.kind === 'Name' ? this.localRegister(only.name) : undefined;
    if (local !== undefined) {
      this.code.add(Op.Return, local, 2, 0, line);
      return;
    }
    if (only !== undefined && isCall(only) && givesSeveral(values[0])) {
      this.expression(only, first, { results: ALL });
      this.code.last!.op = Op.TailCall;
      this.code.add(Op.Return, first, 0, 0, line);
      return;
    }
    let register = first;
    let several = false;
    values.forEach((value, index) => {
      several = index === values.length - 1 && givesSeveral(value);
      const used = this.expression(value, register, several ? { results: ALL } : ONE);
      if (!several) register += used;
    });
    this.code.add(Op.Return, first, several ? 0 : register - first + 1, 0, line);
  }

  private break(line: number): void {
    let { block } = this;
    while (block.breakLabel === undefined && block.parent !== undefined) block = block.parent;
    if (block.breakLabel === undefined) throw this.error(line, 'no loop to break');
    // As in gopher-lua, the captured variables of inner blocks are not closed.
    if (block.captured) this.code.add(Op.Close, block.parent!.end, 0, 0, line);
    this.code.jump(block.breakLabel, line);
  }

  private if(statement: IfStatement, index: number): void {
    const { clauses, otherwise = [] } = statement;
    const [whenTrue, whenFalse, end] = [this.newLabel(), this.newLabel(), this.newLabel()];
    const clause = clauses[index]!;
    const isLast = index === clauses.length - 1;
    const hasElse = !isLast || otherwise.length > 0;
    this.condition(clause.condition, this.top, { whenTrue, whenFalse, jumpsWhenTrue: false });
    this.place(whenTrue);
    this.branch(clause.body);
    if (hasElse) this.code.jump(end, clause.line);
    this.place(whenFalse);
    if (!hasElse) return;
    if (isLast) this.branch(otherwise);
    else this.if(statement, index + 1);
    this.place(end);
  }

  private branch(body: readonly Statement[]): void {
    if (body.length === 0) return;
    this.enterBlock(body[body.length - 1]!.endLine);
    this.statements(body);
    this.leaveBlock();
  }
}

/** The line of a function's name: that of its last part. */
function lineOfName(target: NameExpression | IndexExpression): number {
  return target.kind === 'Name' ? target.line : target.key.line;
}
