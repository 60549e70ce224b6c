/** What a controller repeats, as one event: how often it is seen to do so depends on how long people look. */
import type { Event } from './recording';

const LONGEST_CYCLE = 6;

/** A cycle as one event: how often the controller is seen to repeat it depends on how long people look. */
export function withoutRepeats(events: readonly Event[]): Event[] {
  const texts = events.map((event) => JSON.stringify(event));
  const result: Event[] = [];
  let index = 0;
  while (index < events.length) {
    const cycle = cycleAt(texts, index);
    if (cycle === undefined) result.push(events[index]!);
    else result.push({ repeats: events.slice(index, index + cycle.period) });
    index += cycle?.length ?? 1;
  }
  return result;
}

/** The shortest cycle that begins here, with the length of all its repetitions; the last may be cut off. */
function cycleAt(texts: readonly string[], start: number): { period: number; length: number } | undefined {
  for (let period = 1; period <= LONGEST_CYCLE; period += 1) {
    let length = period;
    while (start + length < texts.length && texts[start + length] === texts[start + length - period]) length += 1;
    if (length >= 3 * period && !texts[start]!.startsWith('{"did"')) return { period, length };
  }
  return undefined;
}

/** Writes of one object that leave a value and come back to it, as one event, without the pods that follow each of them. */
export function withoutFlapping(events: readonly Event[]): Event[] {
  const result: Event[] = [];
  const last = new Map<string, string>();
  for (let index = 0; index < events.length; ) {
    const event = events[index]!;
    const run = 'object' in event || 'pods' in event ? flappingAt(events, index, last) : undefined;
    if (run === undefined) {
      result.push(event);
      if ('object' in event) last.set(event.object, JSON.stringify(event.now));
      index += 1;
      continue;
    }
    result.push({ repeats: [run.away, run.back] });
    if (run.pods !== undefined) result.push(run.pods);
    if (!run.isBack) result.push(run.away);
    last.set(run.away.object, JSON.stringify((run.isBack ? run.back : run.away).now));
    index += run.length;
  }
  return result;
}

type ObjectEvent = Extract<Event, { readonly object: string }>;

interface Flapping {
  readonly away: ObjectEvent;
  readonly back: ObjectEvent;
  /** The pods after the last write. */
  readonly pods: Event | undefined;
  readonly isBack: boolean;
  readonly length: number;
}

function flappingAt(events: readonly Event[], start: number, last: ReadonlyMap<string, string>): Flapping | undefined {
  const writes: ObjectEvent[] = [];
  let pods: Event | undefined;
  let length = 0;
  let waiting: Event | undefined;
  for (let index = start; index < events.length; index += 1) {
    const event = events[index]!;
    if ('pods' in event) {
      waiting = event;
      continue;
    }
    const isNext =
      'object' in event &&
      (writes[0] === undefined || event.object === writes[0].object) &&
      (writes.length !== 1 || JSON.stringify(event.now) === last.get(event.object)) &&
      (writes.length < 2 || JSON.stringify(event.now) === JSON.stringify(writes[writes.length - 2]!.now));
    if (!isNext) break;
    writes.push(event);
    pods = waiting ?? pods;
    length = index - start + 1;
  }
  if (writes.length < 2) return undefined;
  return { away: writes[0]!, back: writes[1]!, pods, isBack: writes.length % 2 === 0, length };
}
