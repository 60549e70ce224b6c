import { decodeRune, latin1Bytes } from './bytes';
import { runeText } from './go-quote';
import { type Flags, formatFloatVerb, formatInteger, formatText, pad } from './go-verb';
import { formatNumber, isInteger64, parseNumber, toInteger64 } from './number';
import type { Budget } from './pattern';

/** An argument of `string.format`. */
export type FormatArgument =
  | { readonly type: 'nil' }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'number'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }
  /** `text` is what `tostring` shows without metatables, such as `table: 0xc0001a2b40`. */
  | { readonly type: 'table' | 'function' | 'userdata'; readonly text: string };

/**
 * Lua's `string.format` in the controller: Go's `fmt.Sprintf`, which never fails but writes errors into the result, such as
 * `%!u(int64=42)`. Texts have one character per byte.
 * @param budget counts the length of each piece: a width of a million is allowed
 *
 * @example
 * formatString('%5.1f%%', [{ type: 'number', value: 20 }]); // ' 20.0%'
 */
export function formatString(text: string, values: readonly FormatArgument[], budget?: Budget): string {
  const wanted = count(text, '%') - count(text, '%%');
  return new Printer(text, values.slice(0, wanted), budget).print();
}

function count(text: string, part: string): number {
  let found = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found++;
  return found;
}

/** Goes through a format as Go does. */
class Printer {
  private written = '';
  private offset = 0;
  private next = 0;
  private reordered = false;
  /** Every explicit index of the current directive was good. */
  private indexed = true;

  constructor(
    private readonly text: string,
    private readonly values: readonly FormatArgument[],
    private readonly budget: Budget | undefined,
  ) {}

  print(): string {
    while (this.offset < this.text.length) {
      const percent = this.text.indexOf('%', this.offset);
      const end = percent < 0 ? this.text.length : percent;
      this.write(this.text.slice(this.offset, end));
      this.offset = end + 1;
      if (percent >= 0) this.printDirective();
    }
    if (!this.reordered && this.next < this.values.length) this.printExtra();
    return this.written;
  }

  private printDirective(): void {
    this.indexed = true;
    const flags = this.readFlags();
    let afterIndex = this.readIndex();
    afterIndex = this.readWidth(flags, afterIndex);
    afterIndex = this.readPrecision(flags, afterIndex);
    if (!afterIndex) this.readIndex();
    this.write(this.offset < this.text.length ? this.formatNext(this.readVerb(), flags) : '%!(NOVERB)');
  }

  private formatNext(verb: string, flags: Flags): string {
    if (verb === '%') return '%';
    if (!this.indexed) return `%!${verb}(BADINDEX)`;
    if (this.next >= this.values.length) return `%!${verb}(MISSING)`;
    return formatValue(this.values[this.next++]!, verb, flags);
  }

  private readVerb(): string {
    const { offset } = this;
    const { codePoint, size } = decodeRune(latin1Bytes(this.text.slice(offset, offset + LONGEST_RUNE)), 0);
    this.offset += size;
    return runeText(codePoint);
  }

  private printExtra(): void {
    const extra = this.values.slice(this.next);
    const shown = extra.map((value) => `${goType(value)}=${formatValue(value, 'v', {})}`);
    this.write(`%!(EXTRA ${shown.join(', ')})`);
  }

  private readFlags(): Flags {
    const flags: Flags = {};
    for (; this.offset < this.text.length; this.offset++) {
      switch (this.text[this.offset]) {
        case '#':
          flags.sharp = true;
          break;
        case '+':
          flags.plus = true;
          break;
        case ' ':
          flags.space = true;
          break;
        case '-':
          flags.minus = true;
          flags.zero = false;
          break;
        case '0':
          flags.zero = !flags.minus;
          break;
        default:
          return flags;
      }
    }
    return flags;
  }

  /** Reads `[3]`; true when there was one that could be read. */
  private readIndex(): boolean {
    if (this.text[this.offset] !== '[') return false;
    this.reordered = true;
    const close = this.text.length - this.offset < 3 ? -1 : this.text.indexOf(']', this.offset);
    if (close < 0) {
      this.offset++;
      this.indexed = false;
      return false;
    }
    const { value, end } = this.readNumber(this.offset + 1, close);
    this.offset = close + 1;
    const readable = value !== undefined && end === close;
    if (readable && value >= 1 && value <= this.values.length) this.next = value - 1;
    else this.indexed = false;
    return readable;
  }

  private readWidth(flags: Flags, afterIndex: boolean): boolean {
    if (this.text[this.offset] === '*') {
      this.offset++;
      this.skipStarArgument();
      this.write('%!(BADWIDTH)');
      return false;
    }
    const { value, end } = this.readNumber(this.offset, this.text.length);
    this.offset = end;
    if (value !== undefined) flags.width = value;
    if (afterIndex && value !== undefined) this.indexed = false;
    return afterIndex;
  }

  private readPrecision(flags: Flags, afterIndex: boolean): boolean {
    if (this.text[this.offset] !== '.' || this.offset + 1 >= this.text.length) return afterIndex;
    this.offset++;
    if (afterIndex) this.indexed = false;
    const found = this.readIndex();
    if (this.text[this.offset] === '*') {
      this.offset++;
      this.skipStarArgument();
      this.write('%!(BADPREC)');
      return false;
    }
    const { value, end } = this.readNumber(this.offset, this.text.length);
    this.offset = end;
    flags.precision = value ?? 0;
    return found;
  }

  /** `*` expects a Go integer, which no Lua value is; it still consumes the argument. */
  private skipStarArgument(): void {
    if (this.next < this.values.length) this.next++;
  }

  /** Reads digits. Beyond a million, the rest of the format counts as the number, which is then invalid. */
  private readNumber(start: number, limit: number): { value: number | undefined; end: number } {
    let value: number | undefined;
    let end = start;
    for (; end < limit && isDigit(this.text[end]!); end++) {
      if ((value ?? 0) > LARGEST_NUMBER) return { value: undefined, end: limit };
      value = (value ?? 0) * 10 + Number(this.text[end]);
    }
    return { value, end };
  }

  private write(text: string): void {
    this.budget?.step(text.length);
    this.written += text;
  }
}

const LARGEST_NUMBER = 1e6;

/** The most bytes of a character in UTF-8. */
const LONGEST_RUNE = 4;

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

function formatValue(value: FormatArgument, verb: string, given: Flags): string {
  if (verb === 'T') return formatText(goType(value), 's', given)!;
  const flags = verb === 'v' || verb === 'w' ? valueFlags(given) : given;
  if (verb === 'p' || verb === 'w') return withoutMethods(value, verb, flags);
  switch (value.type) {
    case 'number':
      return formatLuaNumber(value.value, verb, flags);
    case 'string':
      return formatLuaString(value.value, verb, flags);
    default:
      return formatStringer(value, verb, flags);
  }
}

/** With `v`, `#` and `+` ask for Go syntax and field names and are no longer flags of the number or the string. */
function valueFlags(flags: Flags): Flags {
  return { ...flags, sharp: false, plus: false, sharpValue: flags.sharp };
}

function formatLuaNumber(value: number, verb: string, flags: Flags): string {
  switch (verb) {
    case 'q':
    case 's':
      return formatText(formatNumber(value), verb, flags)!;
    case 'i':
      return formatInteger(toInteger64(value), 'd', flags)!;
    case 'b':
    case 'c':
    case 'd':
    case 'o':
    case 'x':
    case 'X':
    case 'U':
      return formatInteger(toInteger64(value), verb, flags)!;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
      return formatFloatVerb(value, verb, flags)!;
    default:
      return isInteger64(value) ? formatGoInteger(value, verb, flags) : formatGoFloat(value, verb, flags);
  }
}

function formatGoInteger(value: number, verb: string, flags: Flags): string {
  const integer = toInteger64(value);
  const shown = () => formatInteger(integer, 'v', flags)!;
  return formatInteger(integer, verb, flags) ?? `%!${verb}(int64=${shown()})`;
}

function formatGoFloat(value: number, verb: string, flags: Flags): string {
  const shown = () => formatFloatVerb(value, 'v', flags)!;
  return formatFloatVerb(value, verb, flags) ?? `%!${verb}(float64=${shown()})`;
}

/** `%d` of text that is a number writes the text, of any other text 0. */
function formatLuaString(value: string, verb: string, flags: Flags): string {
  if (verb === 'd' || verb === 'i') {
    const isNumber = parseNumber(value) !== undefined;
    return isNumber ? formatText(value, 's', flags)! : formatInteger(0n, 'd', flags)!;
  }
  return formatText(value, verb, flags) ?? `%!${verb}(string=${formatText(value, 'v', flags)})`;
}

type Stringer = Exclude<FormatArgument, { type: 'number' | 'string' }>;

/** Values that Go shows by their text where text is fit for the verb, and by their structure elsewhere. */
function formatStringer(value: Stringer, verb: string, flags: Flags): string {
  const shown = flags.sharpValue ? undefined : formatText(stringerText(value), verb, flags);
  if (shown !== undefined) return shown;
  if (value.type !== 'boolean') return structure(value, flags);
  if (verb === 't' || verb === 'v') return pad(String(value.value), flags);
  return withoutMethods(value, verb, flags);
}

function stringerText(value: Stringer): string {
  if (value.type === 'nil') return 'nil';
  return value.type === 'boolean' ? String(value.value) : value.text;
}

/** Verbs that no Lua value supports, applied to the Go value. */
function withoutMethods(value: FormatArgument, verb: string, flags: Flags): string {
  const address = 'text' in value ? /0x[0-9a-f]+$/.exec(value.text)?.[0] : undefined;
  if (verb === 'p' && address) return formatInteger(BigInt(address), 'x', { ...flags, sharp: !flags.sharp })!;
  return `%!${verb}(${goType(value)}=${bareValue(value, flags)})`;
}

function bareValue(value: FormatArgument, flags: Flags): string {
  switch (value.type) {
    case 'number':
      return formatFloatVerb(value.value, 'v', flags)!;
    case 'string':
      return formatText(value.value, 'v', flags)!;
    case 'boolean':
      return pad(String(value.value), flags);
    default:
      return structure(value, flags);
  }
}

/** Go's text for a pointer to a struct. The fields of tables and functions are addresses, which differ by run. */
function structure(value: FormatArgument, flags: Flags): string {
  return `&${flags.sharpValue ? goType(value).slice(1) : ''}{}`;
}

function goType(value: FormatArgument): string {
  return GO_TYPES[value.type];
}

const GO_TYPES: Record<FormatArgument['type'], string> = {
  nil: '*lua.LNilType',
  boolean: 'lua.LBool',
  number: 'lua.LNumber',
  string: 'lua.LString',
  table: '*lua.LTable',
  function: '*lua.LFunction',
  userdata: '*lua.LUserData',
};
