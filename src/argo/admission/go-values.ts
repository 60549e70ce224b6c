import type { Json } from '../../core/json';

/** Parses numbers, percentages and durations as Go's standard library does. */

const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
};
const MAX_DURATION_SECONDS = 2 ** 63 / 1e9;
const INT32_MAX = 2 ** 31 - 1;

/** Go's `time.ParseDuration` in seconds; undefined for invalid text. */
export function parseDuration(text: string): number | undefined {
  const [, sign = '', rest = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  if (rest === '0') return 0;
  if (!/^((\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h))+$/.test(rest)) return undefined;
  let seconds = 0;
  for (const [, amount, unit] of rest.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g)) {
    seconds += Number(amount) * UNITS[unit!]!;
  }
  if (seconds >= MAX_DURATION_SECONDS) return undefined;
  return sign === '-' ? -seconds : seconds;
}

/** Go's `strconv.Atoi`, or 0 for invalid text. */
export function atoi(text: string): number {
  return /^[+-]?\d+$/.test(text) ? Number(text) : 0;
}

/** The value of `maxSurge` or `maxUnavailable`: a number of pods, or the number before the percent sign. */
export function intOrPercent(value: Json): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return 0;
  return /^\d+%$/.test(value) ? Number(value.slice(0, -1)) : atoi(value);
}

/** The seconds of a pause; negative for an invalid duration, or one that does not fit into 32 bits. */
export function pauseSeconds(duration: Json | undefined): number {
  if (typeof duration === 'number') return duration;
  if (typeof duration !== 'string') return 0;
  const isNumber = /^[+-]?\d+$/.test(duration);
  if (isNumber && Math.abs(Number(duration)) <= INT32_MAX) return Number(duration);
  const seconds = parseDuration(duration);
  if (seconds === undefined || seconds > INT32_MAX) return -1;
  return Math.trunc(seconds);
}

/** Splits `metadata.labels['app']` into the map and its key; leaves a path without a key unchanged. */
export function splitSubscript(path: string): { readonly base: string; readonly key?: string } {
  const at = path.indexOf("['");
  if (!path.endsWith("']") || at <= 0 || at + 2 > path.length - 2) return { base: path };
  return { base: path.slice(0, at), key: path.slice(at + 2, -2) };
}

const QUANTITY = /^([+-]?)(\d+\.?\d*|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/;
const FACTORS: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** The value of a quantity such as `100m` or `1Gi`; undefined if it is invalid. */
export function parseQuantity(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  const found = QUANTITY.exec(value);
  if (found === null) return undefined;
  const [, sign, digits, suffix = ''] = found;
  const factor = suffix === '' ? 1 : (FACTORS[suffix] ?? Number(`1${suffix}`));
  return Number(digits) * factor * (sign === '-' ? -1 : 1);
}
