/** Header routes as matches: a request needs all headers of a route, and any of the values that a header has there. */

import { asObject, asText } from '../../core/json';
import type { Match, ValueCondition } from '../../release';
import type { HeaderRoute } from '../controller';

/** A rule of an AWS load balancer has room for fewer values. */
const MAX_MATCHES = 16;

type Matching = Pick<HeaderRoute, 'match'>;

/** What a header route declares: all requests that meet it belong to the canary. */
export function declaredMatches(route: Matching): Match[] {
  const headers = [...valuesByName(route)].map(
    ([name, [value = '', ...otherValues]]): ValueCondition => ({ ...exactly(name, value), otherValues }),
  );
  return headers.length === 0 ? [] : [{ headers }];
}

/** One match for each combination of the values of a header route, for the first 16: a request is sent for each. */
export function matchesOf(route: Matching): Match[] {
  const valuesOf = valuesByName(route);
  if (valuesOf.size === 0) return [];
  let combined: readonly (readonly ValueCondition[])[] = [[]];
  for (const [name, values] of valuesOf) {
    combined = combined
      .flatMap((headers) => values.map((value): readonly ValueCondition[] => [...headers, exactly(name, value)]))
      .slice(0, MAX_MATCHES);
  }
  return combined.map((headers) => ({ headers }));
}

function exactly(name: string, value: string): ValueCondition {
  return { type: 'Exact', name, value };
}

function valuesByName({ match = [] }: Matching): ReadonlyMap<string, readonly string[]> {
  const valuesOf = new Map<string, readonly string[]>();
  for (const entry of match) {
    const { headerName, headerValue } = asObject(entry);
    const name = asText(headerName);
    valuesOf.set(name, [...(valuesOf.get(name) ?? []), asText(asObject(headerValue).exact)]);
  }
  return valuesOf;
}
