import { parseDuration } from '../../core/duration';
import type { Json } from '../../core/json';

/** Parses numbers and percentages as Go's standard library does. */

const INT32_MAX = 2 ** 31 - 1;

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
