/** Header routes as matches: a load balancer of AWS needs all names, and of each name any value. */
import type { HeaderRoute } from '../../argo/controller';
import { asObject, asText } from '../../core/json';
import type { HttpHeaderMatch, HttpRouteMatch } from '../../kruise/api';
import type { HttpRequest } from '../../routers';
import { meets } from '../expectation';

/** No rule of AWS takes as many values; requests are made for the first ones. */
const MAX_MATCHES = 16;

type Matching = Pick<HeaderRoute, 'match'>;

/** What a header route takes, each combination of its values as one match, the first of them. */
export function matchesOf(route: Matching): HttpRouteMatch[] {
  const valuesOf = valuesByName(route);
  if (valuesOf.size === 0) return [];
  let combined: readonly (readonly HttpHeaderMatch[])[] = [[]];
  for (const [name, values] of valuesOf) {
    combined = combined
      .flatMap((headers) => values.map((value): readonly HttpHeaderMatch[] => [...headers, exactly(name, value)]))
      .slice(0, MAX_MATCHES);
  }
  return combined.map((headers) => ({ headers }));
}

/** Whether a request belongs to a header route; undefined where that is open. */
export function meetsRoute(request: HttpRequest, route: Matching): boolean | undefined {
  const valuesOf = valuesByName(route);
  const verdicts = [...valuesOf].map(([name, values]) =>
    anyOf(values.map((value) => meets(request, { headers: [exactly(name, value)] }))),
  );
  if (verdicts.length === 0 || verdicts.includes(false)) return false;
  return verdicts.includes(undefined) ? undefined : true;
}

/** One that is true is enough; without it, one that is open leaves it open. */
export function anyOf(verdicts: readonly (boolean | undefined)[]): boolean | undefined {
  if (verdicts.includes(true)) return true;
  return verdicts.includes(undefined) ? undefined : false;
}

function exactly(name: string, value: string): HttpHeaderMatch {
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
