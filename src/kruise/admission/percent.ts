const INT64_MAX = 2n ** 63n - 1n;

/**
 * The value of a number of pods or a percentage, as the controller reads it (a percentage of 100). Undefined if the
 * controller cannot parse it: a text without `%`, or one that Go's strconv.Atoi rejects. `+50%` and `050%` are valid.
 */
export function scaledValue(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.endsWith('%') ? atoi(value.slice(0, -1)) : undefined;
}

/** Go's strconv.Atoi: an optional sign and decimal digits, within 64 bits. */
function atoi(text: string): number | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.replace(/^\+/, ''));
  return value > INT64_MAX || value < -INT64_MAX - 1n ? undefined : Number(value);
}
