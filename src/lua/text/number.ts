import { latin1Text } from './bytes';
import { formatFloat } from './float';

/**
 * The number in a piece of text, as the controller's Lua reads it in arithmetic (`"010" + 1` is 9) and in a numeric
 * literal: Go's integer syntax with its base prefixes first, Go's float syntax otherwise.
 * @returns undefined when the text is no number; Lua then fails, or takes NaN for a literal
 */
export function parseNumber(text: string | Uint8Array): number | undefined {
  const trimmed = trimBlanks(asText(text));
  return parseGoInteger(trimmed, 0) ?? parseGoFloat(trimmed);
}

/**
 * Lua's `tonumber(text, base)` as the controller has it: text with a dot is a float whatever the base, and without one
 * it must be an integer of exactly that base, so that `"1e3"`, `"0x10"` and `"inf"` are no numbers.
 * @param base 0 takes the base from a prefix (`0x`, `0o`, `0b`, `0`); anything else outside 2 to 36 has no numbers
 */
export function toNumber(text: string | Uint8Array, base = 10): number | undefined {
  const trimmed = trimBlanks(asText(text));
  return trimmed.includes('.') ? parseGoFloat(trimmed) : parseGoInteger(trimmed, base);
}

/** Lua's `tostring` of a number in the controller: integers of 64 bits plain, everything else as Go's `%v`. */
export function formatNumber(value: number): string {
  return isInteger64(value) ? integerText(value) : formatFloat(value, 'g');
}

/**
 * A number in the controller's JSON.
 * @returns undefined for NaN and the infinities, which JSON cannot hold
 */
export function formatJsonNumber(value: number): string | undefined {
  if (!Number.isFinite(value)) return undefined;
  // JavaScript changes to an exponent at the same places as Go's JSON and writes it the same way, except for -0.
  return Object.is(value, -0) ? '-0' : String(value);
}

/** True for a number that equals some signed 64-bit integer. */
export function isInteger64(value: number): boolean {
  return Number.isInteger(value) && value >= -TWO_TO_63 && value < TWO_TO_63;
}

/** Go's conversion of a float to a signed 64-bit integer: truncated; a value out of range becomes the smallest integer. */
export function toInteger64(value: number): bigint {
  const whole = Math.trunc(value);
  return isInteger64(whole) ? BigInt(whole) : SMALLEST_INTEGER;
}

const TWO_TO_63 = 2 ** 63;
const SMALLEST_INTEGER = -(1n << 63n);
const LARGEST_MAGNITUDE = 1n << 63n;

function asText(text: string | Uint8Array): string {
  return typeof text === 'string' ? text : latin1Text(text);
}

/** Without spaces, tabs and line feeds at either end. */
export function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a;
}

function integerText(value: number): string {
  // Beyond 2^53 JavaScript rounds the digits it prints; the controller prints the exact integer.
  return Number.isSafeInteger(value) ? String(value + 0) : BigInt(value).toString();
}

/** Go's `strconv.ParseInt` for 64 bits; undefined for what it refuses, out of range included. */
function parseGoInteger(text: string, base: number): number | undefined {
  const signed = text[0] === '+' || text[0] === '-';
  const unsigned = signed ? text.slice(1) : text;
  const literal = base === 0 ? integerLiteral(unsigned) : { base, digits: unsigned };
  if (literal === undefined || literal.base < 2 || literal.base > 36) return undefined;
  const magnitude = integerOf(literal.digits, literal.base);
  if (magnitude === undefined) return undefined;
  const negative = text[0] === '-';
  if (typeof magnitude === 'number') return negative ? 0 - magnitude : magnitude;
  if (magnitude > LARGEST_MAGNITUDE || (magnitude === LARGEST_MAGNITUDE && !negative)) return undefined;
  return Number(negative ? -magnitude : magnitude);
}

/** Takes the base from the prefix, as for a Go integer literal; a lone leading 0 means octal. */
function integerLiteral(text: string): { base: number; digits: string } | undefined {
  if (text.includes('_') && !underscoresSeparateDigits(text)) return undefined;
  if (text === '' || text[0] !== '0' || text === '0') return { base: 10, digits: text.replaceAll('_', '') };
  const prefixed = text.length >= 3 ? BASE_OF_PREFIX.get(text[1]!.toLowerCase()) : undefined;
  return { base: prefixed ?? 8, digits: text.slice(prefixed ? 2 : 1).replaceAll('_', '') };
}

const BASE_OF_PREFIX = new Map([
  ['b', 2],
  ['o', 8],
  ['x', 16],
]);

/** A number while that is exact. */
function integerOf(digits: string, base: number): number | bigint | undefined {
  if (digits === '') return undefined;
  let small = 0;
  let large = 0n;
  for (let index = 0; index < digits.length; index++) {
    const digit = digitValue(digits.charCodeAt(index));
    if (digit >= base) return undefined;
    if (small < SMALL_ENOUGH) {
      small = small * base + digit;
      if (small >= SMALL_ENOUGH) large = BigInt(small);
    } else {
      large = large * BigInt(base) + BigInt(digit);
      if (large > LARGEST_MAGNITUDE) return undefined;
    }
  }
  return small < SMALL_ENOUGH ? small : large;
}

/** While below this, a further digit of any base keeps a number exact. */
const SMALL_ENOUGH = 2 ** 46;

function digitValue(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a ? lower - 0x61 + 10 : 99;
}

/** Go's rule for `_` in numbers: between two digits, or between a base prefix and a digit. */
function underscoresSeparateDigits(text: string): boolean {
  const unsigned = text.replace(/^[+-]/, '');
  const prefix = /^0[box]/i.test(unsigned);
  const hexadecimal = /^0x/i.test(unsigned);
  let before: 'digit' | 'underscore' | 'other' = prefix ? 'digit' : 'other';
  for (const character of unsigned.slice(prefix ? 2 : 0)) {
    const isDigit = hexadecimal ? /[0-9a-f]/i.test(character) : /[0-9]/.test(character);
    if (character === '_' && before !== 'digit') return false;
    if (character !== '_' && !isDigit && before === 'underscore') return false;
    before = isDigit ? 'digit' : character === '_' ? 'underscore' : 'other';
  }
  return before !== 'underscore';
}

const SPECIAL_FLOAT = /^(?:([+-]?)(?:inf|infinity)|nan)$/i;
// Neither pattern can match one text in two ways, so that both take linear time.
const DECIMAL_FLOAT = /^[+-]?([0-9_]+(?:\.[0-9_]*)?|\.[0-9_]+)(?:e[+-]?[0-9][0-9_]*)?$/i;
const HEX_FLOAT = /^([+-]?)0x([0-9a-f_]*)(?:\.([0-9a-f_]*))?p([+-]?[0-9][0-9_]*)$/i;

/** Go's `strconv.ParseFloat` for 64 bits; undefined for what it refuses, out of range included. */
function parseGoFloat(text: string): number | undefined {
  const special = SPECIAL_FLOAT.exec(text);
  if (special) return /nan/i.test(text) ? Number.NaN : special[1] === '-' ? -Infinity : Infinity;
  if (text.includes('_') && !underscoresSeparateDigits(text)) return undefined;
  const value = parseDecimalFloat(text) ?? parseHexFloat(text);
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}

function parseDecimalFloat(text: string): number | undefined {
  const mantissa = DECIMAL_FLOAT.exec(text)?.[1];
  if (mantissa === undefined || !/[0-9]/.test(mantissa)) return undefined;
  return Number(text.replaceAll('_', ''));
}

function parseHexFloat(text: string): number | undefined {
  const parts = HEX_FLOAT.exec(text);
  if (!parts) return undefined;
  const [sign, whole, fraction, power] = parts.slice(1).map((part) => (part ?? '').replaceAll('_', ''));
  const digits = `${whole}${fraction}`;
  if (digits === '') return undefined;
  const magnitude = roundToFloat(BigInt(`0x${digits}`), Number(power) - 4 * fraction!.length);
  return sign === '-' ? -magnitude : magnitude;
}

/** `mantissa × 2^exponent`, rounded once, half to even. */
function roundToFloat(mantissa: bigint, exponent: number): number {
  if (mantissa === 0n) return 0;
  const length = mantissa.toString(2).length;
  if (length + exponent > 1024) return Infinity;
  if (length + exponent < -1075) return 0;
  const drop = Math.max(length - 53, -1074 - exponent, 0);
  const kept = mantissa >> BigInt(drop);
  const rest = mantissa - (kept << BigInt(drop));
  const half = drop > 0 ? 1n << BigInt(drop - 1) : 0n;
  const up = drop > 0 && (rest > half || (rest === half && (kept & 1n) === 1n));
  return timesPowerOfTwo(Number(up ? kept + 1n : kept), exponent + drop);
}

/** In two steps, since 2^exponent alone may be out of range where the product is not. */
function timesPowerOfTwo(value: number, exponent: number): number {
  const first = Math.max(-1000, Math.min(1000, exponent));
  return value * 2 ** first * 2 ** (exponent - first);
}
