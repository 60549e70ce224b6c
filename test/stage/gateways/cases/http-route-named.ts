/** HTTPRoutes with a question of their own: one case for each part of the API that implementations read in their own way. */
import type { KubernetesObject } from '../../cluster/api';
import { NAMESPACE } from '../backends';
import type { GatewayCase } from '../gateway';
import { gateway, type HttpRouteOptions } from './http-route';

/** Rules for a host, and what follows it in each request. */
interface Question {
  readonly rules: readonly KubernetesObject[];
  readonly requests: readonly string[];
  readonly hostnames?: readonly string[];
  /** Of the Gateway; the host of the case where there are none. */
  readonly listeners?: readonly KubernetesObject[];
  /** More routes of the same Gateway. */
  readonly others?: readonly { readonly hostnames: readonly string[]; readonly rules: readonly KubernetesObject[] }[];
}

const to = (name: string, weight?: number) => ({ name, port: 80, ...(weight !== undefined && { weight }) });
const prefix = (value: string) => ({ path: { type: 'PathPrefix', value } });
const exact = (value: string) => ({ path: { type: 'Exact', value } });
const pattern = (value: string) => ({ path: { type: 'RegularExpression', value } });
const rule = (match: KubernetesObject | undefined, ...backendRefs: readonly KubernetesObject[]) => ({
  ...(match !== undefined && { matches: [match] }),
  backendRefs,
});
const header = (name: string, value: string, type = 'Exact') => ({ headers: [{ type, name, value }] });
const parameter = (name: string, value: string, type = 'Exact') => ({ queryParams: [{ type, name, value }] });

const FOO = { group: 'foo.test', kind: 'Foo', name: 's1' };
const MIRROR = { type: 'RequestMirror', requestMirror: { backendRef: to('s2') } };
const redirect = (requestRedirect: object) => ({ type: 'RequestRedirect', requestRedirect });

/** Each with a host of its own; `HOST` stands for it. */
const QUESTIONS: Readonly<Record<string, Question>> = {
  weights: {
    rules: [
      rule(prefix('/one-empty'), to('s1', 3), to('empty', 1)),
      rule(prefix('/one-missing'), to('s1', 3), to('missing', 1)),
      rule(prefix('/empty-and-missing'), to('empty', 1), to('missing', 1)),
      rule(prefix('/three'), to('s1', 1), to('s2', 1), to('empty', 2)),
      rule(prefix('/no-weight-left'), to('s1', 0), to('s2', 0)),
      rule(prefix('/one-of-zero'), to('s1', 0), to('s2', 1)),
      rule(prefix('/zero-and-empty'), to('s1', 0), to('empty', 1)),
      rule(prefix('/zero-and-missing'), to('s1', 0), to('missing', 1)),
      rule(prefix('/empty'), to('empty')),
      rule(prefix('/missing'), to('missing')),
      rule(prefix('/no-backend')),
      rule(prefix('/second-port'), { name: 'twop', port: 81 }),
      rule(prefix('/wrong-port'), { name: 's1', port: 99 }),
      rule(prefix('/other-kind'), FOO),
      rule(prefix('/half-other-kind'), to('s1', 1), { ...FOO, weight: 1 }),
      rule(prefix('/twice'), to('s1', 1), to('s1', 3), to('s2', 4)),
      rule(prefix('/missing-of-zero'), to('missing', 0), to('empty', 1)),
    ],
    requests: [
      '/one-empty',
      '/one-missing',
      '/empty-and-missing',
      '/three',
      '/no-weight-left',
      '/one-of-zero',
      '/zero-and-empty',
      '/zero-and-missing',
      '/empty',
      '/missing',
      '/no-backend',
      '/second-port',
      '/wrong-port',
      '/other-kind',
      '/half-other-kind',
      '/twice',
      '/missing-of-zero',
    ],
  },
  paths: {
    rules: [
      rule(exact('/exact'), to('s1')),
      rule(exact('/with/slash/'), to('s1')),
      rule(prefix('/pre'), to('s2')),
      rule(prefix('/ends/'), to('s1')),
      rule(pattern('/re/[0-9]+'), to('s3')),
    ],
    requests: [
      '/exact',
      '/exact/',
      '//exact',
      '/exact?x=1',
      '/exact;x=1',
      '/%65xact',
      '/x/../exact',
      '/./exact',
      '/EXACT',
      '/with/slash/',
      '/with/slash',
      '/with//slash/',
      '/pre',
      '/pre/',
      '/prefix',
      '/pre//x',
      '//pre',
      '/pre%2Fx',
      '/pre%2fx',
      '/pre/..%2fexact',
      '/pre%5Cx',
      '/pre/x%20y',
      '/ends',
      '/ends/',
      '/ends/x',
      '/endsx',
      '/re/12',
      '/re/12/',
      '/re/12/x',
      '/x/re/12',
      '//re/12',
      '/re/a',
      '/',
      '/..',
      '/%2e%2e/exact',
    ],
  },
  headers: {
    rules: [
      rule(header('x-user', '42'), to('s1')),
      rule(header('x-re', 'a.*c|z', 'RegularExpression'), to('s2')),
      rule(header('cookie', 'canary=always'), to('s3')),
      rule(header('X-Upper', 'V'), to('s1')),
      rule(header('x-empty', '.*', 'RegularExpression'), to('s2')),
      rule({ headers: [...header('x-a', '1').headers, ...header('x-b', '2').headers] }, to('s3')),
    ],
    requests: [
      '/ -H "x-user: 42"',
      '/ -H "x-user: 420"',
      '/ -H "X-User: 42"',
      '/ -H "x-user: 42" -H "x-user: 4"',
      '/ -H "x-user: 4" -H "x-user: 42"',
      '/ -H "x-user: 42,4"',
      '/ -H "x-re: abc"',
      '/ -H "x-re: abcd"',
      '/ -H "x-re: z"',
      '/ -H "x-re: zz"',
      '/ -H "cookie: canary=always"',
      '/ -H "cookie: canary=always; a=1"',
      '/ -H "cookie: canary=always" -H "cookie: a=1"',
      '/ -H "x-upper: V"',
      '/ -H "x-upper: v"',
      '/ -H "x-empty: "',
      '/ -H "x-empty: 1"',
      '/ -H "x-a: 1" -H "x-b: 2"',
      '/ -H "x-a: 1"',
      '/',
    ],
  },
  parameters: {
    rules: [
      rule(parameter('v', '2'), to('s1')),
      rule(parameter('r', '[0-9]+', 'RegularExpression'), to('s2')),
      rule(parameter('sp', 'a b'), to('s3')),
      rule({ queryParams: [...parameter('a', '1').queryParams, ...parameter('b', '2').queryParams] }, to('s3')),
    ],
    requests: [
      '/?v=2',
      '/?v=2&v=3',
      '/?v=3&v=2',
      '/?v=%32',
      '/?V=2',
      '/?v=22',
      '/?v=',
      '/?v',
      '/?x=1&v=2',
      '/?v=2;x=1',
      '/?r=12',
      '/?r=12a',
      '/?r=',
      '/?sp=a%20b',
      '/?sp=a+b',
      '/?a=1&b=2',
      '/?b=2&a=1',
      '/?a=1',
      '/',
    ],
  },
  precedence: {
    rules: [
      rule(prefix('/a'), to('s1')),
      rule({ ...prefix('/a'), method: 'POST' }, to('s2')),
      rule({ ...prefix('/a'), ...header('x-user', '42') }, to('s3')),
      rule({ ...prefix('/a'), ...parameter('v', '2') }, to('s2')),
      rule({ ...prefix('/a/b'), method: 'DELETE' }, to('s3')),
      rule(prefix('/a/b'), to('s2')),
      rule(exact('/a/b'), to('s1')),
      rule(pattern('/a/b/[a-z]+'), to('s3')),
      rule(pattern('/long/.*'), to('s1')),
      rule(prefix('/long/and/longer'), to('s2')),
      rule(prefix('/long'), to('s3')),
      rule(
        {
          ...prefix('/mix'),
          headers: [
            header('x-a', '.*', 'RegularExpression').headers[0],
            header('x-b', '.*', 'RegularExpression').headers[0],
          ],
        },
        to('s1'),
      ),
      rule({ ...prefix('/mix'), headers: [header('x-a', '1').headers[0], header('x-c', '1').headers[0]] }, to('s2')),
      rule({ ...prefix('/mix'), method: 'GET', ...header('x-a', '.*', 'RegularExpression') }, to('s3')),
      rule({ ...prefix('/one'), ...header('x-a', '.*', 'RegularExpression') }, to('s1')),
      rule({ ...prefix('/one'), ...header('x-b', '1') }, to('s2')),
      rule({ ...prefix('/get'), method: 'GET' }, to('s1')),
      rule({ ...prefix('/get'), ...header('x-a', '.*', 'RegularExpression') }, to('s2')),
      rule({ ...prefix('/get'), ...header('x-b', '1') }, to('s3')),
      rule({ ...prefix('/query'), ...parameter('v', '.*', 'RegularExpression') }, to('s1')),
      rule({ ...prefix('/query'), ...parameter('w', '1') }, to('s2')),
      rule(prefix('/same'), to('s1')),
      rule(prefix('/same'), to('s2')),
      rule(prefix('/same/'), to('s3')),
    ],
    requests: [
      '/a',
      '/a/x -H "x-user: 42"',
      '/a/x?v=2',
      '/a/x?v=2 -H "x-user: 42"',
      '/a/b',
      '/a/b/',
      '/a/b/c',
      '/a/b/c/d',
      '/a/b/1',
      '/long/and/longer',
      '/long/x',
      '/long',
      '/mix -H "x-a: 1" -H "x-b: 1" -H "x-c: 1"',
      '/mix -H "x-a: 1" -H "x-b: 1"',
      '/mix -H "x-a: 1"',
      '/one -H "x-a: 1" -H "x-b: 1"',
      '/get',
      '/get -H "x-a: 1"',
      '/get -H "x-a: 1" -H "x-b: 1"',
      '/get -H "x-b: 1"',
      '/query?v=1&w=1',
      '/query?w=1',
      '/same',
      '/same/',
      '/same/x',
    ].flatMap((one) => [one, ...(/^\/(a|get)/.test(one) ? [`POST ${one}`, `DELETE ${one}`] : [])]),
  },
  hosts: {
    listeners: [
      { name: 'exact', hostname: 'HOST' },
      { name: 'any', hostname: '*.HOST' },
    ],
    hostnames: ['HOST', '*.HOST', 'other.test'],
    rules: [rule(prefix('/only'), to('s1')), rule(prefix('/both'), to('s1'))],
    others: [
      { hostnames: ['*.HOST'], rules: [rule(prefix('/both'), to('s2')), rule(prefix('/wide'), to('s2'))] },
      { hostnames: ['x.HOST'], rules: [rule(prefix('/both'), to('s3')), rule(prefix('/deep'), to('s3'))] },
    ],
    requests: ['/only', '/both', '/wide', '/deep', '/']
      .flatMap((path) => ['', 'x.', 'y.', 'x.y.'].map((before) => `${before}HOST${path}`))
      .concat(['HOST./only', 'x.HOST./deep', 'HOST:80/only', 'other.test/only', 'X.HOST/deep']),
  },
  filters: {
    rules: [
      { ...rule(prefix('/mirror'), to('s1')), filters: [MIRROR] },
      {
        ...rule(prefix('/mirror-missing'), to('s1')),
        filters: [{ type: 'RequestMirror', requestMirror: { backendRef: to('missing') } }],
      },
      { matches: [prefix('/redirect')], filters: [redirect({ hostname: 'other.test' })] },
      { matches: [prefix('/moved')], filters: [redirect({ hostname: 'other.test', statusCode: 301 })] },
      { matches: [prefix('/scheme')], filters: [redirect({ scheme: 'https', statusCode: 301 })] },
      {
        matches: [prefix('/new-path')],
        filters: [redirect({ path: { type: 'ReplacePrefixMatch', replacePrefixMatch: '/x' } })],
      },
      {
        ...rule(prefix('/set-header'), to('s2')),
        filters: [{ type: 'RequestHeaderModifier', requestHeaderModifier: { set: [{ name: 'x-user', value: '42' }] } }],
      },
      {
        ...rule(prefix('/rewrite'), to('s2')),
        filters: [
          {
            type: 'URLRewrite',
            urlRewrite: { hostname: 'other.test', path: { type: 'ReplaceFullPath', replaceFullPath: '/mirror' } },
          },
        ],
      },
      rule(header('x-user', '42'), to('s3')),
    ],
    requests: [
      '/mirror',
      '/mirror-missing',
      '/redirect',
      'POST /redirect',
      '/moved',
      'POST /moved',
      '/scheme',
      '/new-path/y',
      '/set-header',
      '/rewrite',
      '/ -H "x-user: 42"',
    ],
  },
  'unknown-filter': {
    rules: [
      {
        ...rule(prefix('/unknown'), to('s2')),
        filters: [{ type: 'ExtensionRef', extensionRef: { group: 'foo.test', kind: 'Foo', name: 'x' } }],
      },
      rule(prefix('/beside'), to('s1')),
    ],
    others: [{ hostnames: ['HOST'], rules: [rule(prefix('/other-route'), to('s3'))] }],
    requests: ['/unknown', '/beside', '/other-route', '/'],
  },
  'no-matches': {
    rules: [rule(undefined, to('s1')), rule(prefix('/a'), to('s2'))],
    requests: ['/', '/a', '/b', '//', '/a/b'],
  },
};

/** Every question to an implementation of the Gateway API. */
export function httpRouteCases(name: string, { className, namespace }: HttpRouteOptions): GatewayCase[] {
  return Object.entries(QUESTIONS).map(([question, asked]) => {
    const host = `${question}.test`;
    const inHost = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value).replaceAll('HOST', host));
    const {
      rules,
      requests,
      hostnames = [host],
      listeners = [{ name: 'http', hostname: host }],
      others = [],
    } = inHost(asked);
    const route = (index: number, spec: KubernetesObject): KubernetesObject => ({
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'HTTPRoute',
      metadata: { name: `${question}-${index}`, namespace: NAMESPACE },
      spec: { parentRefs: [{ name: question, namespace }], ...spec },
    });
    // The API takes 16 rules a route.
    const parts = Array.from({ length: Math.ceil(rules.length / 16) }, (_, index) => ({
      hostnames,
      rules: rules.slice(16 * index, 16 * index + 16),
    }));
    return {
      case: question,
      gateway: name,
      objects: [
        gateway(className, namespace, question, listeners),
        ...[...parts, ...others].map((spec, index) => route(index, spec)),
      ],
      requests: [...new Set(requests.map((request) => requestTo(host, request)))],
    };
  });
}

/** `POST /cart -H "x: 1"` to the host, unless the request names one. */
function requestTo(host: string, request: string): string {
  const [, method = 'GET', rest] = /^(?:([A-Z]+) )?(.*)$/.exec(request)!;
  return `${method} http://${rest!.startsWith('/') ? host : ''}${rest}`;
}
