import { latin1Bytes, latin1Text, utf8Bytes, utf8Text } from './text/bytes';
import type { LuaData } from './types';
import type { EntryOrder } from './vm/settings';
import { LuaTable } from './vm/table';
import type { Value } from './vm/value';

/** A Lua string (one character per byte) of a text. */
export function toLuaString(text: string): string {
  return isAscii(text) ? text : latin1Text(utf8Bytes(text));
}

/** The text of a Lua string; bytes that are no UTF-8 become U+FFFD. */
export function fromLuaString(string: string): string {
  return isAscii(string) ? string : utf8Text(latin1Bytes(string));
}

/** No object in an API server nests deeper. */
const MAX_DEPTH = 1_000;

/** The data contains itself, or nests deeper than any object that a controller could pass. */
export class DataTooDeep extends Error {
  override readonly message = `obj holds itself, or is nested deeper than ${MAX_DEPTH} levels`;
}

/** Plain data as the controller passes it to a script: `null` removes a key, and leaves no gap in a list. */
export function toLuaValue(data: LuaData | undefined, order?: EntryOrder, depth = 0): Value {
  if (typeof data === 'string') return toLuaString(data);
  if (typeof data !== 'object') return data;
  if (data === null) return undefined;
  if (depth > MAX_DEPTH) throw new DataTooDeep();
  const table = new LuaTable();
  if (Array.isArray(data)) {
    for (const item of data) table.append(toLuaValue(item, order, depth + 1));
    return table;
  }
  const keys = Object.keys(data);
  for (const key of order?.(keys) ?? keys) {
    const value = toLuaValue((data as { readonly [key: string]: LuaData })[key], order, depth + 1);
    if (value !== undefined) table.setOther(toLuaString(key), value);
  }
  return table;
}

/** An order that looks random and is the same for the same seed. */
export function shuffledOrder(seed: number): EntryOrder {
  let state = Math.imul(seed | 0, 0x9e3779b1) ^ 0x85ebca6b;
  const below = (limit: number): number => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5;
    return ((state ^ (state >>> 13)) >>> 0) % limit;
  };
  return (entries) => {
    const shuffled = [...entries];
    for (let end = shuffled.length - 1; end > 0; end--) {
      const other = below(end + 1);
      [shuffled[end], shuffled[other]] = [shuffled[other]!, shuffled[end]!];
    }
    return shuffled;
  };
}

function isAscii(text: string): boolean {
  return !NOT_ASCII.test(text);
}

const NOT_ASCII = /[^\x00-\x7f]/;
