/** Routes of equal priority, which Traefik does not order. */
import { indexedBy } from '../../core/keyed';
import { answerOf, type Candidate, once } from '../listener';
import type { Answer, HttpRequest } from '../router';

/** A route with its priority. */
export interface TiedRoute {
  readonly place: Place;
  readonly candidate: Candidate;
  readonly priority: number;
}

/** The host and the first segment of the path that a rule asks for; empty where it may take others as well. */
interface Place {
  readonly host: string;
  readonly segment: string;
}

/** A rule with its text, and the one host of its requests. */
interface PlacedRule {
  readonly text: string;
  readonly host?: string;
}

/** Traefik reads its routes anew in an order of chance: which of two of one priority takes a request that both match is not known. */
export function withTies<Route extends TiedRoute>(sorted: readonly Route[]): readonly Route[] {
  const rivalsOf = once(() => rivalsIn(sorted));
  return sorted.map((route) => {
    const { candidate } = route;
    const unknown = (request: HttpRequest): string | undefined => {
      const open = candidate.unknown?.(request);
      if (open !== undefined) return open;
      const rival = rivalsOf()(route).find(
        (each) => each !== route && each.candidate.matches(request) && !isSameAnswer(each, route),
      );
      if (rival === undefined) return undefined;
      const { description } = rival.candidate.rule;
      return `Traefik has no order for routes of equal priority, and ${description} takes the request too: give them priorities`;
    };
    return { ...route, candidate: { ...candidate, unknown } };
  });
}

/** The routes of equal priority that may take the same requests: most others are for another host or path. */
function rivalsIn(sorted: readonly TiedRoute[]): (route: TiedRoute) => readonly TiedRoute[] {
  const keyOf = (...parts: readonly (number | string)[]) => JSON.stringify(parts);
  const known = indexedBy(sorted, (route) => {
    const { priority, place } = route;
    const { host, segment } = place;
    return [keyOf(priority), keyOf(priority, host), keyOf(priority, host, segment)];
  });
  const at = (...parts: readonly (number | string)[]) => known.get(keyOf(...parts)) ?? [];
  return (route) => {
    const { priority, place } = route;
    const { host, segment } = place;
    if (host === '') return at(priority);
    const ofHost = segment === '' ? at(priority, host) : [...at(priority, host, segment), ...at(priority, host, '')];
    return [...ofHost, ...at(priority, '')];
  };
}

/**
 * The place of a rule. Rules of the same length with prefixes of one host have different segments, or the same prefix. With a priority
 * of its own a rule may have a prefix that ends within the segment of another one.
 */
export function placeOf({ text, host = '' }: PlacedRule, hasOwnPriority: boolean): Place {
  if (/[|!]/.test(text)) return { host, segment: '' };
  const [, isPrefix, segment = '', slash] = /\bPath(Prefix)?\([`"]\/([^`"/{]+)(\/?)[^`"]*[`"]\)/.exec(text) ?? [];
  const endsWithin = hasOwnPriority && isPrefix !== undefined && slash === '';
  return { host, segment: endsWithin ? '' : segment };
}

function isSameAnswer({ candidate: a }: TiedRoute, { candidate: b }: TiedRoute): boolean {
  return JSON.stringify(placesOf(answerOf(a))) === JSON.stringify(placesOf(answerOf(b)));
}

/** Where an answer leads, without the objects behind it. */
function placesOf(answer: Answer): unknown {
  if (answer.kind !== 'services') return answer;
  return answer.destinations.map(({ service, port, target, share }) => ({ service, port, target, share }));
}
