import { describe, expect, it, test } from 'vitest';
import {
  type AlbCanaryIngressOptions,
  albCanaryIngress,
  albTrafficRouting,
} from '../../../src/kruise/alb/canary-ingress';
import { AlbCanaryMode } from '../../../src/kruise/alb/canary-mode';
import { AlbListenPort } from '../../../src/routers/aws-alb/load-balancer-options';

const service = { name: 'web', port: 80 };
const PREFIX = 'alb.ingress.kubernetes.io';
const FORWARD = '{"type":"forward","forwardConfig":{"targetGroups":[{"serviceName":"web","servicePort":80}]}}';
const write = (options: Partial<AlbCanaryIngressOptions> = {}, ...more: [object?, object?]) =>
  albCanaryIngress({ service, ...options }, ...(more as []));
const annotationsOf = (...given: Parameters<typeof write>) => write(...given).metadata.annotations;

describe('an Ingress on AWS whose releases get a canary', () => {
  it('leads to the Service through an action', () => {
    expect(write({}, { name: 'web' })).toEqual({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'web', annotations: { [`${PREFIX}/target-type`]: 'ip', [`${PREFIX}/actions.web`]: FORWARD } },
      spec: {
        ingressClassName: 'alb',
        rules: [
          {
            http: {
              paths: [
                {
                  path: '/',
                  pathType: 'Prefix',
                  backend: { service: { name: 'web', port: { name: 'use-annotation' } } },
                },
              ],
            },
          },
        ],
      },
    });
  });

  it('may keep clients with their version', () => {
    const sticky = (stickiness: AlbCanaryIngressOptions['stickiness']) =>
      JSON.parse(annotationsOf({ stickiness })![`${PREFIX}/actions.web`]!).forwardConfig.targetGroupStickinessConfig;
    expect([sticky(1), sticky(604_800), sticky({ toSeconds: () => 60 })]).toEqual([
      { enabled: true, durationSeconds: 1 },
      { enabled: true, durationSeconds: 604_800 },
      { enabled: true, durationSeconds: 60 },
    ]);
    for (const wrong of [0, 604_801, 1.5, -1]) {
      expect(() => sticky(wrong)).toThrow(`stickiness is ${wrong} seconds: give 1 to 604800 (7 days)`);
    }
  });

  it('has paths of its own, with backends and actions', () => {
    const action = { type: 'redirect', redirectConfig: { statusCode: 'HTTP_301' } };
    const port = { name: 'use-annotation' };
    const paths = [
      { path: '/a', pathType: 'Exact' as const },
      { path: '/b', backend: { name: 'api', port: { number: 8080 } } },
      { path: '/c', backend: { name: 'away', port, action } },
      { path: '/d', backend: { name: 'away', port, action } },
    ] as never;
    const { metadata, spec } = write({ rules: [{ host: 'a.example.com', paths }] });
    expect(metadata.annotations![`${PREFIX}/actions.away`]).toBe(JSON.stringify(action));
    expect(Object.keys(metadata.annotations!).filter((key) => key.includes('actions'))).toHaveLength(2);
    expect(spec.rules).toEqual([
      {
        host: 'a.example.com',
        http: {
          paths: [
            { path: '/a', pathType: 'Exact', backend: { service: { name: 'web', port } } },
            { path: '/b', pathType: 'Prefix', backend: { service: { name: 'api', port: { number: 8080 } } } },
            { path: '/c', pathType: 'Prefix', backend: { service: { name: 'away', port } } },
            { path: '/d', pathType: 'Prefix', backend: { service: { name: 'away', port } } },
          ],
        },
      },
    ]);
  });

  it('has a class, which may have a group and settings', () => {
    const { metadata, spec } = write({}, {}, { name: 'internal', group: 'shared', targetType: 'instance' });
    expect(spec.ingressClassName).toBe('internal');
    expect(metadata.annotations).toMatchObject({ [`${PREFIX}/group.name`]: 'shared' });
    expect(Object.keys(metadata.annotations!)).not.toContain(`${PREFIX}/target-type`);
    expect(JSON.stringify(metadata.annotations)).toContain('internal');
    expect(JSON.stringify(write().metadata.annotations)).not.toContain('"alb"');
    expect(annotationsOf({ targetType: 'instance', scheme: 'internal' })).toMatchObject({
      [`${PREFIX}/target-type`]: 'instance',
      [`${PREFIX}/scheme`]: 'internal',
    });
    expect(annotationsOf({ scheme: 'internal' }, {}, { name: 'a', scheme: 'internal' })).toMatchObject({
      [`${PREFIX}/scheme`]: 'internal',
    });
  });

  it('is in a group with an order below that of its canary', () => {
    const mode = AlbCanaryMode.ingress({ group: 'public', order: 10, canaryOrder: 9 });
    expect(annotationsOf({ mode })).toMatchObject({
      [`${PREFIX}/group.name`]: 'public',
      [`${PREFIX}/group.order`]: '10',
      'rollout-constructs.io/canary-group-order': '9',
    });
    const bare = annotationsOf({ mode: AlbCanaryMode.customNetworkRefs({ group: 'public', order: 5 }) })!;
    expect(bare).toMatchObject({ [`${PREFIX}/group.name`]: 'public', [`${PREFIX}/group.order`]: '5' });
    expect(bare['rollout-constructs.io/canary-group-order']).toBeUndefined();
  });

  test.each<[Partial<AlbCanaryIngressOptions>, string]>([
    [{ service: { name: '', port: 80 } }, 'service has no name'],
    [{ rules: [] }, 'rules is empty'],
    [{ rules: [{ paths: [] }] }, 'paths of the host "*" is empty'],
    [{ rules: [{ host: 'a', paths: [] }] }, 'paths of the host "a" is empty'],
    [{ rules: [{ paths: [{ path: 'a' }] }] }, 'path is "a": it must start with a slash'],
    [{ listenPorts: [] }, 'listenPorts is empty: leave it out'],
    [{ listenPorts: [AlbListenPort.http(), AlbListenPort.https(80)] }, 'listenPorts has the port 80 twice'],
    [{ sslRedirect: true, listenPorts: [AlbListenPort.http()] }, 'sslRedirect needs an HTTPS port to lead to'],
    [
      { rules: [{ paths: [{ path: '/', backend: { name: 'web', port: { number: 80 } } }] }] as never },
      'backend is the service "web", which gets the canary',
    ],
    [
      {
        rules: [
          {
            paths: [1, 2].map((code) => ({
              path: '/',
              backend: { name: 'x', port: { name: 'use-annotation' }, action: { code } },
            })),
          },
        ] as never,
      },
      'two different actions are called "x"',
    ],
  ])('may not be %j', (options, problem) => {
    expect(() => write(options)).toThrow(problem);
  });

  it('may not contradict its class, nor its metadata', () => {
    expect(() => write({ targetType: 'ip' }, {}, { name: 'a', targetType: 'instance' })).toThrow(
      'targetType is "ip", but the ingress class "a" sets it to "instance", which wins',
    );
    expect(() => write({ scheme: 'internal' }, {}, { name: 'a', scheme: 'internet-facing' })).toThrow(
      'scheme is "internal"',
    );
    const mode = AlbCanaryMode.customNetworkRefs({ group: 'b' });
    expect(() => write({ mode }, {}, { name: 'a', group: 'c' })).toThrow(
      'group is "b", but the ingress class "a" puts all of its Ingresses into the group "c"',
    );
    const key = `${PREFIX}/target-type`;
    expect(() => write({}, { annotations: { [key]: 'instance' } })).toThrow(
      `the annotation ${key} belongs to the construct: set the prop for it`,
    );
    expect(annotationsOf({}, { annotations: { [key]: 'ip', a: 'b' } })).toMatchObject({ [key]: 'ip', a: 'b' });
  });
});

describe('the routing of a Rollout', () => {
  it('names the Ingress, or lets the controller copy it', () => {
    expect(albTrafficRouting({ service }, 'front')).toEqual({
      service: 'web',
      gracePeriodSeconds: 30,
      customNetworkRefs: [{ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name: 'front' }],
    });
    const mode = AlbCanaryMode.ingress({ group: 'public', order: 10, canaryOrder: 9 });
    expect(albTrafficRouting({ service, mode }, 'front', 5)).toEqual({
      service: 'web',
      gracePeriodSeconds: 5,
      ingress: { name: 'front', classType: 'aws-alb' },
    });
  });
});

describe('the order of a canary', () => {
  const orders = (order: number, canaryOrder?: number) => {
    const mode = AlbCanaryMode.ingress({ group: 'public', order, ...(canaryOrder !== undefined && { canaryOrder }) });
    return [mode.order, mode.canaryOrder];
  };

  it('is one less than that of the Ingress, or any lower one', () => {
    expect([orders(10), orders(10, 3), orders(-999), orders(1000, -1000)]).toEqual([
      [10, 9],
      [10, 3],
      [-999, -1000],
      [1000, -1000],
    ]);
  });

  test.each<[number, number | undefined, string]>([
    [1001, undefined, 'order is 1001: give an integer from -1000 to 1000'],
    [-1000, undefined, 'canaryOrder is -1001: give an integer'],
    [1.5, 1, 'order is 1.5'],
    [5, 5, 'canaryOrder is 5 and order is 5: the lower order is evaluated first'],
    [5, 6, 'canaryOrder is 6 and order is 5'],
  ])('may not be %i with %j', (order, canaryOrder, problem) => {
    expect(() => orders(order, canaryOrder)).toThrow(problem);
  });

  it('is that of a group too', () => {
    expect(() => AlbCanaryMode.customNetworkRefs({ order: 2000 })).toThrow('order is 2000');
    expect(AlbCanaryMode.customNetworkRefs()).toMatchObject({ kind: 'customNetworkRefs', group: undefined });
  });
});
