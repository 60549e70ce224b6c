/** HTTPProxies of Contour at random. */
import fc from 'fast-check';
import type { KubernetesObject } from '../../cluster/api';
import { NAMESPACE } from '../backends';
import {
  HEADERS,
  PATH_PATTERNS,
  PATHS,
  QUERIES,
  type RoutesOf,
  rarely,
  routesFor,
  SERVICES,
  VALUE_PATTERNS,
} from './values';

const API = 'projectcontour.io/v1';

const path = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...PATHS).map((prefix) => ({ prefix })) },
  { weight: 2, arbitrary: fc.constantFrom(...PATHS).map((exact) => ({ exact })) },
  fc.constantFrom(...PATH_PATTERNS.filter((text) => text.startsWith('/'))).map((regex) => ({ regex })),
);
const header = fc.constantFrom(...HEADERS).chain(([name, value]) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant({ header: { name, exact: value } }) },
    fc.constant({ header: { name, contains: value.slice(0, 1) } }),
    fc.constant({ header: { name, notexact: value } }),
    fc.constant({ header: { name, notcontains: value.slice(0, 1) } }),
    fc.constant({ header: { name, notexact: value, treatMissingAsEmpty: true } }),
    fc.constant({ header: { name, exact: value.toUpperCase(), ignoreCase: true } }),
    fc.constant({ header: { name, present: true } }),
    fc.constant({ header: { name, notpresent: true } }),
    fc.constantFrom(...VALUE_PATTERNS).map((regex) => ({ header: { name, regex } })),
  ),
);
const parameter = fc.constantFrom(...QUERIES).chain(([name, value]) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant({ queryParameter: { name, exact: value } }) },
    fc.constant({ queryParameter: { name, prefix: value } }),
    fc.constant({ queryParameter: { name, suffix: value } }),
    fc.constant({ queryParameter: { name, contains: value } }),
    fc.constant({ queryParameter: { name, present: true } }),
    fc.constant({ queryParameter: { name, exact: value.toUpperCase(), ignoreCase: true } }),
    fc.constantFrom(...VALUE_PATTERNS).map((regex) => ({ queryParameter: { name, regex } })),
  ),
);
const conditions = fc
  .record({ path: fc.option(path, { nil: undefined, freq: 5 }), header: rarely(header), parameter: rarely(parameter) })
  .chain((drawn) => {
    const all = Object.values(drawn).filter((one) => one !== undefined) as KubernetesObject[];
    return fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length });
  });
const action = fc.oneof(
  { weight: 8, arbitrary: SERVICES.map((all) => ({ services: all })) },
  fc.constant({ requestRedirectPolicy: { path: '/other', statusCode: 302 } }),
  fc.constant({ directResponsePolicy: { statusCode: 418 } }),
);
const route = fc
  .record({ conditions, action })
  .map(({ conditions: all, action: does }) => ({ ...(all.length > 0 && { conditions: all }), ...does }));

/** A root HTTPProxy, and sometimes one that it includes. */
export const httpProxies: RoutesOf = (host, name) =>
  fc
    .record({
      fqdn: fc.constantFrom(host, host, host, `*.${host}`),
      routes: fc.array(route, { minLength: 1, maxLength: 5 }),
      included: rarely(
        fc.record({ prefix: fc.constantFrom('/a', '/cart'), routes: fc.array(route, { minLength: 1, maxLength: 2 }) }),
      ),
    })
    .map(({ fqdn, routes, included }) =>
      routesFor(host, [
        ...(included === undefined ? [] : [proxy(`${name}-child`, { routes: included.routes })]),
        proxy(name, {
          virtualhost: { fqdn },
          ...(included !== undefined && {
            includes: [{ name: `${name}-child`, conditions: [{ prefix: included.prefix }] }],
          }),
          routes,
        }),
      ]),
    );

function proxy(name: string, spec: KubernetesObject): KubernetesObject {
  return { apiVersion: API, kind: 'HTTPProxy', metadata: { name, namespace: NAMESPACE }, spec };
}
