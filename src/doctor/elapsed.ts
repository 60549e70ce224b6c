/** How long something has lasted, where the time is known. */

/** Seconds after which a controller that is at work is taken for one that hangs. */
export const PATIENCE_SECONDS = 120;

/** The seconds from a time to now; undefined where one of them is unknown. */
export function secondsSince(since: string | undefined, now: Date | undefined): number | undefined {
  const began = since === undefined ? Number.NaN : Date.parse(since);
  return now === undefined || Number.isNaN(began) ? undefined : (now.getTime() - began) / 1000;
}
