/**
 * Header routes as matches. On an ALB a request needs all headers of a route, and any of the values that a header has there;
 * with Istio it needs one of the entries.
 */

import { groupedBy } from '../../core/grouped';
import { asObject, asText, type JsonObject } from '../../core/json';
import type { Match, ValueCondition } from '../../release';
import type { HeaderRoute } from '../controller';

/** A rule of an AWS load balancer has room for fewer values. */
const MAX_MATCHES = 16;

type Matching = Pick<HeaderRoute, 'match' | 'isAnyOf'>;

/** What a header route declares: all requests that meet it belong to the canary. */
export function declaredMatches(route: Matching): Match[] {
  if (route.isAnyOf) return matchesOf(route);
  const headers = [...valuesByName(route).values()].map(
    ([first, ...others]): ValueCondition => ({ ...first!, otherValues: others.map(({ value }) => value) }),
  );
  return headers.length === 0 ? [] : [{ headers }];
}

/** One match for each entry, or for each combination of the values of a header route, for the first 16: a request is sent for each. */
export function matchesOf(route: Matching): Match[] {
  if (route.isAnyOf) return conditionsOf(route).map((header) => ({ headers: [header] }));
  const valuesOf = valuesByName(route);
  if (valuesOf.size === 0) return [];
  let combined: readonly (readonly ValueCondition[])[] = [[]];
  for (const values of valuesOf.values()) {
    combined = combined
      .flatMap((headers) => values.map((value): readonly ValueCondition[] => [...headers, value]))
      .slice(0, MAX_MATCHES);
  }
  return combined.map((headers) => ({ headers }));
}

function valuesByName(route: Matching): ReadonlyMap<string, readonly ValueCondition[]> {
  return groupedBy(conditionsOf(route), ({ name }) => name);
}

function conditionsOf({ match = [] }: Matching): ValueCondition[] {
  return match.map((entry) => {
    const { headerName, headerValue } = asObject(entry);
    return { name: asText(headerName), ...comparison(asObject(headerValue)) };
  });
}

function comparison({ exact, regex, prefix }: JsonObject): Pick<ValueCondition, 'type' | 'value'> {
  if (asText(regex) !== '') return { type: 'RegularExpression', value: asText(regex) };
  if (asText(prefix) !== '') return { type: 'RegularExpression', value: `${literal(asText(prefix))}.*` };
  return { type: 'Exact', value: asText(exact) };
}

/** The expression that only this text meets. */
function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
