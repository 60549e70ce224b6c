/**
 * The meaning of a plain (unquoted) scalar for kubectl. kubectl reads YAML with sigs.k8s.io/yaml, which follows neither
 * YAML 1.1 nor 1.2 exactly: `yes`, `on` and `y` are booleans and `0755` is an octal number, as in 1.1; but `0o755` is an
 * octal number too, and `12:30` and a date are strings.
 */
export type PlainValue = null | boolean | number | string;

const WORDS: ReadonlyMap<string, null | boolean | number> = new Map<string, null | boolean | number>([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
  ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['.nan', '.NaN', '.NAN'].map((word) => [word, Number.NaN] as const),
  ...['.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'].map((word) => [word, Number.POSITIVE_INFINITY] as const),
  ...['-.inf', '-.Inf', '-.INF'].map((word) => [word, Number.NEGATIVE_INFINITY] as const),
]);

const MAY_BE_NUMBER = /^[-+.0-9]/;
const INTEGER = /^([-+]?)(?:(0[xX][0-9a-fA-F]+)|(0[bB][01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/;
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;

/** The value of a plain scalar. May be Infinity or NaN, which JSON cannot hold. */
export function plainValue(text: string): PlainValue {
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  return MAY_BE_NUMBER.test(text) ? (numberValue(text) ?? text) : text;
}

function numberValue(text: string): number | undefined {
  // Underscores separate digits, except in a number that starts with its decimal point.
  const digits = text.startsWith('.') ? text : text.replaceAll('_', '');
  const integer = INTEGER.exec(digits);
  if (integer !== null) {
    const [, sign, hexadecimal, binary, octal, decimal] = integer;
    const size = Number(hexadecimal ?? binary ?? (octal === undefined ? decimal : `0o${octal}`));
    // Go's integers have no negative zero.
    return sign === '-' && size !== 0 ? -size : size;
  }
  const float = FLOAT.test(digits) ? Number(digits) : undefined;
  // A float out of range is an error in Go, and kubectl then reads the text as a string.
  return float !== undefined && Number.isFinite(float) ? float : undefined;
}

/** Whether a plain scalar is an integer that a double cannot hold exactly. */
export function losesPrecision(text: string, value: PlainValue): value is number {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return false;
  const digits = text.replaceAll('_', '');
  return /^[-+]?[0-9]+$/.test(digits) && BigInt(digits.replace('+', '')) !== BigInt(value);
}
