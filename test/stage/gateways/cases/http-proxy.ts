/** HTTPProxies of Contour at random. */
import fc from 'fast-check';
import type { KubernetesObject } from '../../cluster/api';
import { NAMESPACE } from '../backends';
import type { GatewayCase } from '../gateway';
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

/** Conditions that differ only in a modifier, several comparisons in one condition, and includes that take everything. */
export function httpProxyCases(gateway: string): GatewayCase[] {
  const proxy = (name: string, spec: object): KubernetesObject => ({
    apiVersion: API,
    kind: 'HTTPProxy',
    metadata: { name: `${gateway}-${name}`, namespace: NAMESPACE },
    spec,
  });
  const to = (name: string) => [{ name, port: 80 }];
  const on = (field: 'header' | 'queryParameter', ...conditions: object[]) =>
    conditions.map((condition, index) => ({
      conditions: [{ prefix: '/' }, { [field]: { name: 'x', ...condition } }],
      services: to(`s${index + 1}`),
    }));
  const rest = { conditions: [{ prefix: '/' }], services: to('s3') };
  const headers: Readonly<Record<string, object[]>> = {
    'ignore-case': on('header', { exact: 'ab', ignoreCase: true }, { exact: 'zz' }),
    'missing-exact': on('header', { exact: 'ab', treatMissingAsEmpty: true }),
    'missing-contains': on('header', { contains: 'a', treatMissingAsEmpty: true }),
    'missing-notexact': on('header', { notexact: 'ab', treatMissingAsEmpty: true }),
    'missing-notcontains': on('header', { notcontains: 'a', treatMissingAsEmpty: true }),
    'missing-regex': on('header', { regex: '.*', treatMissingAsEmpty: true }),
    'several-present': on('header', { present: true, exact: 'zz' }),
    'several-contains': on('header', { contains: 'a', exact: 'zz' }),
    'several-not': on('header', { notcontains: 'a', exact: 'ab' }),
    'several-exact': on('header', { exact: 'ab', notexact: 'ab' }),
    'several-regex': on('header', { exact: 'ab', regex: 'zz' }),
  };
  const parameters: Readonly<Record<string, object[]>> = {
    'parameter-exact': on('queryParameter', { exact: 'ab', prefix: 'zz' }),
    'parameter-prefix': on('queryParameter', { prefix: 'a', suffix: 'zz' }),
    'parameter-suffix': on('queryParameter', { suffix: 'b', regex: 'zz' }),
    'parameter-regex': on('queryParameter', { regex: 'a.', contains: 'zz' }),
    'parameter-contains': on('queryParameter', { contains: 'a', present: true }),
    'parameter-case': on('queryParameter', { exact: 'AB', ignoreCase: true }),
    'parameter-cases': on('queryParameter', { exact: 'ab', ignoreCase: true }, { exact: 'ab' }),
    'parameter-none': on('queryParameter', {}),
  };
  const included = (name: string) => ({ name: `${gateway}-${name}`, namespace: NAMESPACE });
  const include = [
    proxy('one', { routes: [{ conditions: [{ prefix: '/one' }], services: to('s1') }] }),
    proxy('two', { routes: [{ conditions: [{ prefix: '/two' }], services: to('s2') }] }),
    proxy('includes', {
      virtualhost: { fqdn: `${gateway}-includes.test` },
      includes: [included('one'), { ...included('two'), conditions: [] }],
      routes: [rest],
    }),
    proxy('includes-root', {
      virtualhost: { fqdn: `${gateway}-includes-root.test` },
      includes: ['one', 'two'].map((name) => ({ ...included(name), conditions: [{ prefix: '/' }] })),
      routes: [rest],
    }),
  ];
  const values = ['', 'ab', 'AB', 'a', 'b', 'zz'];
  const asked = (host: string) => [
    `GET http://${host}/`,
    ...values.flatMap((value) => [`GET http://${host}/ -H "x: ${value}"`, `GET http://${host}/?x=${value}`]),
  ];
  const single = Object.entries({ ...headers, ...parameters }).map(([name, routes]) => {
    const host = `${gateway}-${name}.test`;
    const objects = [proxy(name, { virtualhost: { fqdn: host }, routes: [...routes, rest] })];
    return { case: `${gateway}-${name}`, gateway, objects, requests: asked(host) };
  });
  const requests = ['includes', 'includes-root'].flatMap((name) =>
    ['/', '/one', '/two', '/two/x'].map((path) => `GET http://${gateway}-${name}.test${path}`),
  );
  return [...single, { case: `${gateway}-includes`, gateway, objects: include, requests }];
}
