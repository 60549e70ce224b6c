import { Op, WIDTH } from '../vm/interpreter';
import type { Prototype } from '../vm/prototype';
import type { Instruction } from './code';

/** How many jumps gopher-lua follows from one to the next. */
const MOST_HOPS = 5;

/** The highest register that a function uses, as gopher-lua counts. */
export function highestRegister(instructions: readonly Instruction[], atLeast: number): number {
  return instructions.reduce((highest, instruction) => Math.max(highest, registerOf(instruction)), atLeast);
}

function registerOf({ op, a, b, c }: Instruction): number {
  switch (op) {
    case Op.Call:
      return a + c - 2;
    case Op.VarArg:
      return a + b - 1;
    case Op.Self:
      return a + 1;
    case Op.LoadNil:
      return b;
    default:
      return COUNTS_NO_REGISTER.has(op) ? 0 : a;
  }
}

const COUNTS_NO_REGISTER = new Set([
  Op.SetGlobal,
  Op.SetUpvalue,
  Op.Eq,
  Op.Lt,
  Op.Le,
  Op.Test,
  Op.TailCall,
  Op.Return,
  Op.Jump,
  Op.ForPrep,
  Op.ForLoop,
  Op.TForLoop,
  Op.SetList,
  Op.Close,
  Op.Closure,
]);

/**
 * The target of each jump. gopher-lua resolves jumps in place, and follows a jump to another jump. It misreads the distance
 * of a jump that is already resolved as a label, and so may jump to the wrong place.
 */
export function resolveJumps(instructions: readonly Instruction[], labels: readonly number[]): Map<number, number> {
  const distances = new Map<number, number>();
  const labelled = (at: number) => labels[(distances.get(at) ?? instructions[at]!.b) - 1] ?? 0;
  for (const [at, { op }] of instructions.entries()) {
    if (op !== Op.Jump) continue;
    let distance = 0;
    let next = at;
    // gopher-lua replaced a jump by no distance with an instruction that does nothing.
    for (let hop = 0; hop < MOST_HOPS && instructions[next]!.op === Op.Jump && distances.get(next) !== 0; hop++) {
      distance = labelled(next) - at;
      next = at + distance + 1;
    }
    distances.set(at, distance);
  }
  // The end of a generic loop also reads a jump that was replaced, and takes its label for the distance.
  const jumped = (at: number, distance: number) =>
    distance === 0 && instructions[at - 1]?.op === Op.TForLoop ? instructions[at]!.b : distance;
  const last = instructions.length - 1;
  return new Map([...distances].map(([at, distance]) => [at, Math.min(at + 1 + jumped(at, distance), last)]));
}

/** Writes the instructions that the interpreter runs: a test and its jump become one. */
export function assemble(
  instructions: readonly Instruction[],
  labels: readonly number[],
  callNames: ReadonlyMap<number, string>,
): Pick<Prototype, 'code' | 'lines' | 'callNames'> {
  const targets = resolveJumps(instructions, labels);
  const entered = new Set(targets.values());
  const written: Written[] = [];
  const places: number[] = [];
  const names: Record<number, string> = {};
  for (const [at, instruction] of instructions.entries()) {
    places.push(written.length);
    const name = callNames.get(at);
    if (name !== undefined) names[written.length] = name;
    const { op, a, b, c, line } = instruction;
    const target = targets.get(at)!;
    if (op === Op.ForPrep || op === Op.ForLoop) written.push({ op, a, b: 0, target: b, line });
    else if (op === Op.Jump) {
      written.push(...jump(instruction, instructions[at - 1], at, target, entered.has(at)));
      if (entered.has(at)) places[at] = written.length - 1;
    }
    // A test is written together with the jump that follows it.
    else if (op !== Op.Nop && op !== Op.TForLoop && !CONDITIONAL.has(op)) written.push({ op, a, b, c, line });
  }
  const code = new Int32Array(written.length * WIDTH);
  const lines = new Int32Array(written.length);
  for (let index = 0; index < written.length; index++) {
    const { op, a, b, c = 0, target, line } = written[index]!;
    const at = index * WIDTH;
    code[at] = op;
    code[at + 1] = a;
    code[at + 2] = b;
    code[at + 3] = target === undefined ? c : (places[target]! - index - 1) * WIDTH;
    lines[index] = line;
  }
  return { code, lines, callNames: names };
}

/** An instruction of the interpreter. A jump has a target in place of the operand C. */
interface Written {
  readonly op: Op;
  readonly a: number;
  readonly b: number;
  readonly c?: number;
  /** The index of the compiler's instruction. */
  readonly target?: number;
  readonly line: number;
}

/** Writes a jump, and the test before it. */
function jump(
  { line }: Instruction,
  before: Instruction | undefined,
  at: number,
  target: number,
  isEntered: boolean,
): Written[] {
  const plain = { op: Op.Jump, a: 0, b: 0, target, line };
  if (before?.op === Op.TForLoop) return [{ ...before, b: before.c, c: 0, target }];
  const ops = before && CONDITIONAL.get(before.op);
  if (ops === undefined) return [plain];
  const { op, a, b, c } = before!;
  const isComparison = op === Op.Eq || op === Op.Lt || op === Op.Le;
  const wanted = isComparison ? a : c;
  const test = isComparison ? { a: b, b: c, line } : { a, b, line };
  if (target > at && !isEntered) return [{ ...test, op: ops[wanted]!, target }];
  // Only plain jumps go backwards, since they charge for time. A plain jump is also the target of jumps to this one.
  return [{ ...test, op: ops[1 - wanted]!, target: at + 1 }, plain];
}

/** The conditional jumps of a test: taken if it fails, taken if it succeeds. */
const CONDITIONAL: ReadonlyMap<Op, readonly [unless: Op, when: Op]> = new Map([
  [Op.Eq, [Op.JumpUnlessEq, Op.JumpIfEq]],
  [Op.Lt, [Op.JumpUnlessLt, Op.JumpIfLt]],
  [Op.Le, [Op.JumpUnlessLe, Op.JumpIfLe]],
  [Op.Test, [Op.JumpUnless, Op.JumpIf]],
  [Op.TestSet, [Op.SetAndJumpUnless, Op.SetAndJumpIf]],
]);
