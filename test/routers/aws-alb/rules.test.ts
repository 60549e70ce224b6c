import { describe, expect, it } from 'vitest';
import { AwsLoadBalancerControllerVersion } from '../../../src/routers/aws-alb/version';
import { errorOf, groupsOf, ingress, rulesOf, withConditions } from './stack';

const header = (name: string, config: object) => ({
  field: 'http-header',
  httpHeaderConfig: { httpHeaderName: name, ...config },
});
const path = (config: object) => ({ field: 'path-pattern', pathPatternConfig: config });
const host = (config: object) => ({ field: 'host-header', hostHeaderConfig: config });

const conditionsOf = (json: unknown) => rulesOf(withConditions(json))[0]!.conditions;
const pathsOf = (...objects: readonly object[]) =>
  rulesOf(...objects).map(({ conditions }) =>
    conditions.flatMap((condition) =>
      condition.field === 'path-pattern' ? [...(condition.values ?? []), ...(condition.regexValues ?? [])] : [],
    ),
  );

const OWN = [
  { field: 'host-header', values: ['a.com'] },
  { field: 'path-pattern', values: ['/*'] },
];

const OLD = { facts: AwsLoadBalancerControllerVersion.V2_13_4.facts };

describe('conditions', () => {
  it('come in the order of the annotation, then host, then path; entries narrow, values widen', () => {
    const json = [
      header('x-b', { values: ['1', '2'] }),
      { field: 'source-ip', sourceIpConfig: { Values: ['10.0.0.0/8'] } },
      { field: 'query-string', queryStringConfig: { values: [{ key: 'v', value: '2' }, { value: 'x' }] } },
      { field: 'http-request-method', httpRequestMethodConfig: { values: ['GET'] } },
      header('x-a', { regexValues: ['^1$'] }),
    ];
    expect(conditionsOf(json)).toEqual([
      { field: 'http-header', httpHeaderName: 'x-b', values: ['1', '2'] },
      { field: 'source-ip', values: ['10.0.0.0/8'] },
      { field: 'query-string', values: [{ key: 'v', value: '2' }, { value: 'x' }] },
      { field: 'http-request-method', values: ['GET'] },
      { field: 'http-header', httpHeaderName: 'x-a', regexValues: ['^1$'] },
      ...OWN,
    ]);
  });

  it('on host and path only widen those of the Ingress', () => {
    expect(conditionsOf([path({ values: ['/more'] }), host({ values: ['b.com'] }), path({ values: ['/x'] })])).toEqual([
      { field: 'host-header', values: ['a.com', 'b.com'] },
      { field: 'path-pattern', values: ['/*', '/more', '/x'] },
    ]);
  });

  it('with an unknown field vanish, which makes the rule wider', () => {
    expect(conditionsOf([{ field: 'HTTP-header', httpHeaderConfig: { httpHeaderName: 'x', values: ['1'] } }])).toEqual(
      OWN,
    );
  });

  it('may have an empty header name, which only AWS would refuse', () => {
    expect(conditionsOf([header('', { values: ['1'] })])[0]).toEqual({
      field: 'http-header',
      httpHeaderName: '',
      values: ['1'],
    });
  });

  it('match everything where there are none at all', () => {
    expect(
      rulesOf(ingress('i', { host: '', paths: [{ path: '', pathType: 'ImplementationSpecific' }] }))[0]!.conditions,
    ).toEqual([{ field: 'path-pattern', values: ['/*'] }]);
  });

  it('count also for backends with a port of their own', () => {
    expect(conditionsOf([header('x', { values: ['1'] })])).toHaveLength(3);
  });

  it.each([
    [header('x', {})],
    [header('x', { values: ['1'], regexValues: ['1'] })],
    [path({ values: [] })],
    [host({ values: ['x'], regexValues: ['x'] })],
    [{ field: 'http-header' }],
    [{ field: 'http-request-method', httpRequestMethodConfig: {} }],
    [{ field: 'source-ip', sourceIPConfig: { values: [] } }],
    [{ field: 'query-string', queryStringConfig: { values: [] } }],
    [{ field: 'query-string', queryStringConfig: { values: [{ key: 'v' }] } }],
    [{ field: 'query-string', queryStringConfig: { values: [{ key: 'v', value: '1' }, { key: 'w' }] } }],
  ])('are refused: %j', (condition) => expect(errorOf(withConditions([condition]))).toBe('condition-config'));

  it('mix no plain host or path with regular expressions', () => {
    expect(errorOf(withConditions([path({ regexValues: ['^/a$'] })]))).toBe('condition-values-and-regex');
    expect(errorOf(withConditions([host({ regexValues: ['^a$'] })]))).toBe('condition-values-and-regex');
    const regex = ingress('i', {
      host: '',
      annotations: {
        'conditions.web': JSON.stringify([path({ regexValues: ['^/b$'] }), host({ regexValues: ['^h$'] })]),
        'use-regex-path-match': 'true',
      },
      paths: [{ path: '/^/a$', pathType: 'ImplementationSpecific' }],
    });
    expect(rulesOf(regex)[0]!.conditions).toEqual([
      { field: 'host-header', regexValues: ['^h$'] },
      { field: 'path-pattern', regexValues: ['^/a$', '^/b$'] },
    ]);
  });

  it('of a release without regular expressions have no values', () => {
    const groups = groupsOf([withConditions([header('x', { regexValues: ['1'] })])], OLD);
    expect(groups[0]!.failure?.errorClass).toBe('condition-config');
    const both = groupsOf([withConditions([header('x', { values: ['1'], regexValues: 'ignored' })])], OLD);
    expect(both[0]!.listeners[0]!.rules[0]!.conditions[0]).toMatchObject({ values: ['1'] });
  });
});

describe('paths', () => {
  const patternsOf = (written: string, pathType: string | null) =>
    pathsOf(ingress('i', { paths: [{ path: written, pathType }] }))[0];

  it.each([
    ['/p', 'Exact', ['/p']],
    ['/', 'Prefix', ['/*']],
    ['/p', 'Prefix', ['/p', '/p/*']],
    ['/p/', 'Prefix', ['/p', '/p/*']],
    ['/p//', 'Prefix', ['/p/', '/p//*']],
    ['/a*?', 'ImplementationSpecific', ['/a*?']],
    ['/', 'ImplementationSpecific', ['/']],
    ['/p', null, ['/p']],
  ])('%s as %s is %j', (written, pathType, patterns) => expect(patternsOf(written, pathType)).toEqual(patterns));

  it.each([
    ['/a*', 'Exact'],
    ['/a?', 'Prefix'],
  ])('%s as %s is refused', (written, pathType) => {
    expect(errorOf(ingress('i', { paths: [{ path: written, pathType }] }))).toBe('path-wildcard');
  });

  it('are sorted in each entry of rules by itself: Exact, longest Prefix in bytes, the rest; otherwise as written', () => {
    const mixed = [
      { path: '/is', pathType: 'ImplementationSpecific' },
      { path: '/ab', pathType: 'Prefix' },
      { path: '/é', pathType: 'Prefix' },
      { path: '/cd', pathType: 'Prefix' },
      { path: '/none', pathType: null },
      { path: '/e2', pathType: 'Exact' },
      { path: '/e1', pathType: 'Exact' },
    ];
    expect(pathsOf(ingress('i', { paths: mixed })).map(([first]) => first)).toEqual([
      '/e2',
      '/e1',
      // Two characters, three bytes, as many as /ab and /cd.
      '/ab',
      '/é',
      '/cd',
      '/is',
      '/none',
    ]);
    const entry = (written: string) => ({
      http: {
        paths: [{ path: written, pathType: 'Prefix', backend: { service: { name: 'web', port: { number: 80 } } } }],
      },
    });
    expect(pathsOf(ingress('i', { spec: { rules: [entry('/a'), entry('/a/b')] } }))).toEqual([
      ['/a', '/a/*'],
      ['/a/b', '/a/b/*'],
    ]);
  });

  it('are regular expressions only as ImplementationSpecific, without the slash', () => {
    const paths = [
      { path: '/^/v[0-9]+$', pathType: 'ImplementationSpecific' },
      { path: '/p', pathType: 'Prefix' },
    ];
    const withRegex = (value: string) => ingress('i', { annotations: { 'use-regex-path-match': value }, paths });
    expect(pathsOf(withRegex('T'))).toEqual([['/p', '/p/*'], ['^/v[0-9]+$']]);
    expect(pathsOf(withRegex('0'))).toEqual([['/p', '/p/*'], ['/^/v[0-9]+$']]);
    expect(errorOf(withRegex('yes'))).toBe('bool-annotation');
    expect(errorOf(ingress('i', { annotations: { 'use-regex-path-match': 'yes' } }))).toBeUndefined();
    expect(groupsOf([withRegex('yes')], OLD)[0]!.failure).toBeUndefined();
    const old = groupsOf([withRegex('true')], { facts: AwsLoadBalancerControllerVersion.V2_14_1.facts })[0]!;
    expect(old.listeners[0]!.rules[1]!.conditions).toContainEqual({
      field: 'path-pattern',
      values: ['/^/v[0-9]+$'],
    });
  });

  it('of an unknown type freeze the group', () => {
    expect(errorOf(ingress('i', { paths: [{ pathType: 'Regex' }] }))).toBe('path-type');
  });
});

describe('the order of rules', () => {
  it('puts a copied canary Ingress behind the original, where it never wins', () => {
    const member = (name: string, order: string) =>
      ingress(name, { annotations: { 'group.name': 'g', 'group.order': order } });
    const names = (...objects: readonly object[]) =>
      rulesOf(...objects).map(({ ingress: { name }, priority }) => `${priority} ${name}`);
    expect(names(member('web-canary', '10'), member('web', '10'))).toEqual(['1 web', '2 web-canary']);
    expect(names(member('web-canary', '9'), member('web', '10'))).toEqual(['1 web-canary', '2 web']);
  });
});

describe('transforms', () => {
  const withTransforms = (json: unknown) => ingress('i', { annotations: { 'transforms.web': JSON.stringify(json) } });
  const rewrites = [{ regex: '^/a$', replace: '/b' }];

  it('belong to the rules of the backend', () => {
    const json = [{ type: 'url-rewrite', urlRewriteConfig: { rewrites } }];
    expect(rulesOf(withTransforms(json))[0]!.transforms).toEqual([{ type: 'url-rewrite', rewrites }]);
  });

  it.each([
    [{ type: 'path-rewrite' }],
    [{ type: 'url-rewrite' }],
    [{ type: 'url-rewrite', hostHeaderRewriteConfig: { rewrites } }],
    [{ type: 'host-header-rewrite', hostHeaderRewriteConfig: { rewrites: [] } }],
  ])('are refused: %j', (transform) => expect(errorOf(withTransforms([transform]))).toBe('transform'));
});

describe('redirects', () => {
  interface Entry {
    readonly host?: string;
    readonly path: string;
    readonly pathType?: string;
    readonly service: string;
  }

  const stack = (redirect: object, entries: readonly Entry[], annotations: Record<string, string> = {}) =>
    ingress('i', {
      annotations: {
        'actions.r': JSON.stringify({ type: 'redirect', redirectConfig: { statusCode: 'HTTP_302', ...redirect } }),
        ...annotations,
      },
      spec: {
        rules: entries.map(({ host: name, path: written, pathType = 'Prefix', service }) => ({
          ...(name === undefined ? {} : { host: name }),
          http: {
            paths: [
              {
                path: written,
                pathType,
                backend: {
                  service: { name: service, port: service === 'r' ? { name: 'use-annotation' } : { number: 80 } },
                },
              },
            ],
          },
        })),
      },
    });
  const kept = (...args: Parameters<typeof stack>) => rulesOf(stack(...args)).map(({ path: at }) => at[2]);

  it.each([
    [{}, []],
    [{ host: '#{host}', path: '/#{path}', port: '#{port}', protocol: '#{protocol}', query: '#{query}' }, []],
    [{ host: 'a.com' }, []],
    [{ port: '80' }, []],
    [{ protocol: 'HTTP' }, []],
    [{ path: '/*' }, []],
    [{ host: 'b.com' }, [0]],
    [{ port: '443' }, [0]],
    [{ protocol: 'HTTPS' }, [0]],
    [{ query: 'x=1' }, [0]],
    [{ path: '/x' }, [0]],
  ])('to themselves are dropped: %j', (redirect, rules) => {
    expect(kept(redirect, [{ host: 'a.com', path: '/', service: 'r' }])).toEqual(rules);
  });

  it('by a regular expression are never taken for a loop, and hide nothing', () => {
    const entries = [
      { path: '/^/a$', pathType: 'ImplementationSpecific', service: 'r' },
      { path: '/', service: 'web' },
    ];
    expect(kept({}, entries, { 'use-regex-path-match': 'true' })).toEqual([0, 1]);
  });

  it('hide the rules whose hosts and paths they name', () => {
    const away = { host: 'away.com' };
    const forward = { service: 'web' };
    expect(
      kept(away, [
        { path: '/', service: 'r' },
        { host: 'a.com', path: '/x', ...forward },
      ]),
    ).toEqual([0]);
    expect(
      kept(away, [
        { host: 'a.com', path: '/', service: 'r' },
        { path: '/x', ...forward },
      ]),
    ).toEqual([0, 1]);
    expect(
      kept(away, [
        { host: 'a.com', path: '/', service: 'r' },
        { host: 'b.com', path: '/', ...forward },
      ]),
    ).toEqual([0, 1]);
    expect(
      kept(away, [
        { host: 'a.com', path: '/x', service: 'r' },
        { host: 'a.com', path: '/x', ...forward },
      ]),
    ).toEqual([0]);
    // The controller compares texts, so that /x/* does not hide /x/y.
    expect(
      kept(away, [
        { host: 'a.com', path: '/x', service: 'r' },
        { host: 'a.com', path: '/x/y', ...forward },
      ]),
    ).toEqual([0, 1]);
    expect(
      kept(away, [
        { path: '/', ...forward },
        { path: '/', service: 'r' },
        { path: '/', ...forward },
      ]),
    ).toEqual([0, 1]);
  });

  it('with other conditions hide nothing', () => {
    const conditions = JSON.stringify([header('x', { values: ['1'] })]);
    expect(
      kept(
        { host: 'away.com' },
        [
          { path: '/', service: 'r' },
          { path: '/', service: 'web' },
        ],
        { 'conditions.r': conditions },
      ),
    ).toEqual([0, 1]);
  });
});
