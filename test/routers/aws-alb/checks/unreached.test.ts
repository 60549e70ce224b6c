import { describe, expect, test } from 'vitest';
import { parseManifests, World } from '../../../../src/core';
import { checkAwsAlb } from '../../../../src/routers/aws-alb/checks';

interface At {
  readonly host?: string;
  readonly path: string;
  readonly pathType?: string;
  readonly to: string;
}

const PREFIX = 'alb.ingress.kubernetes.io';

function ingress(name: string, paths: readonly At[], annotations: Readonly<Record<string, string>> = {}): object {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {
      name,
      namespace: 'shop',
      annotations: Object.fromEntries(
        Object.entries({ 'target-type': 'ip', ...annotations }).map(([key, value]) => [`${PREFIX}/${key}`, value]),
      ),
    },
    spec: {
      ingressClassName: 'alb',
      rules: paths.map(({ host = 'shop.test', path, pathType = 'Prefix', to }) => ({
        host,
        http: {
          paths: [
            {
              path,
              pathType,
              backend: {
                service: { name: to, port: to.startsWith('to-') ? { name: 'use-annotation' } : { number: 80 } },
              },
            },
          ],
        },
      })),
    },
  };
}

const service = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: 'shop' },
  spec: { selector: { app: name }, ports: [{ port: 80 }] },
});

const redirect = (config: object) => JSON.stringify({ type: 'redirect', redirectConfig: config });

/** `rule path` of each finding. */
function found(...objects: readonly object[]): string[] {
  const all = [...objects, service('web'), service('api')];
  const { manifests } = parseManifests(all.map((object) => JSON.stringify(object)).join('\n---\n'), 'stack.yaml');
  return checkAwsAlb(World.of(manifests)).map(({ rule, object, path }) => `${rule} ${object?.name} ${path}`);
}

describe('rules that earlier ones cover', () => {
  test.each([
    ['a prefix below /', '/', 'Prefix', '/cart', 'Prefix'],
    ['a path below a prefix', '/cart', 'Prefix', '/cart/1', 'Exact'],
    ['a pattern in a wider one', '/cart*', 'ImplementationSpecific', '/cart/*', 'ImplementationSpecific'],
    ['an end in everything', '/*', 'ImplementationSpecific', '/*.png', 'ImplementationSpecific'],
  ])('%s', (_what, first, firstType, second, secondType) => {
    const paths = [
      { path: first, pathType: firstType, to: 'web' },
      { path: second, pathType: secondType, to: 'api' },
    ];
    expect(found(ingress('shop', paths))).toEqual(['alb-rule-shadowed shop spec.rules[1].http.paths[0]']);
    expect(found(ingress('shop', [...paths].reverse()))).toEqual([]);
  });

  test.each([
    [{ path: '/cart', to: 'api' }, 'the path /cart of shop.test'],
    [{ path: '/', to: 'api' }, 'the path / of shop.test'],
  ])('named by path and host: %j', (second, what) => {
    const objects = [ingress('shop', [{ path: '/', to: 'web' }, second]), service('web'), service('api')];
    const { manifests } = parseManifests(objects.map((object) => JSON.stringify(object)).join('\n---\n'), 'stack.yaml');
    expect(checkAwsAlb(World.of(manifests)).map(({ message, related }) => [message, related?.object])).toEqual([
      [
        `no request reaches ${what}: spec.rules[0].http.paths[0] of shop/shop takes all of them first`,
        expect.objectContaining({ kind: 'Ingress', name: 'shop' }),
      ],
    ]);
  });

  test.each([
    ['other hosts', { path: '/', to: 'web' }, { host: 'api.test', path: '/', to: 'api' }],
    ['siblings', { path: '/cart', to: 'web' }, { path: '/cartoons', to: 'api' }],
    ['the same Service', { path: '/', to: 'web' }, { path: '/cart', to: 'web' }],
    [
      'one wildcard, and text after it',
      { path: '/a*c', pathType: 'ImplementationSpecific', to: 'web' },
      { path: '/ab', pathType: 'Exact', to: 'api' },
    ],
  ])('not %s', (_what, first, second) => {
    expect(found(ingress('shop', [first, second]))).toEqual([]);
  });

  test('a wildcard host before one of its hosts, in another Ingress of the group', () => {
    const group = (order: string) => ({ 'group.name': 'all', 'group.order': order });
    const wide = [{ host: '*.test', path: '/', to: 'web' }];
    const exact = [{ host: 'api.test', path: '/', to: 'api' }];
    const shadowed = 'alb-rule-shadowed exact spec.rules[0].http.paths[0]';
    expect(found(ingress('wide', wide, group('1')), ingress('exact', exact, group('2')))).toEqual([shadowed]);
    expect(found(ingress('wide', wide, group('2')), ingress('exact', exact, group('1')))).toEqual([]);
  });

  test('not one that asks for a header first', () => {
    const conditions = JSON.stringify([
      { field: 'http-header', httpHeaderConfig: { httpHeaderName: 'x-beta', values: ['1'] } },
    ]);
    const paths = [
      { path: '/', to: 'web' },
      { path: '/', to: 'api' },
    ];
    expect(found(ingress('shop', paths, { 'conditions.web': conditions }))).toEqual([]);
    expect(found(ingress('shop', paths, { 'conditions.api': conditions }))).toEqual([
      'alb-rule-shadowed shop spec.rules[1].http.paths[0]',
    ]);
  });
});

describe('rules that the controller leaves out', () => {
  test('a redirect to its own host, and what is behind a redirect', () => {
    const paths = [
      { path: '/*', pathType: 'ImplementationSpecific', to: 'to-self' },
      { host: 'old.test', path: '/*', pathType: 'ImplementationSpecific', to: 'to-new' },
      { host: 'old.test', path: '/cart', to: 'api' },
    ];
    const actions = {
      'actions.to-self': redirect({ host: 'shop.test', statusCode: 'HTTP_301' }),
      'actions.to-new': redirect({ host: 'new.test', statusCode: 'HTTP_301' }),
    };
    expect(found(ingress('shop', paths, actions))).toEqual([
      'alb-rule-left-out shop spec.rules[0].http.paths[0]',
      'alb-rule-left-out shop spec.rules[2].http.paths[0]',
    ]);
  });

  test('not the redirect to HTTPS, which the HTTPS port leaves out, nor what it covers on the HTTP port', () => {
    const paths = [
      { path: '/*', pathType: 'ImplementationSpecific', to: 'to-https' },
      { path: '/*', pathType: 'ImplementationSpecific', to: 'web' },
    ];
    const annotations = {
      'listen-ports': '[{"HTTP":80},{"HTTPS":443}]',
      'certificate-arn': 'arn:aws:acm:eu-west-1:123456789012:certificate/1',
      'actions.to-https': redirect({ protocol: 'HTTPS', port: '443', statusCode: 'HTTP_301' }),
    };
    expect(found(ingress('shop', paths, annotations))).toEqual([]);
  });
});
