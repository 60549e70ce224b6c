import { LuaSyntaxError } from '../syntax/error';
import { Op } from '../vm/interpreter';
import type { Prototype } from '../vm/prototype';
import type { Value } from '../vm/value';
import { Code, type Label } from './code';
import { Block } from './scope';

/** gopher-lua's limit of registers in a function. */
export const MAXIMUM_REGISTERS = 200;

const MAXIMUM_CONSTANTS = 262_144;

/** How a name resolves inside a function. */
export type NameKind = 'local' | 'upvalue' | 'global';

/** The state of a function while it is compiled: code, constants, scopes and captured variables. */
export abstract class FunctionState {
  protected readonly code = new Code();
  protected readonly prototypes: Prototype[] = [];
  protected readonly constants: Value[] = [];
  /** The names of called functions by the index of the call instruction. */
  protected readonly callNames = new Map<number, string>();
  /** The last instruction before each label. */
  protected readonly labels: number[] = [];
  /** Names of captured variables. gopher-lua distinguishes them by name only. */
  readonly upvalues: string[] = [];
  private readonly constantIndexes = new Map<Value, number>();
  protected block = new Block(undefined, 0, undefined, 0);
  private registers = 0;

  constructor(
    protected readonly chunkName: string,
    protected readonly parent: FunctionState | undefined,
    protected readonly line: number,
  ) {}

  protected newLabel(): Label {
    // Counts from one: `assemble` reads label 0, which is never placed.
    return this.labels.push(0);
  }

  /** Puts a label behind the last instruction. */
  protected place(label: Label): void {
    this.labels[label - 1] = this.code.next - 1;
  }

  /** The index of a constant, which is added if it is new. 0 and -0 are the same constant, every NaN is a new one. */
  protected constant(value: string | number): number {
    const known = Number.isNaN(value) ? undefined : this.constantIndexes.get(value);
    if (known !== undefined) return known;
    const index = this.constants.push(value) - 1;
    if (index >= MAXIMUM_CONSTANTS) throw this.error(this.line, 'too many constants');
    this.constantIndexes.set(value, index);
    return index;
  }

  /** The index of a captured variable, which is added if it is new. */
  protected upvalue(name: string): number {
    const known = this.upvalues.indexOf(name);
    return known >= 0 ? known : this.upvalues.push(name) - 1;
  }

  /** Declares a local variable in the next register. */
  protected declare(name: string): number {
    const register = this.block.declare(name);
    this.setTop(this.registers + 1);
    return register;
  }

  /** The first register without a local variable. */
  protected get top(): number {
    return this.registers;
  }

  protected localRegister(name: string): number | undefined {
    return this.blockOf(name)?.find(name);
  }

  /** The innermost block that declares a name. */
  protected blockOf(name: string): Block | undefined {
    let block: Block | undefined = this.block;
    while (block !== undefined && block.find(name) === undefined) block = block.parent;
    return block;
  }

  protected kindOf(name: string): NameKind {
    if (this.blockOf(name) !== undefined) return 'local';
    let outer = this.parent;
    while (outer !== undefined && outer.blockOf(name) === undefined) outer = outer.parent;
    return outer === undefined ? 'global' : 'upvalue';
  }

  protected enterBlock(endLine: number, breakLabel?: Label): void {
    this.block = new Block(this.block, this.registers, breakLabel, endLine);
  }

  /** Leaves the innermost block. Returns the first register that was closed, if variables of the block were captured. */
  protected leaveBlock(): number | undefined {
    const closed = this.closeCaptured();
    this.block = this.block.parent!;
    this.setTop(this.block.end);
    return closed;
  }

  /** Closes the captured variables of the innermost block. */
  protected closeCaptured(): number | undefined {
    if (!this.block.captured) return undefined;
    const first = this.block.parent!.end;
    this.code.add(Op.Close, first, 0, 0, this.block.endLine);
    return first;
  }

  protected error(line: number, message: string): LuaSyntaxError {
    return LuaSyntaxError.ofCompiler(this.chunkName, line, message);
  }

  private setTop(top: number): void {
    if (top > MAXIMUM_REGISTERS) throw this.error(this.line, 'too many local variables');
    this.registers = top;
  }
}
