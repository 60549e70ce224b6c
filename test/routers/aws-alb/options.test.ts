import { describe, expect, it } from 'vitest';
import { Manifest, World } from '../../../src/core';
import type { Condition } from '../../../src/routers/aws-alb';
import { AlbBackend, actionsOf } from '../../../src/routers/aws-alb/ingress-options';
import { loadBalancerAnnotations, prefixed, text } from '../../../src/routers/aws-alb/load-balancer-annotations';
import { AlbListenPort } from '../../../src/routers/aws-alb/load-balancer-options';
import { takesAllOf } from '../../../src/routers/aws-alb/takes-all-of';
import {
  AWS_LOAD_BALANCER_CONTROLLER_HISTORY,
  AwsLoadBalancerControllerVersion,
} from '../../../src/routers/aws-alb/version';
import { readIngress } from '../../../src/routers/ingress/ingress';
import { PREFIX } from './stack';

describe('conditions that take all of others', () => {
  const host = (...values: string[]): Condition => ({ field: 'host-header', values });
  const path = (...values: string[]): Condition => ({ field: 'path-pattern', values });
  const method = (...values: string[]): Condition => ({ field: 'http-request-method', values });

  it.each<[string, Condition[], Condition[], boolean]>([
    ['none take everything', [], [path('/x')], true],
    ['some do not take everything', [path('/x')], [], false],
    ['the same', [host('a.com'), path('/x')], [path('/x'), host('a.com')], true],
    ['fewer', [path('/x')], [path('/x'), host('a.com')], true],
    ['more', [path('/x'), host('a.com')], [path('/x')], false],
    ['hosts in another case', [host('A.com')], [host('a.com')], true],
    ['paths in another case', [path('/A')], [path('/a')], false],
    ['one of several values', [path('/a', '/b')], [path('/b')], true],
    ['several of one value', [path('/a')], [path('/a', '/b')], false],
    ['a wildcard of a text', [path('/a*')], [path('/ab')], true],
    ['a text of a wildcard', [path('/ab')], [path('/a*')], false],
    ['a wildcard of a narrower one', [path('/a*')], [path('/ab*')], true],
    ['a wildcard of a wider one', [path('/ab*')], [path('/a*')], false],
    ['a wildcard in the middle', [path('/a*b')], [path('/axb*b')], true],
    ['a wildcard whose end is another', [path('/a*b')], [path('/a*c')], false],
    ['a wildcard of one sign', [path('/a?')], [path('/a*')], false],
    ['a wildcard of one sign of a text', [path('/a?')], [path('/ab')], true],
    ['two wildcards', [path('/*/*')], [path('/a/*')], false],
    ['a wildcard with longer ends', [path('/ab*ba')], [path('/aba*aba')], true],
    ['a wildcard of all', [path('*')], [path('/?*')], true],
    ['a wildcard that is shorter', [path('/a*a')], [path('/a*')], false],
    ['methods that are the same', [method('GET')], [method('GET')], true],
    ['methods that are more', [method('GET', 'PUT')], [method('GET')], false],
    ['expressions of values', [{ field: 'path-pattern', regexValues: ['/x'] }], [path('/x')], false],
    ['values of expressions', [path('*')], [{ field: 'path-pattern', regexValues: ['/x'] }], false],
    [
      'expressions that are the same',
      [{ field: 'path-pattern', regexValues: ['/x'] }],
      [{ field: 'path-pattern', regexValues: ['/x'] }],
      true,
    ],
    ['another field', [host('/x')], [path('/x')], false],
    ['no values', [path('*')], [{ field: 'path-pattern' }], false],
  ])('%s', (_, wide, narrow, expected) => expect(takesAllOf(wide, narrow)).toBe(expected));
});

describe('an Ingress as every controller reads it', () => {
  it('has its rules with places, its class, and whether it goes', () => {
    const manifest = Manifest.of({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'i', namespace: 'shop', annotations: { a: 'b' }, deletionTimestamp: '2024-01-01T00:00:00Z' },
      spec: {
        ingressClassName: 'c',
        defaultBackend: { service: { name: 'd', port: { name: 'http' } } },
        rules: [
          {
            host: 'a.com',
            http: {
              paths: [
                { path: '/x', pathType: 'Exact', backend: { service: { name: 's', port: { number: 80 } } } },
                { backend: { resource: {} } },
              ],
            },
          },
          {},
          {
            http: {
              paths: [
                { backend: { service: {} } },
                {},
                { backend: { service: { name: 'p', port: { name: '', number: 81 } } } },
              ],
            },
          },
        ],
      },
    } as never);
    const { manifest: own, ...read } = readIngress(World.of([manifest]), manifest);
    expect(own).toBe(manifest);
    expect(read).toEqual({
      namespace: 'shop',
      name: 'i',
      key: 'shop/i',
      annotations: { a: 'b' },
      className: 'c',
      deleted: true,
      rules: [
        {
          host: 'a.com',
          paths: [
            {
              path: '/x',
              pathType: 'Exact',
              backend: { service: { name: 's', port: 80 }, at: ['spec', 'rules', 0, 'http', 'paths', 0, 'backend'] },
              at: ['spec', 'rules', 0, 'http', 'paths', 0],
            },
            {
              path: '',
              pathType: undefined,
              backend: { service: undefined, at: ['spec', 'rules', 0, 'http', 'paths', 1, 'backend'] },
              at: ['spec', 'rules', 0, 'http', 'paths', 1],
            },
          ],
        },
        { host: '', paths: [] },
        {
          host: '',
          paths: [
            {
              path: '',
              pathType: undefined,
              backend: { service: { name: '', port: 0 }, at: ['spec', 'rules', 2, 'http', 'paths', 0, 'backend'] },
              at: ['spec', 'rules', 2, 'http', 'paths', 0],
            },
            {
              path: '',
              pathType: undefined,
              backend: { service: undefined, at: ['spec', 'rules', 2, 'http', 'paths', 1, 'backend'] },
              at: ['spec', 'rules', 2, 'http', 'paths', 1],
            },
            {
              path: '',
              pathType: undefined,
              backend: { service: { name: 'p', port: 81 }, at: ['spec', 'rules', 2, 'http', 'paths', 2, 'backend'] },
              at: ['spec', 'rules', 2, 'http', 'paths', 2],
            },
          ],
        },
      ],
      defaultBackend: { service: { name: 'd', port: 'http' }, at: ['spec', 'defaultBackend'] },
    });
  });

  it('of v1beta1 has the old form of backends', () => {
    const manifest = Manifest.of({
      apiVersion: 'networking.k8s.io/v1beta1',
      kind: 'Ingress',
      metadata: { name: 'i' },
      spec: {
        rules: [
          {
            http: {
              paths: [
                { backend: { serviceName: 's', servicePort: 80 } },
                { backend: { serviceName: 's', servicePort: 'http' } },
                { backend: { servicePort: 1 } },
                { backend: { serviceName: 's' } },
              ],
            },
          },
        ],
      },
    } as never);
    const { rules, defaultBackend, key, deleted, className } = readIngress(World.of([manifest]), manifest);
    expect({ rules, defaultBackend, key, deleted, className }).toEqual({
      rules: [
        {
          host: '',
          paths: [
            {
              path: '',
              pathType: undefined,
              backend: { service: { name: 's', port: 80 }, at: ['spec', 'rules', 0, 'http', 'paths', 0, 'backend'] },
              at: ['spec', 'rules', 0, 'http', 'paths', 0],
            },
            {
              path: '',
              pathType: undefined,
              backend: {
                service: { name: 's', port: 'http' },
                at: ['spec', 'rules', 0, 'http', 'paths', 1, 'backend'],
              },
              at: ['spec', 'rules', 0, 'http', 'paths', 1],
            },
            {
              path: '',
              pathType: undefined,
              backend: { service: undefined, at: ['spec', 'rules', 0, 'http', 'paths', 2, 'backend'] },
              at: ['spec', 'rules', 0, 'http', 'paths', 2],
            },
            {
              path: '',
              pathType: undefined,
              backend: { service: { name: 's', port: 0 }, at: ['spec', 'rules', 0, 'http', 'paths', 3, 'backend'] },
              at: ['spec', 'rules', 0, 'http', 'paths', 3],
            },
          ],
        },
      ],
      defaultBackend: undefined,
      key: 'default/i',
      deleted: false,
      className: undefined,
    });
  });
});

describe('options of an Ingress for an AWS load balancer', () => {
  it('are annotations', () => {
    expect(loadBalancerAnnotations({})).toEqual({
      'listen-ports': undefined,
      'certificate-arn': undefined,
      'ssl-policy': undefined,
      'ssl-redirect': undefined,
      'wafv2-acl-arn': undefined,
      'healthcheck-path': undefined,
      'healthcheck-port': undefined,
      'healthcheck-protocol': undefined,
      'healthcheck-interval-seconds': undefined,
      'healthcheck-timeout-seconds': undefined,
      'healthy-threshold-count': undefined,
      'unhealthy-threshold-count': undefined,
      'success-codes': undefined,
    });
    expect(
      loadBalancerAnnotations({
        listenPorts: [AlbListenPort.http(), AlbListenPort.https(8443)],
        certificates: ['a', 'b'],
        sslPolicy: 'p',
        sslRedirect: true,
        wafAclArn: 'w',
        healthCheck: {
          path: '/h',
          port: 8080,
          protocol: 'HTTP',
          interval: 10,
          timeout: 5,
          healthyThreshold: 2,
          unhealthyThreshold: 3,
          successCodes: '200',
        },
      }),
    ).toEqual({
      'listen-ports': '[{"HTTP":80},{"HTTPS":8443}]',
      'certificate-arn': 'a,b',
      'ssl-policy': 'p',
      'ssl-redirect': '8443',
      'wafv2-acl-arn': 'w',
      'healthcheck-path': '/h',
      'healthcheck-port': '8080',
      'healthcheck-protocol': 'HTTP',
      'healthcheck-interval-seconds': '10',
      'healthcheck-timeout-seconds': '5',
      'healthy-threshold-count': '2',
      'unhealthy-threshold-count': '3',
      'success-codes': '200',
    });
    expect(loadBalancerAnnotations({ sslRedirect: true, certificates: [] })).toMatchObject({
      'listen-ports': '[{"HTTP":80},{"HTTPS":443}]',
      'certificate-arn': undefined,
      'ssl-policy': undefined,
      'ssl-redirect': '443',
      'wafv2-acl-arn': undefined,
      'healthcheck-path': undefined,
      'healthcheck-port': undefined,
      'healthcheck-protocol': undefined,
      'healthcheck-interval-seconds': undefined,
      'healthcheck-timeout-seconds': undefined,
      'healthy-threshold-count': undefined,
      'unhealthy-threshold-count': undefined,
      'success-codes': undefined,
    });
    expect(loadBalancerAnnotations({ sslRedirect: false, healthCheck: { port: 'traffic-port' } })).toMatchObject({
      'listen-ports': undefined,
      'certificate-arn': undefined,
      'ssl-policy': undefined,
      'ssl-redirect': undefined,
      'wafv2-acl-arn': undefined,
      'healthcheck-path': undefined,
      'healthcheck-port': 'traffic-port',
      'healthcheck-protocol': undefined,
      'healthcheck-interval-seconds': undefined,
      'healthcheck-timeout-seconds': undefined,
      'healthy-threshold-count': undefined,
      'unhealthy-threshold-count': undefined,
      'success-codes': undefined,
    });
    expect(prefixed({ a: '1', b: undefined })).toEqual({ [`${PREFIX}/a`]: '1', [`${PREFIX}/b`]: undefined });
    expect([text(1), text('x'), text(undefined)]).toEqual(['1', 'x', undefined]);
  });

  it('have actions of backends that are no Services', () => {
    const fixed = AlbBackend.fixedResponse('f', { statusCode: 404, contentType: 'text/html', messageBody: 'm' });
    const rules = [
      { paths: [{ path: '/a', backend: fixed }, { path: '/b' }] },
      {},
      { paths: [{ path: '/c', backend: AlbBackend.service({ name: 's', port: 80 }) }] },
    ];
    expect(actionsOf(rules)).toEqual([
      [
        'f',
        {
          type: 'fixed-response',
          fixedResponseConfig: { contentType: 'text/html', messageBody: 'm', statusCode: '404' },
        },
      ],
    ]);
    expect(actionsOf()).toEqual([]);
    expect(fixed.port).toEqual({ name: 'use-annotation' });
  });

  it('of releases have their history', () => {
    expect(
      Object.entries(AWS_LOAD_BALANCER_CONTROLLER_HISTORY).map(([fact, history]) => [
        fact,
        ...history.map(({ from, is }) => `${from} ${is}`),
      ]),
    ).toEqual([
      ['regexValues', '2.0.0 false', '2.14.1 true'],
      ['transforms', '2.0.0 false', '2.14.1 true'],
      ['regexPaths', '2.0.0 false', '2.15.0 true'],
      ['jwtValidation', '2.0.0 false', '2.15.0 true'],
    ]);
    expect(
      Object.values(AWS_LOAD_BALANCER_CONTROLLER_HISTORY).flatMap((history) => history.map(({ source }) => source)),
    ).toEqual([
      'pkg/ingress/config_types.go',
      'pkg/ingress/config_types.go, commit 08cbc9de2',
      'docs/guide/ingress/annotations.md',
      'docs/guide/ingress/annotations.md',
      'docs/guide/ingress/annotations.md',
      'docs/guide/ingress/annotations.md',
      'docs/guide/ingress/annotations.md',
      'docs/guide/ingress/annotations.md',
    ]);
    expect(
      [
        AwsLoadBalancerControllerVersion.V2_13_4,
        AwsLoadBalancerControllerVersion.V2_14_1,
        AwsLoadBalancerControllerVersion.V3_5_0,
      ].map(({ version, facts }) => [version, ...Object.values(facts)]),
    ).toEqual([
      ['2.13.4', false, false, false, false],
      ['2.14.1', true, true, false, false],
      ['3.5.0', true, true, true, true],
    ]);
    expect(
      ['v2.14.1', '2.14.1-rc.1', '10.0.0'].map((version) => AwsLoadBalancerControllerVersion.of(version).version),
    ).toEqual(['2.14.1', '2.14.1-rc.1', '10.0.0']);
    for (const wrong of ['x2.14.1', '2.14.1x', '2.14.1-', 'vv2.14.1', '2.14.1-a b'])
      expect(() => AwsLoadBalancerControllerVersion.of(wrong)).toThrow('is not a version');
  });
});
