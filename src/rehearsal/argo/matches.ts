/** Header routes as matches: a load balancer of AWS needs all names, and of each name any value. */
import type { HeaderRoute } from '../../argo/controller';
import { asObject, asText } from '../../argo/values';
import type { HttpHeaderMatch, HttpRouteMatch } from '../../kruise/api';

/** A route of three names with two values each would already be eight matches. */
const MAX_MATCHES = 16;

/** What a header route takes, each combination of its values as one match. */
export function matchesOf({ match = [] }: Pick<HeaderRoute, 'match'>): HttpRouteMatch[] {
  const valuesOf = new Map<string, string[]>();
  for (const entry of match) {
    const { headerName, headerValue } = asObject(entry);
    const name = asText(headerName);
    valuesOf.set(name, [...(valuesOf.get(name) ?? []), asText(asObject(headerValue).exact)]);
  }
  if (valuesOf.size === 0) return [];
  let combined: readonly (readonly HttpHeaderMatch[])[] = [[]];
  for (const [name, values] of valuesOf) {
    combined = combined.flatMap((headers) =>
      values.map((value): readonly HttpHeaderMatch[] => [...headers, { type: 'Exact', name, value }]),
    );
  }
  return combined.slice(0, MAX_MATCHES).map((headers) => ({ headers }));
}
