import { anyClass, type ByteClass, letterClass, literalClass, rangeClass, unionClass } from './pattern-class';

/** One step of the matcher. */
export type Instruction =
  | { readonly op: 'byte'; readonly class: ByteClass }
  /** As many bytes of the class as possible, then fewer. */
  | { readonly op: 'greedy'; readonly class: ByteClass; readonly least: number; readonly most: number }
  /** No byte of the class, then more. */
  | { readonly op: 'lazy'; readonly class: ByteClass }
  /** Notes the position in a slot; slots 0 and 1 are the whole match, 2 and 3 the first capture. */
  | { readonly op: 'save'; readonly slot: number }
  | { readonly op: 'savePosition'; readonly slot: number }
  | { readonly op: 'balance'; readonly open: number; readonly close: number }
  | { readonly op: 'backReference'; readonly slot: number }
  | { readonly op: 'end' }
  | { readonly op: 'match' };

/** A pattern ready to be matched. */
export interface Program {
  readonly instructions: readonly Instruction[];
  /** The pattern starts with `^`: only the first position is tried. */
  readonly anchored: boolean;
}

/** A pattern that is malformed, or a capture that does not exist; the message is the controller's own. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

/**
 * Compiles a Lua pattern as the controller does. Differs from Lua 5.1 in what it takes for an error (`%` at the end is
 * none), in `%f` (the letter f), and in a range with a class at an end, which matches nothing.
 */
export function compilePattern(pattern: string): Program {
  return new PatternCompiler(pattern).compile();
}

/** Keeps the programs of a script's patterns: scripts use few patterns, again and again. */
export class Patterns {
  private readonly programs = new Map<string, Program>();

  /** @throws PatternError when the pattern is malformed */
  program(pattern: string): Program {
    const kept = this.programs.get(pattern);
    if (kept !== undefined) return kept;
    const program = compilePattern(pattern);
    if (pattern.length > LONGEST_KEPT) return program;
    if (this.programs.size >= MOST_KEPT) this.programs.clear();
    this.programs.set(pattern, program);
    return program;
  }
}

const MOST_KEPT = 256;
const LONGEST_KEPT = 128;

const CARET = 0x5e;
const PERCENT = 0x25;
const DOLLAR = 0x24;
const OPEN = 0x28;
const CLOSE = 0x29;
const STAR = 0x2a;
const PLUS = 0x2b;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const QUESTION = 0x3f;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const LETTER_B = 0x62;
const END = -1;

class PatternCompiler {
  private readonly instructions: Instruction[] = [{ op: 'save', slot: 0 }];
  /** Slots of the captures that are still open. */
  private readonly open: number[] = [];
  private nextSlot = 2;
  private next = 0;
  /** Something was read past the end. */
  private exhausted = false;
  /** The last item is a single class, which `*` and its like repeat. */
  private repeatable = false;

  constructor(private readonly pattern: string) {}

  compile(): Program {
    const anchored = this.peek() === CARET;
    if (anchored) this.read();
    while (this.peek() !== END) this.compileItem();
    this.read();
    if (this.open.length > 0) throw this.error('unfinished capture');
    this.emit({ op: 'save', slot: 1 }, { op: 'match' });
    return { instructions: this.instructions, anchored };
  }

  private compileItem(): void {
    switch (this.peek()) {
      case PERCENT:
        this.compileEscape();
        break;
      case OPEN:
        this.compileOpen();
        break;
      case CLOSE:
        this.compileClose();
        break;
      case STAR:
      case PLUS:
      case MINUS:
      case QUESTION:
        this.compileRepetition();
        break;
      case DOLLAR:
        this.compileDollar();
        break;
      default:
        this.emitClass(this.parseClass());
        break;
    }
  }

  private compileEscape(): void {
    const letter = this.at(this.next + 1);
    if (letter === ZERO) {
      this.read();
      throw this.error('invalid capture index');
    }
    if (letter > ZERO && letter <= NINE) {
      this.skip(2);
      this.emitOther({ op: 'backReference', slot: (letter - ZERO) * 2 });
    } else if (letter === LETTER_B) {
      this.skip(2);
      this.emitOther({ op: 'balance', open: this.read(), close: this.read() });
    } else {
      this.emitClass(this.parseClass());
    }
  }

  private compileOpen(): void {
    this.read();
    const slot = this.nextSlot;
    this.nextSlot += 2;
    if (this.peek() === CLOSE) {
      this.read();
      this.emitOther({ op: 'savePosition', slot });
      return;
    }
    this.open.push(slot);
    this.emitOther({ op: 'save', slot });
  }

  private compileClose(): void {
    const slot = this.open.pop();
    if (slot === undefined) throw this.error("invalid ')'");
    this.read();
    this.emitOther({ op: 'save', slot: slot + 1 });
  }

  /** Without a single class before it, the sign matches itself. */
  private compileRepetition(): void {
    const sign = this.read();
    const item = this.repeatable ? this.instructions.pop() : undefined;
    if (item?.op === 'byte') this.emitOther(repetition(sign, item.class));
    else this.emitClass(literalClass(sign));
  }

  private compileDollar(): void {
    this.read();
    const last = this.next === this.pattern.length && this.open.length === 0;
    if (last) this.emitOther({ op: 'save', slot: 1 }, { op: 'end' });
    else this.emitClass(literalClass(DOLLAR));
  }

  private parseClass(): ByteClass {
    const byte = this.read();
    switch (byte) {
      case PERCENT:
        return letterClass(this.read());
      case DOT:
        return anyClass();
      case OPEN_BRACKET:
        return this.parseSet();
      default:
        return literalClass(byte);
    }
  }

  private parseSet(): ByteClass {
    const inverted = this.peek() === CARET;
    if (inverted) this.read();
    const members: SetMember[] = [];
    let range = false;
    for (;;) {
      const byte = this.peek();
      if (byte === END) throw this.error('unexpected EOS');
      const first = members.length === 0;
      if (byte === CLOSE_BRACKET && !first) break;
      if (byte === MINUS && !first) {
        this.read();
        range = true;
        continue;
      }
      const member = this.parseSetMember();
      members.push(range ? rangeOf(members.pop()!, member) : member);
      range = false;
    }
    this.read();
    if (range) members.push(literalMember(MINUS));
    return unionClass(
      members.map((member) => member.class),
      inverted,
    );
  }

  private parseSetMember(): SetMember {
    const byte = this.read();
    return byte === PERCENT ? { class: letterClass(this.read()) } : literalMember(byte);
  }

  private emitClass(byteClass: ByteClass): void {
    this.emit({ op: 'byte', class: byteClass });
    this.repeatable = true;
  }

  private emitOther(...instructions: Instruction[]): void {
    this.emit(...instructions);
    this.repeatable = false;
  }

  private emit(...instructions: Instruction[]): void {
    this.instructions.push(...instructions);
  }

  private at(index: number): number {
    return index < this.pattern.length ? this.pattern.charCodeAt(index) : END;
  }

  private peek(): number {
    return this.at(this.next);
  }

  private read(): number {
    if (this.next < this.pattern.length) return this.pattern.charCodeAt(this.next++);
    this.exhausted = true;
    return END;
  }

  private skip(count: number): void {
    this.next += count;
  }

  /** Names the byte that was read last, the first one if none was. */
  private error(message: string): PatternError {
    const place = this.exhausted ? 'EOS' : Math.max(this.next - 1, 0);
    return new PatternError(`${message} at ${place}`);
  }
}

function repetition(sign: number, byteClass: ByteClass): Instruction {
  switch (sign) {
    case STAR:
      return { op: 'greedy', class: byteClass, least: 0, most: Infinity };
    case PLUS:
      return { op: 'greedy', class: byteClass, least: 1, most: Infinity };
    case QUESTION:
      return { op: 'greedy', class: byteClass, least: 0, most: 1 };
    default:
      return { op: 'lazy', class: byteClass };
  }
}

interface SetMember {
  readonly class: ByteClass;
  /** The byte of a member that can start or end a range. */
  readonly byte?: number;
}

function literalMember(byte: number): SetMember {
  return { class: literalClass(byte), byte };
}

/** A range whose ends are not both single bytes matches nothing, and is no end of a further range. */
function rangeOf(first: SetMember, last: SetMember): SetMember {
  if (first.byte === undefined || last.byte === undefined) return { class: literalClass(END) };
  return { class: rangeClass(first.byte, last.byte) };
}
