/** How much time and memory one run may take. What is left when it is spent is not looked at, and is named. */

/** The limits of a run, as plain data that threads can be given. */
export interface BudgetLimits {
  /** Seconds of all work together. */
  readonly seconds: number;
  /** Bytes that the objects of the program take in addition to those that it had before. */
  readonly memory: number;
  /** When the run began, in milliseconds since 1970. */
  readonly began: number;
}

/** Reaching the end of a budget within a piece of work. */
export class BudgetSpent extends Error {}

/** Tells whether a budget is spent. Work asks between pieces that take no longer than a second. */
export class Budget {
  private why: string | undefined;
  private asked = 0;
  private readonly before: number;

  /** @param usedMemory the bytes that the program takes now, where a program can know that */
  constructor(
    readonly limits: BudgetLimits,
    private readonly usedMemory: () => number = () => 0,
  ) {
    this.before = usedMemory();
  }

  /** What of it is spent: `the time of 60 s`; undefined while there is some left. */
  spent(): string | undefined {
    if (this.why !== undefined) return this.why;
    const { seconds, memory, began } = this.limits;
    if (Date.now() - began > seconds * 1000) this.why = `the time of ${seconds} s`;
    // Asking for the memory takes longer than asking for the time.
    else if (this.asked++ % 16 === 0 && this.usedMemory() - this.before > memory)
      this.why = `the memory of ${memoryText(memory)}`;
    return this.why;
  }

  /** Ends a piece of work that nobody needs any more. */
  check(): void {
    const why = this.spent();
    if (why !== undefined) throw new BudgetSpent(why);
  }
}

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;

function memoryText(bytes: number): string {
  return bytes >= GIB ? `${Math.round((bytes / GIB) * 10) / 10} GB` : `${Math.round(bytes / MIB)} MB`;
}
