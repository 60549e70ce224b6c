import { Op } from '../vm/interpreter';

/** One instruction while its function is compiled. A jump holds its label in `b` until `assemble` resolves it. */
export interface Instruction {
  op: Op;
  a: number;
  b: number;
  c: number;
  readonly line: number;
}

/** A place that jumps go to; see `FunctionState.newLabel`. */
export type Label = number;

/** The instructions of a function. */
export class Code {
  readonly instructions: Instruction[] = [];

  /** Appends an instruction and returns it. */
  add(op: Op, a: number, b: number, c: number, line: number): Instruction {
    const instruction = { op, a, b, c, line };
    this.instructions.push(instruction);
    return instruction;
  }

  jump(label: Label, line: number): void {
    this.add(Op.Jump, 0, label, 0, line);
  }

  /**
   * Sets a range of registers to nil. Extends a LoadNil before it where gopher-lua does: its condition adds the two ends
   * of the range, so it also merges ranges that have other registers between them.
   */
  loadNil(from: number, to: number, line: number): void {
    const { last } = this;
    if (last?.op === Op.LoadNil && last.a + last.b === from) last.b = to;
    else this.add(Op.LoadNil, from, to, 0, line);
  }

  pop(): void {
    this.instructions.pop();
  }

  get last(): Instruction | undefined {
    return this.instructions[this.instructions.length - 1];
  }

  /** The index of the next instruction. */
  get next(): number {
    return this.instructions.length;
  }
}
