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
