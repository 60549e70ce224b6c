import { decodeRune, latin1Bytes, latin1Text, utf8Bytes } from '../text/bytes';
import type { Machine } from '../vm/machine';
import type { LuaTable } from '../vm/table';
import type { Value } from '../vm/value';
import { JsonFailure } from './json-encode';

/** Go rejects JSON that nests deeper. */
const MAX_DEPTH = 10_000;

/**
 * Reads JSON as Go does, with Go's messages, from a Lua string (one character per byte). `null` in an array leaves no
 * gap, and an object's key with `null` is not there.
 * @throws JsonFailure
 */
export function decodeJson(machine: Machine, text: string): Value {
  return new Decoder(machine, text).decode();
}

/** An array or object that is being read. */
interface OpenValue {
  readonly table: LuaTable;
  /** Only for an object. */
  readonly entries: [key: string, value: Value][] | undefined;
  key: string;
}

class Decoder {
  private at = 0;
  private readonly open: OpenValue[] = [];
  private outOfRange: string | undefined;

  constructor(
    private readonly machine: Machine,
    private readonly text: string,
  ) {}

  decode(): Value {
    for (;;) {
      this.skipSpace();
      const value = this.beginValue();
      if (value === OPENED) continue;
      const result = this.endValue(value);
      if (result !== OPENED) return result;
    }
  }

  /** Reads a scalar, an empty array or object, or opens one that is not empty. */
  private beginValue(): Value | typeof OPENED {
    if (this.at >= this.text.length) this.end();
    switch (this.text.charCodeAt(this.at)) {
      case 0x7b: // {
        return this.openObject();
      case 0x5b: // [
        return this.openArray();
      case QUOTE:
        return this.string();
      case 0x74: // t
        return this.literal('true', true);
      case 0x66: // f
        return this.literal('false', false);
      case 0x6e: // n
        return this.literal('null', undefined);
      default:
        if (this.text[this.at] === '-' || isDigit(this.text[this.at])) return this.number();
        return this.fail('looking for beginning of value');
    }
  }

  /** Adds a value to its container and closes complete containers. Returns the whole value at the end of the text. */
  private endValue(complete: Value): Value | typeof OPENED {
    let value = complete;
    for (;;) {
      const parent = this.open[this.open.length - 1];
      this.skipSpace();
      if (parent === undefined) return this.endText(value);
      const context = parent.entries === undefined ? 'after array element' : 'after object key:value pair';
      if (parent.entries === undefined) this.machine.grow(parent.table.append(value));
      else parent.entries.push([parent.key, value]);
      const character = this.peek();
      this.at++;
      if (character === ',') {
        if (parent.entries !== undefined) this.readKey(parent);
        return OPENED;
      }
      if (character !== (parent.entries === undefined ? ']' : '}')) {
        this.at--;
        this.fail(context);
      }
      this.open.pop();
      value = this.close(parent);
    }
  }

  private endText(value: Value): Value {
    if (this.at < this.text.length) this.fail('after top-level value');
    if (this.outOfRange === undefined) return value;
    throw new JsonFailure(`json: cannot unmarshal number ${this.outOfRange} into Go value of type float64`);
  }

  private openArray(): Value | typeof OPENED {
    const table = this.enter();
    this.skipSpace();
    if (this.text[this.at] === ']') {
      this.at++;
      return table;
    }
    this.open.push({ table, entries: undefined, key: '' });
    return OPENED;
  }

  private openObject(): Value | typeof OPENED {
    const table = this.enter();
    this.skipSpace();
    if (this.text[this.at] === '}') {
      this.at++;
      return table;
    }
    const opened: OpenValue = { table, entries: [], key: '' };
    this.readKey(opened);
    this.open.push(opened);
    return OPENED;
  }

  private enter(): LuaTable {
    if (this.open.length >= MAX_DEPTH) this.fail('exceeded max depth');
    this.at++;
    this.machine.spend(1);
    return this.machine.newTable();
  }

  private readKey(object: OpenValue): void {
    this.skipSpace();
    if (this.peek() !== '"') {
      this.fail('looking for beginning of object key string');
    }
    object.key = this.string();
    this.skipSpace();
    if (this.peek() !== ':') this.fail('after object key');
    this.at++;
  }

  private close({ table, entries }: OpenValue): Value {
    if (entries === undefined) return table;
    const ordered = this.machine.settings.order?.(entries) ?? entries;
    for (const [key, value] of ordered) this.machine.grow(table.setOther(key, value));
    return table;
  }

  private literal(text: string, value: Value): Value {
    for (let index = 1; index < text.length; index++) {
      this.at++;
      this.expectInside(text[index]!, `in literal ${text} (expecting '${text[index]}')`);
    }
    this.at++;
    return value;
  }

  private number(): number {
    const start = this.at;
    if (this.text[this.at] === '-') {
      this.at++;
      if (!isDigit(this.inside())) this.fail('in numeric literal');
    }
    if (this.text[this.at] === '0') this.at++;
    else this.skipDigits();
    if (this.text[this.at] === '.') {
      this.at++;
      if (!isDigit(this.inside())) this.fail('after decimal point in numeric literal');
      this.skipDigits();
    }
    if (this.text[this.at] === 'e' || this.text[this.at] === 'E') {
      this.at++;
      if (this.text[this.at] === '+' || this.text[this.at] === '-') this.at++;
      if (!isDigit(this.inside())) this.fail('in exponent of numeric literal');
      this.skipDigits();
    }
    const digits = this.text.slice(start, this.at);
    const value = Number(digits);
    if (!Number.isFinite(value)) this.outOfRange ??= digits;
    return value;
  }

  private string(): string {
    const start = ++this.at;
    PLAIN.lastIndex = start;
    const run = PLAIN.exec(this.text)![0].length;
    this.at += run;
    let plain = true;
    for (;;) {
      if (this.at >= this.text.length) this.end();
      const code = this.text.charCodeAt(this.at);
      if (code === QUOTE) break;
      if (code < 0x20) this.fail('in string literal');
      if (code >= 0x80) plain = false;
      if (code === BACKSLASH) {
        plain = false;
        this.skipEscape();
      } else {
        this.at++;
      }
    }
    const raw = this.text.slice(start, this.at++);
    return plain ? raw : unquoted(raw);
  }

  private skipEscape(): void {
    this.at++;
    const character = this.inside();
    this.at++;
    if (character === 'u') {
      for (let digit = 0; digit < 4; digit++, this.at++) {
        if (!/[0-9a-fA-F]/.test(this.inside())) this.fail('in \\u hexadecimal character escape');
      }
    } else if (!'bfnrt\\/"'.includes(character)) {
      this.at--;
      this.fail('in string escape code');
    }
  }

  private skipDigits(): void {
    while (isDigit(this.text[this.at])) this.at++;
  }

  private skipSpace(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.at++;
    }
  }

  /** The next character after white space; the end of the text is an error. */
  private peek(): string {
    return this.text[this.at] ?? this.end();
  }

  /** The next character inside a token: Go's scanner takes the end of the text for a space there. */
  private inside(): string {
    return this.text[this.at] ?? ' ';
  }

  private expectInside(character: string, context: string): void {
    if (this.inside() !== character) this.fail(context);
  }

  private end(): never {
    throw new JsonFailure('unexpected end of JSON input');
  }

  private fail(context: string): never {
    throw new JsonFailure(`invalid character ${quotedCharacter(this.inside())} ${context}`);
  }
}

/** Marks a value that is not complete yet. */
const OPENED = Symbol('opened');

/** Characters of a string that need no escape. */
const PLAIN = /[ !#-[\]-\x7f]*/y;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}

/** A byte as Go's scanner quotes it, as a Lua string: bytes from 0x80 on as the character with that number. */
function quotedCharacter(character: string): string {
  const code = character.charCodeAt(0);
  if (character === "'") return "'\\''";
  if (character === '"') return `'"'`;
  if (character === '\\') return "'\\\\'";
  const named = NAMED_CONTROLS.get(code);
  if (named !== undefined) return `'${named}'`;
  if (code < 0x20 || code === 0x7f) return `'\\x${code.toString(16).padStart(2, '0')}'`;
  if (code >= 0x80 && (code <= 0xa0 || code === 0xad)) return `'\\u00${code.toString(16)}'`;
  return `'${latin1Text(utf8Bytes(character))}'`;
}

const NAMED_CONTROLS = new Map([
  [7, '\\a'],
  [8, '\\b'],
  [9, '\\t'],
  [10, '\\n'],
  [11, '\\v'],
  [12, '\\f'],
  [13, '\\r'],
]);

/** Resolves escapes and replaces invalid UTF-8. */
function unquoted(raw: string): string {
  const bytes = latin1Bytes(raw);
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (bytes[at] === BACKSLASH) {
      const [text, size] = unescaped(raw, at);
      parts.push(text);
      at += size;
      continue;
    }
    const { codePoint, size } = decodeRune(bytes, at);
    parts.push(codePoint < 0 ? REPLACEMENT : raw.slice(at, at + size));
    at += size;
  }
  return parts.join('');
}

/** U+FFFD. */
const REPLACEMENT = '\xef\xbf\xbd';

function unescaped(raw: string, at: number): [text: string, size: number] {
  const kind = raw[at + 1]!;
  if (kind !== 'u') return [SIMPLE_ESCAPES.get(kind) ?? kind, 2];
  const first = hexadecimal(raw, at + 2);
  if (first < 0xd800 || first > 0xdfff) return [encoded(first), 6];
  const second = raw[at + 6] === '\\' && raw[at + 7] === 'u' ? hexadecimal(raw, at + 8) : 0;
  if (first > 0xdbff || second < 0xdc00 || second > 0xdfff) return [REPLACEMENT, 6];
  return [encoded(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)), 12];
}

const SIMPLE_ESCAPES = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

function hexadecimal(raw: string, at: number): number {
  return Number.parseInt(raw.slice(at, at + 4), 16);
}

function encoded(codePoint: number): string {
  return codePoint < 0x80 ? String.fromCharCode(codePoint) : latin1Text(utf8Bytes(String.fromCodePoint(codePoint)));
}
