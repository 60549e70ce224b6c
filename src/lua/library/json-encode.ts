import { decodeRune, latin1Bytes } from '../text/bytes';
import { formatJsonNumber } from '../text/number';
import type { TextAccount } from '../vm/settings';
import { LuaTable } from '../vm/table';
import { typeOf, type Value } from '../vm/value';

/** The error that Kruise's `json` module returns. */
export class JsonFailure {
  constructor(readonly message: string) {}
}

/** Go rejects JSON that nests deeper. */
const MAX_DEPTH = 10_000;

const PREFIX = 'json: error calling MarshalJSON for type luamanager.jsonValue: ';

/**
 * The JSON of a value, byte for byte that of Kruise's `luamanager.Encode`, as a Lua string (one character per byte).
 * Walks without recursion: a script can nest tables deeper than JavaScript's stack.
 * @param emptyTable the JSON of an empty table
 * @param account counts every string: a table may refer to one long string any number of times
 * @throws JsonFailure
 */
export function encodeJson(root: Value, emptyTable: string, account: TextAccount): string {
  const visited = new Set<LuaTable>();
  const open: OpenTable[] = [];
  let json = '';
  // The nesting depth of the value just written, and the bracket of its innermost table.
  let height = 0;
  let bracket = '[';
  let value = root;
  for (;;) {
    if (value instanceof LuaTable) {
      const table = openTable(value, visited, open.length);
      if (table === undefined) {
        json += emptyTable;
        height = emptyTable === '[]' ? 1 : 0;
        bracket = '[';
      } else {
        open.push(table);
        json += table.keys === undefined ? '[' : `{${quoted(table.keys[0]!, account)}:`;
        value = itemAt(table);
        continue;
      }
    } else {
      json += scalar(value, open.length, account);
      height = 0;
    }
    // Close complete tables, up to the one that has more items.
    for (;;) {
      const table = open[open.length - 1];
      if (table === undefined) return json;
      if (height === 0) bracket = table.keys === undefined ? '[' : '{';
      if (height + 1 > table.height) {
        table.height = height + 1;
        table.bracket = bracket;
      }
      if (++table.at < table.length) {
        json += table.keys === undefined ? ',' : `,${quoted(table.keys[table.at]!, account)}:`;
        value = itemAt(table);
        break;
      }
      json += table.keys === undefined ? ']' : '}';
      open.pop();
      ({ height, bracket } = table);
      if (height > MAX_DEPTH) fail(`invalid character '${bracket}' exceeded max depth`, open.length);
    }
  }
}

/** A table that is being written. */
interface OpenTable {
  readonly table: LuaTable;
  /** The sorted keys of an object; none for an array. */
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  at: number;
  height: number;
  bracket: string;
}

function itemAt({ table, keys, at }: OpenTable): Value {
  return keys === undefined ? table.array[at] : table.getString(keys[at]!);
}

function openTable(table: LuaTable, visited: Set<LuaTable>, level: number): OpenTable | undefined {
  if (visited.has(table)) fail('cannot encode recursively nested tables to JSON', level);
  visited.add(table);
  const firstIndex = table.nextIndex(0);
  if (firstIndex >= 0) return openArray(table, firstIndex, level);
  const keys = table.keysFrom(0);
  if (keys.length === 0) return undefined;
  // Zero, negative numbers and fractions never count up from one.
  if (typeof keys[0] === 'number') fail('cannot encode sparse array', level);
  if (!keys.every(isString)) return fail('cannot encode mixed or invalid key types', level);
  // JavaScript sorts by characters, which are the bytes.
  if (keys.length > 1) keys.sort();
  return { table, keys, length: keys.length, at: 0, height: 0, bracket: '' };
}

function openArray(table: LuaTable, firstIndex: number, level: number): OpenTable {
  const { array } = table;
  let length = firstIndex === 0 ? 1 : 0;
  while (length > 0 && length < array.length && array[length] !== undefined) length++;
  if (length === 0 || table.nextIndex(length) >= 0) fail('cannot encode sparse array', level);
  for (const key of table.keysFrom(0)) {
    fail(typeof key === 'number' ? 'cannot encode sparse array' : 'cannot encode mixed or invalid key types', level);
  }
  return { table, keys: undefined, length, at: 0, height: 0, bracket: '' };
}

function isString(value: Value): value is string {
  return typeof value === 'string';
}

function scalar(value: Value, level: number, account: TextAccount): string {
  switch (typeof value) {
    case 'string':
      return quoted(value, account);
    case 'number': {
      const text = formatJsonNumber(value);
      if (text !== undefined) return text;
      return fail(`json: unsupported value: ${Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'}`, level);
    }
    case 'boolean':
      return String(value);
    case 'undefined':
      return 'null';
    default:
      return fail(`cannot encode ${typeOf(value)} to JSON`, level);
  }
}

/** Every nesting level adds the prefix to an error. */
function fail(message: string, level: number): never {
  throw new JsonFailure(PREFIX.repeat(level + 1) + message);
}

/** A Lua string as a JSON string. */
function quoted(text: string, account: TextAccount): string {
  account(text.length);
  if (!NEEDS_CARE.test(text)) return `"${text}"`;
  if (text.length <= PIECE && !UNLIKE_JAVASCRIPT.test(text)) {
    const whole = JSON.stringify(text);
    account(whole.length - 2);
    return whole;
  }
  const pieces = NOT_ASCII.test(text) ? escapedUtf8(text) : escapedAscii(text);
  let escaped = '';
  for (const piece of pieces) {
    account(piece.length);
    escaped += piece;
  }
  return `"${escaped}"`;
}

const NEEDS_CARE = /[^ !#-%'-;=?-[\]-\x7f]/;
/** Go escapes HTML, writes two control characters by their numbers, and looks for UTF-8. */
const UNLIKE_JAVASCRIPT = /[\b\f<>&\x80-\xff]/;
const NOT_ASCII = /[\x80-\xff]/;
const ESCAPED_ASCII = /["\\<>&\x00-\x1f]/g;

/** Strings are escaped in pieces: one replacement of many megabytes exhausts the JavaScript engine's memory. */
const PIECE = 65_536;

function* escapedAscii(text: string): Generator<string> {
  for (let start = 0; start < text.length; start += PIECE) {
    const piece = text.slice(start, start + PIECE);
    yield piece.replace(ESCAPED_ASCII, (character) => escapes(character.charCodeAt(0))!);
  }
}

function* escapedUtf8(text: string): Generator<string> {
  const bytes = latin1Bytes(text);
  let piece = '';
  let plainFrom = 0;
  for (let at = 0; at < bytes.length; ) {
    const { codePoint, size } = decodeRune(bytes, at);
    const escaped = escapes(codePoint);
    if (escaped !== undefined || at - plainFrom >= PIECE) {
      piece += text.slice(plainFrom, at) + (escaped ?? text.slice(at, at + size));
      plainFrom = at + size;
    }
    at += size;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield piece + text.slice(plainFrom);
}

/** The escape of a character in Go's JSON; undefined if it needs none. */
function escapes(codePoint: number): string | undefined {
  // Invalid UTF-8 becomes the escape of U+FFFD, although the character itself is not escaped.
  if (codePoint < 0) return '\\ufffd';
  if (codePoint >= 0x80) return codePoint === 0x2028 || codePoint === 0x2029 ? unicodeEscape(codePoint) : undefined;
  return (
    SHORT_ESCAPES.get(codePoint) ?? (codePoint < 0x20 || HTML.has(codePoint) ? unicodeEscape(codePoint) : undefined)
  );
}

const SHORT_ESCAPES = new Map([
  [0x22, '\\"'],
  [0x5c, '\\\\'],
  [0x0a, '\\n'],
  [0x0d, '\\r'],
  [0x09, '\\t'],
]);

/** `<`, `>` and `&`, so that JSON can stand in HTML. */
const HTML = new Set([0x3c, 0x3e, 0x26]);

function unicodeEscape(codePoint: number): string {
  return `\\u${codePoint.toString(16).padStart(4, '0')}`;
}
