/** When each event of a recording came: the controller's own delays and the machine's, apart from their order. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Rehearsal } from '../../src/core/rehearsal-result';
import { isWrite, rehearsalOf, writesAt } from './compare';
import { labsOf } from './labs';
import { MODELS } from './models';
import type { Lab } from './play';
import type { Event, Play, Recording } from './recording';
import { sorted } from './sorted';

/** Tenths of seconds since the story began, of each event of a lab's recording. */
export type Times = Readonly<Record<string, readonly number[]>>;

/** The file of the times of a release's recordings. */
export function timesFile(controller: string, release: string): string {
  return join(__dirname, 'times', controller, `${release}.json`);
}

/** What a file has; nothing was timed for a release without one. */
export function timesIn(file: string): Times {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** Puts the times of plays in the place of those before. */
export function addTimes(file: string, plays: ReadonlyMap<string, Play>): void {
  const tenths = [...plays].map(([lab, { times }]) => [lab, times.map((time) => Math.round(time / 100))]);
  const all = sorted({ ...timesIn(file), ...Object.fromEntries(tenths) });
  mkdirSync(dirname(file), { recursive: true });
  const lines = Object.entries(all).map(([lab, times]) => `  "${lab}": ${JSON.stringify(times)}`);
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
}

/** A delay that the rehearsal of a lab tells, and how long the controller waited before its next write. */
export interface SeenDelay {
  readonly lab: string;
  readonly field: string;
  readonly told: number;
  /** Not shorter than the delay; the machine adds to it. */
  readonly seen: number;
}

/** The delays of all labs of a release that were timed. */
export function seenDelays(controller: string, release: string): SeenDelay[] {
  const times = timesIn(timesFile(controller, release));
  return labsOf(controller, release).flatMap((lab) => {
    const own = times[lab.name];
    if (own === undefined) return [];
    const file = join(__dirname, 'recordings', controller, release, `${lab.name}.json`);
    return delaysOf(lab, JSON.parse(readFileSync(file, 'utf8')), own, rehearsalOf(lab, release, MODELS[controller]!));
  });
}

/** The delays of a lab between two writes, if they were timed; none of a controller that repeats its writes. */
export function delaysOf(
  { name }: Pick<Lab, 'name'>,
  { events }: Recording,
  times: readonly number[],
  rehearsal: Rehearsal | undefined,
): SeenDelay[] {
  if (times.length === 0 || events.some((event) => 'repeats' in event)) return [];
  const moments = rehearsal?.stories?.at(-1)?.moments ?? [];
  const places = events.flatMap((event, index) => (isWrite(event) ? [index] : []));
  const delays: SeenDelay[] = [];
  let written = 0;
  for (const [index, moment] of moments.entries()) {
    written += writesAt(moment).length;
    const place = places[written];
    const after = moments[index + 1];
    if (place === undefined || after === undefined || writesAt(after).length === 0) continue;
    if (moment.next?.who !== 'time') continue;
    // An approval that comes too late begins nothing.
    const begins = (event: Event) => isWrite(event) || ('did' in event && moment.did?.includes(event.did) === true);
    const before = times.filter((_, at) => at < place && begins(events[at]!));
    const seen = (times[place]! - (before.at(-1) ?? 0)) / 10;
    delays.push({ lab: name, field: moment.next.field, told: moment.next.seconds, seen });
  }
  return delays;
}
