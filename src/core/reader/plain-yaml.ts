import type { Path } from '../path';
import type { Place } from './places';
import { endOfString } from './plain-json';
import { plainValue } from './scalar';

/** A value of a map or list with its place; a map or list with those in it, by key or index. */
export interface PlacedValue extends Place {
  readonly inner: ReadonlyMap<string | number, PlacedValue> | undefined;
}

/** A key that every parser reads as it is written, with its colon. */
const KEY = /(?:([A-Za-z_][\w./-]*)|"([^"\\\n]*)"|'([^'\n]*)') *:(?=[ \n]|$)/y;
/** A line that may be a map with another key. */
const UNUSUAL_KEY = /[^\n]*:(?:\s|$)/y;
const SEPARATOR = /---(?:\n|$)/y;
/** What begins a text of several lines, after which nothing else stands on its line. */
const BLOCK_SCALAR = /[|>][-+]?/y;
const PLAIN_IN_FLOW = /[^\n,[\]{}:#]+(?::(?=[^\s,[\]{}])[^\n,[\]{}:#]*)*/y;
/** What no scalar without quotes begins with, or only before some characters. */
const INDICATORS = ' \t\r\n,[]{}#&*!|>\'"%@`?:-';

/** A map or list. */
interface Holder {
  readonly isList: boolean;
  readonly entries: Map<string | number, PlacedValue>;
}

/** A map or list in block style whose lines are being read. */
interface Level {
  readonly holder: Holder;
  /** The column of its entries. */
  readonly indent: number;
  /** The last key, if its value can only be on the next lines. */
  pending: { readonly key: string; readonly offset: number } | undefined;
}

/**
 * The places of the values of a document, many times faster than with a YAML parser. Undefined for everything that needs
 * one: anchors, tags, unusual keys, lines that end otherwise.
 * @param text what a YAML parser has read without a mistake
 */
export function placesOfPlainYaml(text: string): PlacedValue | undefined {
  return new PlainYaml(text).read();
}

/** Where the value at a path begins. If the path leaves the data, where the last key that exists begins. */
export function offsetIn(placed: PlacedValue, path: Path): number {
  let place = placed;
  for (const segment of path) {
    const next = place.inner?.get(segment);
    if (next === undefined) return place.key;
    place = next;
  }
  return place.value;
}

class PlainYaml {
  private at = 0;
  private lineStart = 0;
  private readonly levels: Level[] = [];
  private root: PlacedValue | undefined;

  constructor(private readonly text: string) {}

  read(): PlacedValue | undefined {
    this.takes(SEPARATOR);
    while (this.at < this.text.length) if (!this.line()) return undefined;
    return this.root;
  }

  /** Reads a line, and the further lines of its value; false if they are not plain. */
  private line(): boolean {
    this.lineStart = this.at;
    this.skipSpaces();
    const character = this.text[this.at];
    if (character === undefined || character === '\n' || character === '#') return this.takesLine();
    return this.opens(this.at - this.lineStart) && this.entry();
  }

  /** Goes to the map or list whose entries are in this column. */
  private opens(indent: number): boolean {
    const isItem = this.isDash();
    for (let level = this.levels.at(-1); level !== undefined; level = this.levels.at(-1)) {
      const isSame = level.indent === indent;
      if (isSame && level.holder.isList === isItem) return true;
      // A list may stand in the column of its key.
      const isDeeper = indent > level.indent || (isSame && isItem);
      if (level.pending !== undefined && isDeeper) {
        const { key, offset } = level.pending;
        level.pending = undefined;
        this.push(indent, this.hold(level.holder, key, offset, isItem));
        return true;
      }
      if (isDeeper) return false;
      this.levels.pop();
    }
    if (this.root !== undefined) return false;
    const first: Holder = { isList: isItem, entries: new Map() };
    this.root = { key: this.at, value: this.at, inner: first.entries };
    this.push(indent, first);
    return true;
  }

  private push(indent: number, holder: Holder): void {
    this.levels.push({ holder, indent, pending: undefined });
  }

  /** Reads an entry, and those that begin on its line: `- - key: value`. */
  private entry(): boolean {
    const level = this.levels.at(-1)!;
    return level.holder.isList ? this.item(level) : this.keyAndValue(level);
  }

  private item({ holder, indent }: Level): boolean {
    if (!this.isDash()) return false;
    this.at++;
    this.skipSpaces();
    const index = holder.entries.size;
    const isList = this.isDash();
    if (!isList && !this.isNext(KEY)) return !this.isNext(UNUSUAL_KEY) && this.value(holder, index, this.at, indent);
    this.push(this.at - this.lineStart, this.hold(holder, index, this.at, isList));
    return this.entry();
  }

  private keyAndValue(level: Level): boolean {
    const offset = this.at;
    const key = this.key();
    if (key === undefined) return false;
    level.pending = undefined;
    if (!this.endsLine()) {
      this.skipSpaces();
      return this.value(level.holder, key, offset, level.indent);
    }
    level.pending = { key, offset };
    level.holder.entries.set(key, { key: offset, value: offset, inner: undefined });
    return true;
  }

  private key(): string | undefined {
    const found = this.takes(KEY);
    if (found === undefined) return undefined;
    const [, plain, double, single] = found;
    return plain === undefined || plainValue(plain) === plain ? (plain ?? double ?? single) : undefined;
  }

  /** A value that begins on the line of its key or dash, with all of its lines. */
  private value(holder: Holder, key: string | number, offset: number, indent: number): boolean {
    const character = this.text[this.at];
    if (character === '{' || character === '[') return this.inFlow(holder, key, offset) && this.endsLine();
    holder.entries.set(key, { key: offset, value: this.at, inner: undefined });
    if (this.takesQuoted()) return this.endsLine();
    if (this.takes(BLOCK_SCALAR) === undefined ? !this.isPlain() : !this.endsLine()) return false;
    this.takesLine();
    this.skipFurtherLines(indent);
    return true;
  }

  /** Skips the lines that are empty or further to the right: they belong to a scalar, or are comments. */
  private skipFurtherLines(indent: number): void {
    while (this.at < this.text.length) {
      const start = this.at;
      this.skipSpaces();
      if (this.at - start <= indent && this.at < this.text.length && this.text[this.at] !== '\n') {
        this.at = start;
        return;
      }
      this.takesLine();
    }
  }

  /** A value within brackets, or with brackets of its own. */
  private inFlow(outer: Holder, key: string | number, offset: number): boolean {
    const character = this.text[this.at];
    if (character !== '{' && character !== '[') {
      outer.entries.set(key, { key: offset, value: this.at, inner: undefined });
      return this.takesQuoted() || (this.isPlain() && this.takes(PLAIN_IN_FLOW) !== undefined);
    }
    const holder = this.hold(outer, key, offset, character === '[');
    const end = holder.isList ? ']' : '}';
    do {
      this.at++;
      this.skipSpacesAndLines();
      if (this.text[this.at] === end) break;
      if (!this.entryInFlow(holder)) return false;
      this.skipSpacesAndLines();
    } while (this.text[this.at] === ',');
    return this.text[this.at++] === end;
  }

  private entryInFlow(holder: Holder): boolean {
    const offset = this.at;
    const key = holder.isList ? holder.entries.size : this.key();
    if (key === undefined) return false;
    this.skipSpacesAndLines();
    return this.inFlow(holder, key, offset);
  }

  /** A map or list that begins here. */
  private hold(outer: Holder, key: string | number, offset: number, isList: boolean): Holder {
    const holder: Holder = { isList, entries: new Map() };
    outer.entries.set(key, { key: offset, value: this.at, inner: holder.entries });
    return holder;
  }

  private takesLine(): true {
    this.at = endOf('\n', this.text, this.at);
    return true;
  }

  /** A text in quotes. No regular expression, because it may be of any length. */
  private takesQuoted(): boolean {
    const { text } = this;
    if (text[this.at] === '"') this.at = endOfString(text, this.at) + 1;
    else if (text[this.at] !== "'") return false;
    // Two quotes within the text are one of it.
    else while (text[this.at] === "'") this.at = endOf("'", text, this.at + 1);
    return true;
  }

  /** Skips what may stand behind the last value of a line; false if that is something else. */
  private endsLine(): boolean {
    const start = this.at;
    this.skipSpaces();
    const character = this.text[this.at];
    if (character === undefined || character === '\n' || (character === '#' && this.at > start))
      return this.takesLine();
    this.at = start;
    return false;
  }

  private skipSpaces(): void {
    while (this.text[this.at] === ' ') this.at++;
  }

  private skipSpacesAndLines(): void {
    while (this.text[this.at] === ' ' || this.text[this.at] === '\n') this.at++;
  }

  private isDash(): boolean {
    return this.text[this.at] === '-' && this.text[this.at + 1] === ' ';
  }

  private isPlain(): boolean {
    const character = this.text[this.at] ?? ' ';
    const next = this.text[this.at + 1] ?? ' ';
    return !INDICATORS.includes(character) || (character === '-' && !INDICATORS.includes(next));
  }

  private isNext(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    return pattern.test(this.text);
  }

  private takes(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text) ?? undefined;
    if (found !== undefined) this.at = pattern.lastIndex;
    return found;
  }
}

/** The offset behind the next character of this kind, or the end of the text. */
function endOf(character: string, text: string, from: number): number {
  const end = text.indexOf(character, from);
  return end < 0 ? text.length : end + 1;
}
