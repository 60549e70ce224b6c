import { latin1Bytes } from './bytes';
import { type FloatFormat, formatFloat } from './float';
import { canBackquote, firstRunes, isPrintable, quote, runeCount, runeText } from './go-quote';

// Everything here is text with one character per byte.

/** The flags, the width and the precision of a format directive. */
export interface Flags {
  width?: number;
  precision?: number;
  minus?: boolean;
  plus?: boolean;
  sharp?: boolean;
  space?: boolean;
  zero?: boolean;
  /** `%#v`: Go syntax. */
  sharpValue?: boolean;
}

/** A signed 64-bit integer under a verb; undefined for a verb that integers do not have. */
export function formatInteger(value: bigint, verb: string, flags: Flags): string | undefined {
  switch (verb) {
    case 'v':
    case 'd':
      return integer(value, 10, '', flags);
    case 'b':
      return integer(value, 2, '0b', flags);
    case 'o':
      return octal(value, '', flags);
    case 'O':
      return octal(value, '0o', flags);
    case 'x':
      return integer(value, 16, '0x', flags);
    case 'X':
      return integer(value, 16, '0X', flags);
    case 'c':
      return pad(runeText(codePointOf(value)), flags);
    case 'U':
      return unicode(value, flags);
    default:
      return undefined;
  }
}

/** A float under a verb; undefined for a verb that is not among `v e E f F g G`. */
export function formatFloatVerb(value: number, verb: string, flags: Flags): string | undefined {
  switch (verb) {
    case 'v':
      return float(value, 'g', flags.precision, flags);
    case 'g':
    case 'G':
      return float(value, verb, flags.precision, flags);
    case 'e':
    case 'E':
    case 'f':
      return float(value, verb, flags.precision ?? 6, flags);
    case 'F':
      return float(value, 'f', flags.precision ?? 6, flags);
    default:
      return undefined;
  }
}

/** A string under a verb; undefined for a verb that strings do not have. */
export function formatText(value: string, verb: string, flags: Flags): string | undefined {
  switch (verb) {
    case 'v':
      return flags.sharpValue ? quoted(value, flags) : pad(truncated(value, flags), flags);
    case 's':
      return pad(truncated(value, flags), flags);
    case 'x':
      return hexadecimal(value, '0123456789abcdef', '0x', flags);
    case 'X':
      return hexadecimal(value, '0123456789ABCDEF', '0X', flags);
    case 'q':
      return quoted(value, flags);
    default:
      return undefined;
  }
}

/** Fills up to the width; with the flag `0`, this Go pads text with zeros, too. */
export function pad(text: string, flags: Flags): string {
  if (flags.width === undefined) return text;
  const missing = flags.width - runeCount(text);
  if (missing <= 0) return text;
  const filling = (flags.zero ? '0' : ' ').repeat(missing);
  return flags.minus ? text + filling : filling + text;
}

function integer(value: bigint, base: number, prefix: string, flags: Flags): string {
  const { precision } = flags;
  // Zeros have been filled in as digits by then.
  const padding = { ...flags, zero: false };
  if (precision === 0 && value === 0n) return pad('', padding);
  const sign = signOf(value < 0n, flags);
  const magnitude = (value < 0n ? -value : value).toString(base);
  const digits = prefix === '0X' ? magnitude.toUpperCase() : magnitude;
  const body = digits.padStart(digitsWanted(value, flags), '0');
  return pad(`${sign}${flags.sharp ? prefix : ''}${body}`, padding);
}

/** The flag `#` adds a leading zero if there is none. */
function octal(value: bigint, prefix: string, flags: Flags): string {
  const digits = (value < 0n ? -value : value).toString(8);
  const zeroLeads = value === 0n || digitsWanted(value, flags) > digits.length;
  const zero = flags.sharp && !zeroLeads ? '0' : '';
  return integer(value, 8, `${prefix}${zero}`, { ...flags, sharp: true });
}

/** Zeros are asked for by a precision, or else by the flag `0` and a width. */
function digitsWanted(value: bigint, flags: Flags): number {
  const filled = flags.zero && flags.width !== undefined ? flags.width - signOf(value < 0n, flags).length : 0;
  return flags.precision ?? filled;
}

function signOf(negative: boolean, flags: Flags): string {
  if (negative) return '-';
  if (flags.plus) return '+';
  return flags.space ? ' ' : '';
}

function codePointOf(value: bigint): number {
  return value >= 0n && value <= 0x10ffffn ? Number(value) : 0xfffd;
}

function unicode(value: bigint, flags: Flags): string {
  const digits = BigInt.asUintN(64, value).toString(16).toUpperCase();
  const codePoint = value >= 0n && value <= 0x10ffffn ? Number(value) : -1;
  const shown = flags.sharp && codePoint >= 0 && isPrintable(codePoint) ? ` '${runeText(codePoint)}'` : '';
  return pad(`U+${digits.padStart(Math.max(flags.precision ?? 0, 4), '0')}${shown}`, { ...flags, zero: false });
}

function float(value: number, format: FloatFormat, precision: number | undefined, flags: Flags): string {
  const plain = formatFloat(value, format, precision);
  const negative = plain[0] === '-';
  const magnitude = plain.replace(/^[+-]/, '');
  if (!Number.isFinite(value)) return notFinite(magnitude, negative, flags);
  const number = flags.sharp ? withPoint(magnitude, format, precision) : magnitude;
  const sign = signOf(negative, flags);
  const filled = flags.zero && sign !== '' ? number.padStart((flags.width ?? 0) - 1, '0') : number;
  return pad(`${sign}${filled}`, flags);
}

/** Infinities show a sign only when they have one or are asked for it; zeros never fill them up. */
function notFinite(name: string, negative: boolean, flags: Flags): string {
  const sign = signOf(negative, flags) || (name === 'NaN' ? '' : '+');
  return pad(`${sign}${name}`, { ...flags, zero: false });
}

/** The flag `#` keeps the point, and with `g` the zeros behind it. */
function withPoint(magnitude: string, format: FloatFormat, precision: number | undefined): string {
  const [, digits, exponent] = /^([^eE]*)(.*)$/.exec(magnitude)!;
  const pointed = digits!.includes('.') ? digits! : `${digits}.`;
  if (format !== 'g' && format !== 'G') return pointed + exponent;
  // A lone zero counts as one digit; otherwise zeros count from the first other digit on.
  const significant = pointed === '0.' ? 1 : pointed.replace('.', '').replace(/^0+/, '').length;
  return pointed + '0'.repeat(Math.max((precision ?? 6) - significant, 0)) + exponent;
}

function truncated(value: string, flags: Flags): string {
  return flags.precision === undefined ? value : firstRunes(value, flags.precision);
}

function quoted(value: string, flags: Flags): string {
  const text = truncated(value, flags);
  const bytes = latin1Bytes(text);
  const raw = flags.sharp && canBackquote(bytes);
  return pad(raw ? `\`${text}\`` : quote(bytes, flags.plus ?? false), flags);
}

function hexadecimal(value: string, digits: string, prefix: string, flags: Flags): string {
  const bytes = latin1Bytes(value.slice(0, flags.precision));
  const pairs = Array.from(bytes, (byte) => digits[byte >> 4]! + digits[byte & 15]!);
  const before = flags.sharp ? prefix : '';
  const spaced = flags.space ? pairs.map((pair) => before + pair).join(' ') : before + pairs.join('');
  return pad(pairs.length === 0 ? '' : spaced, flags);
}
