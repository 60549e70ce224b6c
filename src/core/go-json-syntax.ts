/**
 * What Go's `encoding/json` says of a text that is no JSON, to the letter; undefined where the text is JSON. For
 * models of controllers, whose own messages users find in logs and events.
 */
export function goJsonSyntaxError(text: string): string | undefined {
  return isJson(text) && text.length <= MAX_DEPTH
    ? undefined
    : new Scanner(Buffer.from(text).toString('latin1')).complaint();
}

/** Go refuses JSON that nests deeper. */
const MAX_DEPTH = 10_000;

/** JavaScript's parser refuses exactly what Go's does, but for the depth. */
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

/** Go's names of characters, which `strconv.Quote` knows. */
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

/** Goes over a text, one character per byte, until something is wrong. */
class Scanner {
  private at = 0;
  /** The brackets that are open. */
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

  /** Passes a scalar or an empty list or object, and all the brackets that open before the first of these. */
  private value(): void {
    while (this.opens()) {
      // The brackets wait in `open`, so that depth costs no stack.
    }
  }

  /** Passes a value, or of a list or object that is not empty what stands before its first value: true. */
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

  /** The next character that is no space. */
  private next(): string {
    this.skip(SPACE);
    return this.text[this.at] ?? this.end();
  }

  /** The next character within a token, where Go takes the end of the text for a space. */
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

/** One byte, as Go quotes the character of that number. */
function quoted(character: string): string {
  const named = ESCAPES[character];
  if (named !== undefined) return named;
  const code = character.charCodeAt(0);
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`;
  return (code >= 0x80 && code <= 0xa0) || code === 0xad ? `\\u00${code.toString(16)}` : character;
}
