import { latin1, utf8 } from './bytes';

/**
 * The error message of Go's `encoding/json` for a text that is not JSON; undefined if the text is JSON. Models of
 * controllers need it, because users find these messages in logs and events.
 */
export function goJsonSyntaxError(text: string): string | undefined {
  return isJson(text) && text.length <= MAX_DEPTH ? undefined : new Scanner(latin1(utf8(text))).complaint();
}

/** Go rejects JSON that is nested deeper. */
const MAX_DEPTH = 10_000;

/** JavaScript's parser rejects the same texts as Go's, except for the depth. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const SPACE = /[ \t\r\n]*/y;
const DIGITS = /[0-9]*/y;
const LITERALS: Readonly<Record<string, string>> = { t: 'true', f: 'false', n: 'null' };

/** The escapes of `strconv.Quote`. */
const ESCAPES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\\': '\\\\',
  "'": "\\'",
};

class Complaint extends Error {}

/** Scans a text, one character per byte, up to the first error. */
class Scanner {
  private at = 0;
  /** The open brackets. */
  private readonly open: string[] = [];

  constructor(private readonly text: string) {}

  complaint(): string | undefined {
    try {
      this.value();
      while (this.open.length > 0) this.afterElement();
      this.skip(SPACE);
      if (this.at < this.text.length) this.fail('after top-level value');
      return undefined;
    } catch (error) {
      if (error instanceof Complaint) return error.message;
      throw error;
    }
  }

  /** Skips a scalar or an empty list or object, and all brackets that open before it. */
  private value(): void {
    while (this.opens()) {
      // Open brackets are kept in a list, so that the depth does not use the call stack.
    }
  }

  /** Skips a value. For a list or object with entries, skips to the first value and returns true. */
  private opens(): boolean {
    const first = this.next();
    if (first === '[' || first === '{') {
      if (this.open.length >= MAX_DEPTH) this.fail('exceeded max depth');
      this.at++;
      if (this.next() === (first === '[' ? ']' : '}')) {
        this.at++;
        return false;
      }
      this.open.push(first);
      if (first === '{') this.key();
      return true;
    }
    const literal = LITERALS[first];
    if (literal !== undefined) this.literal(literal);
    else if (first === '"') this.string();
    else if (first === '-' || isDigit(first)) this.number();
    else this.fail('looking for beginning of value');
    return false;
  }

  private afterElement(): void {
    const isObject = this.open[this.open.length - 1] === '{';
    const character = this.next();
    if (character === (isObject ? '}' : ']')) {
      this.at++;
      this.open.pop();
    } else if (character === ',') {
      this.at++;
      if (isObject) this.key();
      this.value();
    } else {
      this.fail(isObject ? 'after object key:value pair' : 'after array element');
    }
  }

  private key(): void {
    if (this.next() !== '"') this.fail('looking for beginning of object key string');
    this.string();
    if (this.next() !== ':') this.fail('after object key');
    this.at++;
  }

  private string(): void {
    for (this.at++; this.text[this.at] !== '"'; this.at++) {
      if (this.at >= this.text.length) this.end();
      if (this.text[this.at]! < ' ') this.fail('in string literal');
      if (this.text[this.at] === '\\') this.escape();
    }
    this.at++;
  }

  private escape(): void {
    this.at++;
    const letter = this.inside();
    if (!'bfnrt\\/"u'.includes(letter)) this.fail('in string escape code');
    if (letter !== 'u') return;
    for (let digit = 0; digit < 4; digit++) {
      this.at++;
      if (!/[0-9a-fA-F]/.test(this.inside())) this.fail('in \\u hexadecimal character escape');
    }
  }

  private number(): void {
    if (this.text[this.at] === '-') {
      this.at++;
      if (!isDigit(this.inside())) this.fail('in numeric literal');
    }
    if (this.text[this.at] === '0') this.at++;
    else this.skip(DIGITS);
    if (this.text[this.at] === '.') {
      this.at++;
      if (!isDigit(this.inside())) this.fail('after decimal point in numeric literal');
      this.skip(DIGITS);
    }
    if (/[eE]/.test(this.text[this.at] ?? '')) {
      this.at++;
      if (/[+-]/.test(this.text[this.at] ?? '')) this.at++;
      if (!isDigit(this.inside())) this.fail('in exponent of numeric literal');
      this.skip(DIGITS);
    }
  }

  private literal(word: string): void {
    for (const letter of word) {
      if (this.inside() !== letter) this.fail(`in literal ${word} (expecting '${letter}')`);
      this.at++;
    }
  }

  private skip(pattern: RegExp): void {
    pattern.lastIndex = this.at;
    this.at += pattern.exec(this.text)![0].length;
  }

  /** The next character that is not a space. */
  private next(): string {
    this.skip(SPACE);
    return this.text[this.at] ?? this.end();
  }

  /** The next character within a token. Go treats the end of the text as a space. */
  private inside(): string {
    return this.text[this.at] ?? ' ';
  }

  private end(): never {
    throw new Complaint('unexpected end of JSON input');
  }

  private fail(context: string): never {
    throw new Complaint(`invalid character '${quoted(this.inside())}' ${context}`);
  }
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

/** A byte, quoted as Go quotes the character with that number. */
function quoted(character: string): string {
  const named = ESCAPES[character];
  if (named !== undefined) return named;
  const code = character.charCodeAt(0);
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`;
  return (code >= 0x80 && code <= 0xa0) || code === 0xad ? `\\u00${code.toString(16)}` : character;
}
