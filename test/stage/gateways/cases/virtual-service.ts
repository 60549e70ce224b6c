/** VirtualServices of Istio at random. */
import fc from 'fast-check';
import { NAMESPACE } from '../backends';
import {
  HEADERS,
  istioGateway,
  PATH_PATTERNS,
  PATHS,
  QUERIES,
  type RoutesOf,
  rarely,
  routesFor,
  VALUE_PATTERNS,
} from './values';

const API = 'networking.istio.io/v1';

const uri = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...PATHS).map((prefix) => ({ prefix })) },
  { weight: 2, arbitrary: fc.constantFrom(...PATHS).map((exact) => ({ exact })) },
  fc.constantFrom(...PATH_PATTERNS).map((regex) => ({ regex })),
);
const stringMatch = (value: string) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant({ exact: value }) },
    fc.constant({ prefix: value.slice(0, 1) }),
    fc.constantFrom(...VALUE_PATTERNS).map((regex) => ({ regex })),
    fc.constant({}),
  );
const pairs = (known: typeof HEADERS, lower: boolean) =>
  fc
    .uniqueArray(
      fc
        .constantFrom(...known)
        .chain(([name, value]) =>
          stringMatch(value).map((matcher) => [lower ? name.toLowerCase() : name, matcher] as const),
        ),
      { minLength: 1, maxLength: 2, selector: ([name]) => name },
    )
    .map((entries) => Object.fromEntries(entries));
/** A header that only has to be there; Istio refuses this of a parameter. */
const parameters = pairs(QUERIES, false).filter((all) =>
  Object.values(all).every((one) => Object.keys(one).length > 0),
);
const match = fc
  .record({
    uri: rarelyNot(uri),
    headers: rarely(pairs(HEADERS, true)),
    withoutHeaders: rarely(pairs(HEADERS, true)),
    queryParams: rarely(parameters),
    method: rarely(fc.constantFrom({ exact: 'GET' }, { exact: 'POST' }, { regex: 'P.*' })),
    ignoreUriCase: rarely(fc.constant(true)),
  })
  .map((drawn) => JSON.parse(JSON.stringify(drawn)))
  .filter((one) => Object.keys(one).some((key) => key !== 'ignoreUriCase'));
const destination = (host: string) => ({ destination: { host, port: { number: 80 } } });
const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('s1', 's2', 's3', 'empty', 'missing').map((host) => ({ route: [destination(host)] })),
  },
  fc.constantFrom(0, 25, 100).map((weight) => ({
    route: [
      { ...destination('s1'), weight },
      { ...destination('s2'), weight: 100 - weight },
    ],
  })),
  fc.constant({ redirect: { uri: '/other', redirectCode: 302 } }),
  fc.constant({ directResponse: { status: 418 } }),
  fc.constantFrom('s1', 's2').map((host) => ({ rewrite: { uri: '/' }, route: [destination(host)] })),
);
const http = fc
  .record({ match: fc.array(match, { minLength: 0, maxLength: 2 }), action })
  .map(({ match: matches, action: does }) => ({ ...(matches.length > 0 && { match: matches }), ...does }));

function rarelyNot<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.option(arbitrary, { nil: undefined, freq: 5 });
}

/** A VirtualService, and a Gateway of its own. */
export const virtualServices: RoutesOf = (host, name) =>
  fc
    .record({
      routes: fc.array(http, { minLength: 1, maxLength: 5 }),
      hosts: fc.constantFrom<string[]>([host], [host], [`*.${host}`], [host, `*.${host}`]),
      all: fc.boolean(),
    })
    .map(({ routes, hosts, all }) =>
      routesFor(host, [
        istioGateway(name, NAMESPACE, all ? [host, `*.${host}`] : hosts),
        {
          apiVersion: API,
          kind: 'VirtualService',
          metadata: { name, namespace: NAMESPACE },
          spec: { hosts: [...hosts], gateways: [name], http: routes },
        },
      ]),
    );
