import { goJsonSyntaxError } from '../../core/go-json-syntax';
import { parseInt32 } from '../go-values';

/**
 * JSON decoded as Go's `encoding/json` decodes it into structs: keys without regard to case, unknown keys ignored,
 * types strict (`20.0` is no integer, `200` no string), `null` the same as absent, of a key that comes twice the second
 * value written over the first.
 */
export interface Decoder<T> {
  /** The value of a field that is absent in the text: Go's zero value. */
  readonly zero: T;
  /** Reads one value; `previous` is the value of the field so far. */
  read(json: JsonReader, previous: T): T;
}

/** The type that a decoder gives. */
export type Decoded<D> = D extends Decoder<infer T> ? T : never;

/** What is wrong with the text. */
export class JsonError extends Error {}

/**
 * Decodes a whole text.
 * @throws JsonError
 */
export function decodeGoJson<T>(text: string, decoder: Decoder<T>): T {
  const complaint = goJsonSyntaxError(text);
  if (complaint !== undefined) throw new JsonError(`is no JSON: ${complaint}`);
  return decoder.read(new JsonReader(text), decoder.zero);
}

export const text: Decoder<string> = {
  zero: '',
  read: (json, previous) => (json.readNull() ? previous : json.readString('a string')),
};

export const bool: Decoder<boolean> = {
  zero: false,
  read: (json, previous) => (json.readNull() ? previous : json.readBoolean()),
};

export const int32: Decoder<number> = {
  zero: 0,
  read: (json, previous) => (json.readNull() ? previous : readInt32(json, 'an integer')),
};

/** Kubernetes' IntOrString: a number or a text, each kept as it is. */
export const intOrString: Decoder<number | string> = {
  zero: 0,
  read(json, previous) {
    if (json.readNull()) return previous;
    const expected = 'an integer or a string';
    return json.peek() === '"' ? json.readString(expected) : readInt32(json, expected);
  },
};

/** A pointer: absent and `null` are undefined, and different from empty. */
export function optional<T>(decoder: Decoder<T>): Decoder<T | undefined> {
  return {
    zero: undefined,
    read: (json, previous) => (json.readNull() ? undefined : decoder.read(json, previous ?? decoder.zero)),
  };
}

/** A list; absent and `null` are the empty one. */
export function list<T>(element: Decoder<T>): Decoder<readonly T[]> {
  return {
    zero: [],
    read(json, previous) {
      if (json.readNull()) return [];
      const items: T[] = [];
      json.readArray(() => items.push(element.read(json, previous[items.length] ?? element.zero)));
      return items;
    },
  };
}

/** A map from text, whose keys are taken as they are. */
export function mapOf<T>(value: Decoder<T>): Decoder<ReadonlyMap<string, T>> {
  return {
    zero: new Map(),
    read(json, previous) {
      if (json.readNull()) return new Map();
      const map = new Map(previous);
      json.readObject((key) => map.set(key, value.read(json, value.zero)));
      return map;
    },
  };
}

/** An unknown field, which is ignored. */
export function ignored<T>(value: T): Decoder<T> {
  return {
    zero: value,
    read(json) {
      json.skip();
      return value;
    },
  };
}

/** A struct with these fields. */
export function struct<F extends Readonly<Record<string, Decoder<unknown>>>>(
  fields: F,
): Decoder<{ readonly [K in keyof F]: Decoded<F[K]> }> {
  type Struct = { readonly [K in keyof F]: Decoded<F[K]> };
  const byFoldedName = new Map(Object.keys(fields).map((name) => [foldCase(name), name]));
  const zero = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.zero]));
  return {
    zero: zero as Struct,
    read(json, previous) {
      if (json.readNull()) return previous;
      const value: Record<string, unknown> = { ...previous };
      json.readObject((key) => {
        const name = byFoldedName.get(foldCase(key));
        if (name === undefined) json.skip();
        else value[name] = json.within(name, () => fields[name]!.read(json, value[name]));
      });
      return value as Struct;
    },
  };
}

function readInt32(json: JsonReader, expected: string): number {
  const number = json.readNumber(expected);
  const value = parseInt32(number);
  if (value === undefined) throw json.error(`${expected} of 32 bits, without a fraction or an exponent`, number);
  return value;
}

/** Go's case folding of names, as far as it can reach an ASCII name: the Kelvin sign is a k, the long s an s. */
function foldCase(name: string): string {
  return name.replace(/[A-Z\u017f\u212a]/g, (letter) =>
    letter === '\u017f' ? 's' : letter === '\u212a' ? 'k' : letter.toLowerCase(),
  );
}

/** Walks over a text that is known to be JSON. */
class JsonReader {
  private at = 0;
  private readonly fields: string[] = [];

  constructor(private readonly json: string) {
    this.skipSpace();
  }

  /** The first character of the next value. */
  peek(): string {
    return this.json[this.at]!;
  }

  readNull(): boolean {
    if (this.peek() !== 'n') return false;
    this.advance(4);
    return true;
  }

  readBoolean(): boolean {
    const first = this.peek();
    if (first !== 't' && first !== 'f') throw this.error('true or false');
    this.advance(first === 't' ? 4 : 5);
    return first === 't';
  }

  readString(expected: string): string {
    if (this.peek() !== '"') throw this.error(expected);
    return this.string();
  }

  /** The number as it is written. */
  readNumber(expected: string): string {
    const number = this.match(NUMBER);
    if (number === undefined) throw this.error(expected);
    return number;
  }

  readArray(readElement: () => void): void {
    this.readItems('[', ']', 'a list', readElement);
  }

  readObject(readMember: (key: string) => void): void {
    this.readItems('{', '}', 'an object', () => {
      const key = this.string();
      this.advance(1);
      readMember(key);
    });
  }

  /** Skips the next value. */
  skip(): void {
    let depth = 0;
    do {
      const first = this.peek();
      if (first === '"') this.match(STRING);
      else if (first === '[' || first === '{') depth++;
      else if (first === ']' || first === '}') depth--;
      if (first === '"') continue;
      if (this.match(SCALAR) === undefined) this.advance(1);
    } while (depth > 0);
  }

  /** Reads a field; an error says which. */
  within<T>(field: string, read: () => T): T {
    this.fields.push(field);
    const value = read();
    this.fields.pop();
    return value;
  }

  error(expected: string, found: string = this.kindOfNext()): JsonError {
    const where = this.fields.length === 0 ? '' : `${this.fields.join('.')} `;
    return new JsonError(`${where}must be ${expected}, not ${found}`);
  }

  private kindOfNext(): string {
    switch (this.peek()) {
      case '"':
        return `the string ${this.match(STRING)}`;
      case '[':
        return 'a list';
      case '{':
        return 'an object';
      case 't':
      case 'f':
        return 'a boolean';
      default:
        return `the number ${this.match(NUMBER)}`;
    }
  }

  private readItems(open: string, close: string, expected: string, readItem: () => void): void {
    if (this.peek() !== open) throw this.error(expected);
    this.advance(1);
    while (this.peek() !== close) {
      readItem();
      if (this.peek() === ',') this.advance(1);
    }
    this.advance(1);
  }

  private string(): string {
    const literal = this.match(STRING)!;
    // Go replaces halves of surrogate pairs.
    return (JSON.parse(literal) as string).replace(/\p{Surrogate}/gu, '\ufffd');
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.json)?.[0];
    if (found !== undefined) this.advance(found.length);
    return found;
  }

  private advance(length: number): void {
    this.at += length;
    this.skipSpace();
  }

  private skipSpace(): void {
    while (/[ \t\r\n]/.test(this.json[this.at] ?? '')) this.at++;
  }
}

const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/y;
const NUMBER = /-?[0-9][0-9.eE+-]*/y;
const SCALAR = /[a-z0-9.eE+-]+/y;
