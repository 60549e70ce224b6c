import { type Json, type JsonObject, setOwnValue } from '../json';
import type { ReadLimits } from './limits';
import type { PlacedDocument, Places } from './places';
import { endOfString } from './plain-json';
import { losesPrecision, plainValue } from './scalar';

/** A key that every parser reads as it is written, with its colon. */
const KEY = /(?:([A-Za-z_][\w./-]*)|"([^"\\\n]*)"|'([^'\n]*)') *:(?=[ \n]|$)/y;
/** Parsers refuse longer ones on one line. */
const LONGEST_KEY = 1000;
const SEPARATOR = /---(?:\n|$)/y;
const LITERAL = /\|(-?)(?= *(?:\n| #))/y;
const PLAIN_IN_FLOW = /[^\n,[\]{}:#]+(?::(?=[^\s,[\]{}])[^\n,[\]{}:#]*)*/y;
/** What no scalar without quotes begins with, or only before some characters. */
const INDICATORS = ' \t\r\n,[]{}#&*!|>\'"%@`?:-';

/** Says that a document needs a YAML parser. Never leaves this file. */
const UNUSUAL = new Error('needs a YAML parser');

function unusual(): never {
  throw UNUSUAL;
}

/**
 * Reads a document as nearly all manifests are written, many times faster than a YAML parser. Undefined for everything that
 * needs one: anchors, tags, texts of several lines other than literal blocks, unusual keys, mistakes, reached limits.
 * @param places receives the places of all values
 */
export function parsePlainYaml(
  text: string,
  limits: Pick<ReadLimits, 'depth' | 'values'>,
  places?: Places,
): PlacedDocument | undefined {
  if (text.includes('\t') || text.includes('\r')) return undefined;
  try {
    return new PlainYaml(text, limits, places).read();
  } catch (error) {
    // The depth limit was raised beyond the size of the call stack.
    if (error === UNUSUAL || error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Reads values one after the other. After a value, `at` is at the first character of the next line that holds something, and
 * `column` is the column of that character.
 */
class PlainYaml {
  private at = 0;
  private lineStart = 0;
  /** -1 at the end of the text. */
  private column = 0;
  private depth = 0;
  private values = 0;

  constructor(
    private readonly text: string,
    private readonly limits: Pick<ReadLimits, 'depth' | 'values'>,
    private readonly places: Places | undefined,
  ) {}

  read(): PlacedDocument {
    this.takes(SEPARATOR);
    this.nextLine();
    if (this.column < 0) unusual();
    const offset = this.at;
    const value = this.block(this.column);
    if (this.column >= 0) unusual();
    return { value, offset };
  }

  /** A map or list in block style, whose entries begin in this column. */
  private block(column: number): Json {
    return this.within(() => (this.isDash() ? this.list(column) : this.map(column)));
  }

  private within<Value>(read: () => Value): Value {
    if (++this.depth > this.limits.depth) unusual();
    const value = read();
    this.depth--;
    return value;
  }

  private map(column: number): JsonObject {
    const object: JsonObject = {};
    do {
      const offset = this.at;
      const key = this.key(object);
      const [value, place] = this.valueOfKey(column, offset);
      this.addField(object, key, value, offset, place);
    } while (this.column === column && !this.isDash());
    // Deeper lines would belong to a scalar of several lines.
    if (this.column >= column) unusual();
    return object;
  }

  /** The value of a key, and its offset. */
  private valueOfKey(column: number, key: number): readonly [Json, number] {
    if (!this.endsLine()) {
      this.skipSpaces();
      const place = this.at;
      return [this.inline(column), place];
    }
    const place = this.at;
    // A list may stand in the column of its key.
    const isDeeper = this.column > column || (this.column === column && this.isDash());
    return isDeeper ? [this.block(this.column), place] : [null, key];
  }

  private list(column: number): readonly Json[] {
    const list: Json[] = [];
    do {
      this.at++;
      this.skipSpaces();
      const place = this.at;
      const inner = place - this.lineStart;
      const item = this.isDash() || this.isNext(KEY) ? this.block(inner) : this.inline(column);
      this.addItem(list, item, place);
    } while (this.column === column && this.isDash());
    // The next key of a map may stand in this column, too.
    if (this.column > column) unusual();
    return list;
  }

  private key(into: JsonObject): string {
    const found = this.takes(KEY);
    if (found === undefined) return unusual();
    const [all, plain, double, single] = found;
    const key = plain ?? double ?? single!;
    const isText = plain === undefined || plainValue(plain) === plain;
    if (!isText || all.length > LONGEST_KEY || Object.hasOwn(into, key)) unusual();
    return key;
  }

  private addItem(list: Json[], value: Json, place: number): void {
    this.place(list, list.length, place, place);
    list.push(value);
  }

  private addField(object: JsonObject, key: string, value: Json, keyOffset: number, valueOffset: number): void {
    this.place(object, key, keyOffset, valueOffset);
    setOwnValue(object, key, value);
  }

  private place(container: object, key: string | number, keyOffset: number, valueOffset: number): void {
    if (++this.values > this.limits.values) unusual();
    if (this.places === undefined) return;
    const places = this.places.get(container) ?? new Map();
    this.places.set(container, places.set(key, { key: keyOffset, value: valueOffset }));
  }

  /** A value that begins on the line of its key or dash, which is in this column. */
  private inline(column: number): Json {
    if (this.text[this.at] === '|') return this.literal(column);
    const value = this.isInBrackets() ? this.inFlow() : (this.quoted() ?? this.plain());
    if (!this.endsLine()) unusual();
    return value;
  }

  /** A scalar without quotes, to the end of its line or a comment. */
  private plain(): Json {
    if (!this.isPlain()) unusual();
    const { text, at } = this;
    const lineEnd = text.indexOf('\n', at);
    const [line = ''] = text.slice(at, lineEnd < 0 ? undefined : lineEnd).split(' #', 1);
    const written = withoutSpacesBehind(line);
    if (written.includes(': ') || written.endsWith(':')) unusual();
    this.at += written.length;
    return this.scalar(written);
  }

  private scalar(written: string): Json {
    const value = plainValue(written);
    if (typeof value === 'number' && (!Number.isFinite(value) || losesPrecision(written, value))) unusual();
    return value;
  }

  /** A text in quotes on one line. No regular expression, because it may be of any length. */
  private quoted(): string | undefined {
    const { text, at } = this;
    if (text[at] === '"') this.at = endOfString(text, at) + 1;
    else if (text[at] !== "'") return undefined;
    // Two quotes within the text are one of it.
    else while (text[this.at] === "'") this.at = endOf("'", text, this.at + 1);
    const isDouble = text[at] === '"';
    if (this.at > text.length || this.at - at < 2 || text[this.at - 1] !== text[at]) unusual();
    const inner = text.slice(at + 1, this.at - 1);
    if (inner.includes('\n')) unusual();
    if (!isDouble) {
      if (inner.replaceAll("''", '').includes("'")) unusual();
      return inner.replaceAll("''", "'");
    }
    return inner.includes('\\') ? this.unescaped(text.slice(at, this.at)) : inner;
  }

  /** What is escaped as in JSON means the same in YAML. */
  private unescaped(written: string): string {
    try {
      return JSON.parse(written);
    } catch {
      return unusual();
    }
  }

  /** A block of lines behind `|` or `|-`, whose first line says how far all are indented. */
  private literal(column: number): string {
    const found = this.takes(LITERAL);
    if (found === undefined) unusual();
    this.skipSpaces();
    this.at = endOf('\n', this.text, this.at);
    const lines: string[] = [];
    let indent = -1;
    let length = 0;
    for (;;) {
      const start = this.at;
      if (start >= this.text.length) break;
      this.skipSpaces();
      const spaces = this.at - start;
      const isEmpty = this.text[this.at] === '\n';
      if (!isEmpty && spaces <= column) {
        this.at = start;
        break;
      }
      if (!isEmpty && indent < 0) indent = spaces;
      if (isEmpty ? indent < 0 || spaces > indent : spaces < indent) unusual();
      const end = endOf('\n', this.text, this.at);
      // How a block ends at the end of the text differs among parsers.
      if (this.text[end - 1] !== '\n') unusual();
      lines.push(isEmpty ? '' : this.text.slice(start + indent, end - 1));
      if (!isEmpty) length = lines.length;
      this.at = end;
    }
    if (length === 0) unusual();
    this.nextLine();
    return lines.slice(0, length).join('\n') + (found[1] === '-' ? '' : '\n');
  }

  /** A value within brackets, all of it on one line. */
  private inFlow(): Json {
    return this.within(() => (this.text[this.at] === '[' ? this.listInFlow() : this.mapInFlow()));
  }

  private listInFlow(): readonly Json[] {
    const list: Json[] = [];
    this.entriesInFlow(']', () => {
      const place = this.at;
      this.addItem(list, this.valueInFlow(), place);
    });
    return list;
  }

  private mapInFlow(): JsonObject {
    const object: JsonObject = {};
    this.entriesInFlow('}', () => {
      const offset = this.at;
      const key = this.key(object);
      this.skipSpaces();
      const place = this.at;
      this.addField(object, key, this.valueInFlow(), offset, place);
      // Its comma counts, too.
      this.values++;
    });
    return object;
  }

  private entriesInFlow(end: string, entry: () => void): void {
    this.at++;
    this.skipSpaces();
    if (this.text[this.at] !== end) {
      entry();
      this.skipSpaces();
      while (this.text[this.at] === ',') {
        this.at++;
        this.skipSpaces();
        entry();
        this.skipSpaces();
      }
    }
    if (this.text[this.at] !== end) unusual();
    this.at++;
  }

  private valueInFlow(): Json {
    if (this.isInBrackets()) return this.inFlow();
    const text = this.quoted();
    if (text !== undefined) return text;
    const found = this.isPlain() ? this.takes(PLAIN_IN_FLOW) : undefined;
    return found === undefined ? unusual() : this.scalar(withoutSpacesBehind(found[0]));
  }

  /** Goes to the next line, if nothing but a comment is left on this one. */
  private endsLine(): boolean {
    const start = this.at;
    this.skipSpaces();
    const character = this.text[this.at];
    if (character !== undefined && character !== '\n' && !(character === '#' && this.at > start)) {
      this.at = start;
      return false;
    }
    this.at = endOf('\n', this.text, this.at);
    this.nextLine();
    return true;
  }

  /** Skips empty lines and comments. */
  private nextLine(): void {
    while (this.at < this.text.length) {
      this.lineStart = this.at;
      this.skipSpaces();
      const character = this.text[this.at];
      if (character === undefined) break;
      if (character !== '\n' && character !== '#') {
        this.column = this.at - this.lineStart;
        // They divide documents.
        if (this.column === 0 && (this.text.startsWith('---', this.at) || this.text.startsWith('...', this.at)))
          unusual();
        return;
      }
      this.at = endOf('\n', this.text, this.at);
    }
    this.column = -1;
  }

  private skipSpaces(): void {
    while (this.text[this.at] === ' ') this.at++;
  }

  private isDash(): boolean {
    return this.text[this.at] === '-' && this.text[this.at + 1] === ' ';
  }

  private isInBrackets(): boolean {
    return this.text[this.at] === '{' || this.text[this.at] === '[';
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

/** Unlike `trimEnd`, it leaves what YAML takes for text. */
function withoutSpacesBehind(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ') end--;
  return text.slice(0, end);
}
