const INT64_MAX = 2n ** 63n - 1n;

/**
 * The number behind a number of pods or a percentage, as the controller reads it (a percentage of 100). Undefined is
 * what it cannot read: a text without `%`, or one that Go's strconv.Atoi refuses. `+50%` and `050%` are fine.
 */
export function scaledValue(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.endsWith('%') ? atoi(value.slice(0, -1)) : undefined;
}

/** Go's strconv.Atoi: a sign and decimal digits within 64 bits, nothing else. */
function atoi(text: string): number | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.replace(/^\+/, ''));
  return value > INT64_MAX || value < -INT64_MAX - 1n ? undefined : Number(value);
}
