import type { FengariConstant, FengariInstruction, FengariPrototype } from './fengari';
import { ENVIRONMENT } from './fengari-modules';
import { CONSTANT, Op, WIDTH } from './interpreter';
import type { Value } from './value';

/** Items that one instruction of a table constructor stores. */
const FIELDS_PER_FLUSH = 50;

/** Where a closure finds the variables it captures: registers of the enclosing function, or what that one captured. */
export interface UpvalueSource {
  readonly inRegister: boolean;
  readonly index: number;
}

/** A compiled function. It holds nothing that a run could change. */
export interface Prototype {
  readonly chunkName: string;
  readonly code: Int32Array;
  readonly constants: readonly Value[];
  readonly prototypes: readonly Prototype[];
  readonly upvalues: readonly UpvalueSource[];
  readonly parameters: number;
  readonly isVararg: boolean;
  /** True when the local `arg` is filled with the further arguments: the function does not use `...` itself. */
  readonly needsArg: boolean;
  readonly registers: number;
  /** The line of each instruction. */
  readonly lines: Int32Array;
  readonly lineDefined: number;
  /** What the script calls the function that an instruction calls: `find` in `s:find()`. */
  readonly callNames: Readonly<Record<number, string>>;
}

/** Turns what fengari compiled into what the interpreter runs. */
export function toPrototype(fengari: FengariPrototype, opcodes: readonly string[], chunkName: string): Prototype {
  const writer = new CodeWriter(fengari, opcodes);
  const usesVarargs = fengari.code.some(({ opcode }) => opcodes[opcode] === 'VARARG');
  return {
    chunkName,
    code: writer.write(),
    constants: fengari.k.map(constantValue),
    prototypes: fengari.p.map((each) => toPrototype(each, opcodes, chunkName)),
    upvalues: fengari.upvalues.map(({ instack, idx }) => ({ inRegister: instack, index: idx })),
    parameters: fengari.numparams,
    isVararg: fengari.is_vararg,
    needsArg: fengari.hasArg === true && !usesVarargs,
    registers: fengari.maxstacksize,
    lines: Int32Array.from(fengari.lineinfo),
    lineDefined: fengari.linedefined,
    callNames: callNames(fengari),
  };
}

function constantValue({ value }: FengariConstant): Value {
  if (value === null) return undefined;
  return typeof value === 'object' ? value.text : value;
}

function callNames({ callnames = {} }: FengariPrototype): Record<number, string> {
  return Object.fromEntries(Object.entries(callnames).map(([at, name]) => [at, name?.text ?? '?']));
}

type Operands = readonly [op: Op, a: number, b: number, c: number];

class CodeWriter {
  constructor(
    private readonly fengari: FengariPrototype,
    private readonly opcodes: readonly string[],
  ) {}

  write(): Int32Array {
    const { code } = this.fengari;
    const written = new Int32Array(code.length * WIDTH);
    for (let at = 0; at < code.length; at++) written.set(this.translate(code[at]!, code[at + 1]), at * WIDTH);
    return written;
  }

  private translate(instruction: FengariInstruction, next: FengariInstruction | undefined): Operands {
    const { A, B, C, Bx, sBx } = instruction;
    const name = this.opcodes[instruction.opcode]!;
    switch (name) {
      case 'LOADK':
        return [Op.LoadK, A, Bx, 0];
      case 'LOADKX':
        return [Op.LoadK, A, next!.Ax, 0];
      case 'GETTABUP':
        if (!this.isEnvironment(B)) return [Op.GetUpvalueTable, A, B, C];
        return this.isString(C) ? [Op.GetGlobal, A, C - CONSTANT, 0] : [Op.GetEnvironment, A, C, 0];
      case 'SETTABUP':
        if (!this.isEnvironment(A)) return [Op.SetUpvalueTable, A, B, C];
        return this.isString(B) ? [Op.SetGlobal, B - CONSTANT, C, 0] : [Op.SetEnvironment, B, C, 0];
      case 'GETTABLE':
        return this.isString(C) ? [Op.GetField, A, B, C - CONSTANT] : [Op.GetTable, A, B, C];
      case 'SETTABLE':
        return this.isString(B) ? [Op.SetField, A, B - CONSTANT, C] : [Op.SetTable, A, B, C];
      case 'SETLIST':
        return [Op.SetList, A, B, ((C === 0 ? next!.Ax : C) - 1) * FIELDS_PER_FLUSH];
      case 'JMP':
      case 'FORLOOP':
      case 'FORPREP':
      case 'TFORLOOP':
        return [SAME.get(name)!, A, sBx * WIDTH, 0];
      case 'CLOSURE':
        return [Op.Closure, A, Bx, 0];
      case 'EXTRAARG':
        return [Op.Jmp, 0, 0, 0];
      default:
        return [this.same(name), A, B, C];
    }
  }

  private same(name: string): Op {
    const op = SAME.get(name);
    if (op === undefined) throw new Error(`no script of Lua 5.1 compiles to ${name}`);
    return op;
  }

  private isEnvironment(upvalue: number): boolean {
    return this.fengari.upvalues[upvalue]!.name.text === ENVIRONMENT;
  }

  private isString(operand: number): boolean {
    return operand >= CONSTANT && typeof constantValue(this.fengari.k[operand - CONSTANT]!) === 'string';
  }
}

const SAME = new Map<string, Op>([
  ['MOVE', Op.Move],
  ['LOADBOOL', Op.LoadBool],
  ['LOADNIL', Op.LoadNil],
  ['GETUPVAL', Op.GetUpvalue],
  ['SETUPVAL', Op.SetUpvalue],
  ['NEWTABLE', Op.NewTable],
  ['SELF', Op.Self],
  ['ADD', Op.Add],
  ['SUB', Op.Sub],
  ['MUL', Op.Mul],
  ['MOD', Op.Mod],
  ['POW', Op.Pow],
  ['DIV', Op.Div],
  ['UNM', Op.Unm],
  ['NOT', Op.Not],
  ['LEN', Op.Len],
  ['CONCAT', Op.Concat],
  ['JMP', Op.Jmp],
  ['EQ', Op.Eq],
  ['LT', Op.Lt],
  ['LE', Op.Le],
  ['TEST', Op.Test],
  ['TESTSET', Op.TestSet],
  ['CALL', Op.Call],
  ['TAILCALL', Op.TailCall],
  ['RETURN', Op.Return],
  ['FORLOOP', Op.ForLoop],
  ['FORPREP', Op.ForPrep],
  ['TFORCALL', Op.TForCall],
  ['TFORLOOP', Op.TForLoop],
  ['VARARG', Op.VarArg],
]);
