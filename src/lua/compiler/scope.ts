import type { Label } from './code';

/** A block of statements with its local variables. Registers count up through nested blocks. */
export class Block {
  private readonly names: string[] = [];
  /** True once a closure captures one of the variables, so that leaving the block has to close it. */
  captured = false;

  constructor(
    readonly parent: Block | undefined,
    private readonly first: number,
    /** Where `break` jumps to; only the block of a loop has it. */
    readonly breakLabel: Label | undefined,
    readonly endLine: number,
  ) {}

  /** Gives the variable the next register. */
  declare(name: string): number {
    return this.first + this.names.push(name) - 1;
  }

  /** The register of the variable declared last under this name in this block. */
  find(name: string): number | undefined {
    const index = this.names.lastIndexOf(name);
    return index < 0 ? undefined : this.first + index;
  }

  /** The first register behind the variables. */
  get end(): number {
    return this.first + this.names.length;
  }
}
