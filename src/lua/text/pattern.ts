import { GoPanic } from './go-panic';
import type { ByteClass } from './pattern-class';
import { type Instruction, PatternError, type Program } from './pattern-compiler';

export { compilePattern, PatternError, Patterns } from './pattern-compiler';

/** Counts work, and throws when there was too much. */
export interface Budget {
  /** @param count how many steps were taken since the last call */
  step(count: number): void;
}

/** What a pair of parentheses caught: text, or for `()` a position that counts from 1. */
export type Capture = string | number;

/** One place where a pattern matches. */
export interface Match {
  /** Offset of the first byte. */
  readonly start: number;
  /** Offset behind the last byte. */
  readonly end: number;
  /** The captures; empty for a pattern without parentheses. */
  readonly captures: readonly Capture[];
}

/** How far to search. */
export interface SearchOptions {
  /**
   * Offset of the first position to try; beyond the end nothing is found.
   * @default 0
   */
  readonly from?: number;
  /**
   * How many matches to look for. As in the controller, the search ends when there are exactly as many, so that 0 ends
   * it only if the first position does not match.
   * @default - no limit
   */
  readonly limit?: number;
}

/**
 * Finds the matches of a Lua pattern from left to right, as the controller does. An empty match may follow right after
 * another one: `b*` matches four times in `abc`.
 * @throws PatternError when the pattern names a capture that is not there
 * @throws GoPanic where the controller's matcher itself breaks: a capture that refers to itself from the inside
 */
export function findMatches(subject: string, program: Program, budget: Budget, options: SearchOptions = {}): Match[] {
  const matcher = new Matcher(subject, program, budget);
  const matches: Match[] = [];
  for (let position = options.from ?? 0; position <= subject.length; ) {
    const match = matcher.matchAt(position);
    position++;
    if (match) {
      matches.push(match);
      position = Math.max(position, match.end);
    }
    if (matches.length === options.limit || program.anchored) break;
  }
  matcher.finish();
  return matches;
}

/** The first match of a Lua pattern. */
export function findFirst(subject: string, program: Program, budget: Budget, from = 0): Match | undefined {
  return findMatches(subject, program, budget, { from, limit: 1 })[0];
}

/**
 * Finds text as it is.
 * @returns the offset, or -1
 * @throws GoPanic when the search would start beyond the end
 */
export function findPlain(subject: string, wanted: string, from: number): number {
  if (from > subject.length) throw GoPanic.sliceBounds(from, subject.length, subject.length);
  return subject.indexOf(wanted, from);
}

/**
 * The replacement that `string.gsub` puts in place of a match: `%0` to `%9` are captures, `%%` is a percent sign, and a
 * percent sign before anything else stays.
 * @throws PatternError when a capture is not there
 */
export function expandReplacement(replacement: string, match: Match, subject: string): string {
  let text = '';
  let literal = 0;
  for (let percent = replacement.indexOf('%'); percent >= 0 && percent + 1 < replacement.length; ) {
    const letter = replacement.charCodeAt(percent + 1);
    const isDigit = letter >= ZERO && letter <= ZERO + 9;
    if (isDigit) {
      text += replacement.slice(literal, percent) + captured(match, letter - ZERO, subject);
      literal = percent + 2;
    } else if (letter === PERCENT) {
      text += replacement.slice(literal, percent);
      literal = percent + 1;
    }
    percent = replacement.indexOf('%', percent + 2);
  }
  return text + replacement.slice(literal);
}

/** A piece of a string and its replacement. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The subject with pieces replaced, which are in order and do not overlap. */
export function replaceAll(subject: string, replacements: readonly Replacement[]): string {
  let replaced = '';
  let done = 0;
  for (const { start, end, text } of replacements) {
    replaced += subject.slice(done, start) + text;
    done = end;
  }
  return replaced + subject.slice(done);
}

const PERCENT = 0x25;
const ZERO = 0x30;

function captured(match: Match, index: number, subject: string): Capture {
  const whole = index === 0 || (index === 1 && match.captures.length === 0);
  if (whole) return subject.slice(match.start, match.end);
  const capture = match.captures[index - 1];
  if (capture === undefined) throw new PatternError('invalid capture index');
  return capture;
}

/** How many steps are counted against the budget in one go. */
const PORTION = 2048;

/** The kinds of entries on the stack of choices. */
const FEWER = 0;
const MORE = 1;
const RESTORE = 2;

/** What an instruction says instead of the position to go on at. */
const FAILED = -1;
const MATCHED = -2;

/**
 * A backtracking matcher with its own stack, so that neither a long subject nor many choices meet the end of
 * JavaScript's.
 */
class Matcher {
  /**
   * What to try when the current way fails, the latest last, in four numbers each: FEWER, the instruction behind the
   * repetition, where it ends now, where it ends at least; MORE, the repetition, where it ends now, 0; RESTORE, a slot,
   * its former value, 0.
   */
  private readonly choices: number[] = [];
  /** Positions times two, plus one for a position capture, as the controller keeps them. */
  private slots: number[] = [];
  private steps = 0;
  private counter = 0;

  constructor(
    private readonly subject: string,
    private readonly program: Program,
    private readonly budget: Budget,
  ) {}

  matchAt(start: number): Match | undefined {
    this.slots = [];
    this.choices.length = 0;
    return this.run(start) ? this.result() : undefined;
  }

  /** Reports the work that was not reported yet. */
  finish(): void {
    const { steps } = this;
    this.steps = 0;
    this.budget.step(steps);
  }

  private run(start: number): boolean {
    const { instructions } = this.program;
    this.counter = 0;
    let position = start;
    for (;;) {
      this.count();
      position = this.perform(instructions[this.counter]!, position);
      if (position === MATCHED) return true;
      if (position === FAILED) position = this.backtrack();
      else this.counter++;
      if (position === FAILED) return false;
    }
  }

  /** The position after the bytes that the instruction consumes, or FAILED or MATCHED. */
  private perform(instruction: Instruction, position: number): number {
    switch (instruction.op) {
      case 'byte':
        return this.isIn(instruction.class, position) ? position + 1 : FAILED;
      case 'greedy':
        return this.greedy(instruction.class, instruction.least, instruction.most, position);
      case 'lazy':
        this.choices.push(MORE, this.counter, position, 0);
        return position;
      case 'save':
        this.choices.push(RESTORE, instruction.slot, this.slots[instruction.slot] ?? 0, 0);
        this.set(instruction.slot, position * 2);
        return position;
      case 'savePosition':
        this.set(instruction.slot, (position + 1) * 2 + 1);
        this.set(instruction.slot + 1, (position + 1) * 2 + 1);
        return position;
      case 'balance':
        return this.balance(instruction.open, instruction.close, position);
      case 'backReference':
        return this.backReference(instruction.slot, position);
      case 'end':
        return position >= this.subject.length ? MATCHED : FAILED;
      case 'match':
        return MATCHED;
    }
  }

  /** Takes up the latest choice: the position from which to go on at `counter`, or FAILED. */
  private backtrack(): number {
    const { choices } = this;
    while (choices.length > 0) {
      const last = choices.pop()!;
      const value = choices.pop()!;
      const target = choices.pop()!;
      const kind = choices.pop()!;
      if (kind === RESTORE) this.slots[target] = value;
      else if (kind === FEWER) return this.resumeWithFewer(target, value, last);
      else {
        const position = this.resumeWithMore(target, value);
        if (position !== FAILED) return position;
      }
    }
    return FAILED;
  }

  private resumeWithFewer(counter: number, end: number, least: number): number {
    const position = end - 1;
    if (position > least) this.choices.push(FEWER, counter, position, least);
    this.counter = counter;
    return position;
  }

  private resumeWithMore(counter: number, end: number): number {
    const repeated = this.program.instructions[counter] as Extract<Instruction, { op: 'lazy' }>;
    if (!this.isIn(repeated.class, end)) return FAILED;
    this.choices.push(MORE, counter, end + 1, 0);
    this.counter = counter + 1;
    return end + 1;
  }

  private greedy(byteClass: ByteClass, least: number, most: number, start: number): number {
    let end = start;
    while (end - start < most && this.isIn(byteClass, end)) {
      this.count();
      end++;
    }
    if (end - start < least) return FAILED;
    if (end > start + least) this.choices.push(FEWER, this.counter + 1, end, start + least);
    return end;
  }

  private balance(open: number, close: number, start: number): number {
    const { subject } = this;
    if (start >= subject.length || subject.charCodeAt(start) !== open) return FAILED;
    let depth = 1;
    for (let position = start + 1; position < subject.length; position++) {
      this.count();
      if (subject.charCodeAt(position) === close) depth--;
      if (depth === 0) return position + 1;
      if (subject.charCodeAt(position) === open) depth++;
    }
    return FAILED;
  }

  private backReference(slot: number, start: number): number {
    if (slot >= this.slots.length - 1) throw new PatternError('invalid capture index');
    const { subject } = this;
    const first = this.slots[slot]! >> 1;
    const last = this.slots[slot + 1]! >> 1;
    if (last > subject.length || first > last) throw GoPanic.sliceBounds(first, last, subject.length);
    for (let index = first; index < last; index++) {
      this.count();
      const position = start + index - first;
      if (position >= subject.length || subject.charCodeAt(index) !== subject.charCodeAt(position)) return FAILED;
    }
    return start + last - first;
  }

  private isIn(byteClass: ByteClass, position: number): boolean {
    return position < this.subject.length && byteClass[this.subject.charCodeAt(position)] === 1;
  }

  private set(slot: number, value: number): void {
    while (this.slots.length < slot) this.slots.push(0);
    this.slots[slot] = value;
  }

  private count(): void {
    if (++this.steps >= PORTION) this.finish();
  }

  private result(): Match {
    const captures: Capture[] = [];
    for (let slot = 2; slot < this.slots.length; slot += 2) {
      const first = this.slots[slot]!;
      const isPosition = (first & 1) === 1;
      captures.push(isPosition ? first >> 1 : this.subject.slice(first >> 1, this.slots[slot + 1]! >> 1));
    }
    return { start: this.slots[0]! >> 1, end: this.slots[1]! >> 1, captures };
  }
}
