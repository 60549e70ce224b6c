/** A duration that converts itself to seconds, such as the `Duration` of cdk8s. */
export interface DurationLike {
  /** The duration in seconds. */
  toSeconds(): number;
}

/** A duration in seconds. A number already counts seconds. */
export function secondsOf(time: number | DurationLike): number {
  return typeof time === 'number' ? time : time.toSeconds();
}

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
