/** The objects that a script is tried on: samples of its kind, and those of its testdata. */
import { describe, expect, it } from 'vitest';
import { sampleStages } from '../../../../src/kruise/scripts/checks/sample-objects';
import { inputFor, type Stage, testdataStages } from '../../../../src/kruise/scripts/checks/stage';
import { byPath, matching, weight } from '../../../../src/kruise/scripts/checks/step';
import type { ScriptTarget } from '../../../../src/kruise/scripts/library';
import { KruiseRolloutVersion } from '../../../../src/kruise/version';
import { ingress, NGINX, ROUTE, read, rollout, route, trafficRouting } from '../cases';

const { LATEST, V0_5_0 } = KruiseRolloutVersion;
const owner = { 'app.example.com/owner': 'team-a' };
const labels = { 'app.kubernetes.io/part-of': 'shop' };

const stage = (name: string, provider: Stage['provider'], data: Stage['data'], more: Partial<Stage> = {}): Stage => ({
  name,
  provider,
  data,
  stableService: 'web',
  canaryService: 'web-canary',
  routes: true,
  version: LATEST,
  ...more,
});

describe('the samples', () => {
  const bare = stage('an Ingress without annotations', 'ingress', { annotations: undefined });
  const alb = (name: string) => `alb.ingress.kubernetes.io/${name}`;
  const groups = [{ serviceName: 'web', servicePort: 8080 }];
  const aws = {
    ...owner,
    [alb('group.name')]: 'demo',
    [alb('group.order')]: '10',
    'rollout-constructs.io/canary-group-order': '9',
    [alb('target-type')]: 'ip',
    [alb('actions.web')]: JSON.stringify({ type: 'forward', forwardConfig: { targetGroups: groups } }),
  };
  const stickiness = { enabled: true, durationSeconds: 600 };
  const restricted = {
    ...aws,
    [alb('actions.web')]: JSON.stringify({
      type: 'forward',
      forwardConfig: { targetGroups: groups, targetGroupStickinessConfig: stickiness },
    }),
    [alb('conditions.web')]: '[{"field":"source-ip","sourceIPConfig":{"values":["10.1.0.0/16"]}}]',
    [alb('transforms.web')]:
      '[{"type":"url-rewrite","urlRewriteConfig":{"rewrites":[{"regex":"^/old/(.*)$","replace":"/$1"}]}}]',
  };
  const backend = { service: { name: 'web', port: { name: 'use-annotation' } } };
  const paths = [{ path: '/', pathType: 'Prefix', backend }];
  const spec = { ingressClassName: 'alb', rules: [{ host: 'shop.example.com', http: { paths } }] };

  it.each<[classType: string, stages: readonly Stage[]]>([
    [
      'aws-alb',
      [
        stage('an Ingress with an action for its Service', 'ingress', { annotations: aws }),
        stage('an Ingress with conditions, transforms and stickiness', 'ingress', { annotations: restricted }),
        bare,
      ],
    ],
    [
      'aliyun-alb',
      [501, 502].map((order) =>
        stage(`an Ingress of order ${order}`, 'ingress', {
          annotations: {
            ...owner,
            [alb('order')]: String(order),
            'rollout-constructs.io/canary-order': String(order - 500),
          },
        }),
      ),
    ],
    [
      'nginx',
      [
        stage('an Ingress with annotations', 'ingress', {
          annotations: { ...owner, 'kubernetes.io/ingress.class': 'nginx' },
        }),
      ],
    ],
  ])('of an Ingress of the class %s', (classType, stages) => {
    const all = stages.includes(bare) ? stages : [...stages, bare];
    expect(sampleStages({ provider: 'ingress', classType }, LATEST)).toEqual(all);
    const older = all.map((one) => ({ ...one, version: V0_5_0 }));
    expect(sampleStages({ provider: 'ingress', classType }, V0_5_0)).toEqual(older);
  });

  it.each<[kind: string, group: string, stages: readonly Stage[]]>([
    [
      'Ingress',
      'networking.k8s.io',
      [
        stage('an Ingress with an action for its Service', 'custom', { labels, annotations: aws, spec }),
        stage('an Ingress with conditions, transforms and stickiness', 'custom', {
          labels,
          annotations: restricted,
          spec,
        }),
      ],
    ],
    [
      'TraefikService',
      'traefik.io',
      [
        stage('a weighted TraefikService', 'custom', {
          labels,
          annotations: owner,
          spec: { weighted: { services: [{ name: 'web', port: 8080, weight: 1 }] } },
        }),
        stage('a weighted TraefikService and without labels and annotations', 'custom', {
          spec: { weighted: { services: [{ name: 'web', port: 8080, weight: 1 }] } },
        }),
      ],
    ],
    [
      'DestinationRule',
      'networking.istio.io',
      [
        stage('a DestinationRule with a subset', 'custom', {
          labels,
          annotations: owner,
          spec: { host: 'web', subsets: [{ name: 'base', labels: { version: 'base' } }] },
        }),
        stage('a DestinationRule with a subset and without labels and annotations', 'custom', {
          spec: { host: 'web', subsets: [{ name: 'base', labels: { version: 'base' } }] },
        }),
        stage('a DestinationRule without subsets', 'custom', {
          labels,
          annotations: owner,
          spec: { host: 'web', trafficPolicy: { loadBalancer: { simple: 'LEAST_REQUEST' } } },
        }),
      ],
    ],
    ['Route', 'example.com', []],
  ])('of the kind %s of %s', (kind, group, stages) => {
    expect(sampleStages({ provider: 'custom', kind, group }, LATEST)).toEqual(stages);
  });
});

describe('the objects of testdata', () => {
  const steps = [{ traffic: '20%' }];
  const testdata = (original: object, target: ScriptTarget, more: object = { rollout: rollout(steps) }) =>
    read({ original, ...more }, target).testdata!;
  const stagesOf = (originals: readonly object[], atMost = 9) =>
    testdataStages(
      originals.map((original) => testdata(original, ROUTE)),
      ROUTE,
      LATEST,
      atMost,
    );
  const found = (data: Stage['data'], more: Partial<Stage> = {}) =>
    stage('the object of testdata case', 'custom', data, { routes: false, ...more });

  it('have spec, labels and annotations as the controller stores them', () => {
    const original = route({ host: 'a' }, { labels: { l: '1' }, annotations: { a: '2' } });
    expect(stagesOf([original])).toEqual([found({ spec: { host: 'a' }, labels: { l: '1' }, annotations: { a: '2' } })]);
    expect(stagesOf([route({}, { labels: {}, annotations: { a: 1 } })])).toEqual([found({ spec: {} })]);
  });

  it('have only the annotations of an Ingress', () => {
    const stages = (annotations?: Record<string, string>) =>
      testdataStages([testdata(ingress(annotations), NGINX)], NGINX, V0_5_0, 9);
    const more = { provider: 'ingress', version: V0_5_0 } as const;
    expect(stages({ a: '1' })).toEqual([found({ annotations: { a: '1' } }, more)]);
    expect(stages()).toEqual([found({ annotations: undefined }, more)]);
  });

  it('have the Services of the Rollout or of the TrafficRouting', () => {
    const services = (more: object) =>
      testdataStages([testdata(route({}), ROUTE, more)], ROUTE, LATEST, 9).map(({ stableService, canaryService }) => [
        stableService,
        canaryService,
      ]);
    const disabled = rollout(steps, 'canary', { disableGenerateCanaryService: true });
    expect(services({ rollout: rollout(steps) })).toEqual([['web', 'web-canary']]);
    expect(services({ rollout: rollout(steps, 'blueGreen') })).toEqual([['web', 'web-canary']]);
    expect(services({ rollout: disabled })).toEqual([['web', 'web']]);
    expect(services({ trafficRouting: trafficRouting({ weight: 20 }) })).toEqual([['web', 'web']]);
    expect(services({ rollout: rollout(steps, 'canary', { trafficRoutings: [] }) })).toEqual([]);
    expect(services({ trafficRouting: { ...trafficRouting({ weight: 20 }), spec: { strategy: {} } } })).toEqual([]);
  });

  it('are taken once each, in order, up to a number', () => {
    const hosts = (names: string, atMost: number) =>
      stagesOf(
        [...names].map((host) => route({ host })),
        atMost,
      ).map(({ data }) => (data.spec as { host: string }).host);
    expect(hosts('abacb', 9)).toEqual(['a', 'b', 'c']);
    expect(hosts('abacb', 3)).toEqual(['a', 'b', 'c']);
    expect(hosts('abacb', 2)).toEqual(['a', 'b']);
    expect(hosts('abacb', 1)).toEqual(['a']);
    expect(hosts('abacb', 0)).toEqual([]);
    expect(hosts('abacb', -1)).toEqual([]);
    expect(hosts('', 2)).toEqual([]);
  });

  it('are others with other Services', () => {
    const cases = [
      testdata(route({}), ROUTE),
      testdata(route({}), ROUTE, { trafficRouting: trafficRouting({ weight: 20 }) }),
      testdata(route({}), ROUTE, {
        rollout: rollout(steps, 'canary', { trafficRoutings: [{ service: 'shop' }] }),
      }),
      testdata(route({}), ROUTE),
    ];
    expect(testdataStages(cases, ROUTE, LATEST, 9).map(({ canaryService }) => canaryService)).toEqual([
      'web-canary',
      'web',
      'shop-canary',
    ]);
  });
});

describe('the input on an object', () => {
  const step = { ...weight(20), ...matching(byPath), requestHeaderModifier: { remove: ['x'] } };
  const { requestHeaderModifier, matches } = step;

  it('of an ingress script has the annotations of the Ingress, or those of the step before', () => {
    const one = stage('an Ingress', 'ingress', { annotations: owner });
    const input = { annotations: owner, weight: '20', matches, canaryService: 'web-canary', requestHeaderModifier };
    expect(inputFor(one, step)).toEqual(input);
    expect(inputFor(one, step, undefined)).toEqual(input);
    expect(inputFor(one, step, { a: '1' })).toEqual({ ...input, annotations: { a: '1' } });
    expect(inputFor(one, step, {})).toStrictEqual({
      weight: '20',
      matches,
      canaryService: 'web-canary',
      requestHeaderModifier,
    });
    expect(inputFor({ ...one, canaryService: 'other' }, weight(5))).toStrictEqual({
      annotations: owner,
      weight: '5',
      canaryService: 'other',
    });
    const { V0_3_0 } = KruiseRolloutVersion;
    expect(inputFor({ ...one, version: V0_3_0 }, step)).not.toHaveProperty('requestHeaderModifier');
  });

  it('of a custom script has the object', () => {
    const data = { spec: { host: 'a' }, labels };
    const one = stage('a Route', 'custom', data);
    const input = {
      data,
      canaryWeight: 20,
      stableWeight: 80,
      matches,
      canaryService: 'web-canary',
      stableService: 'web',
      requestHeaderModifier,
    };
    expect(inputFor(one, step)).toEqual(input);
    expect(inputFor(one, step, { a: '1' })).toEqual(input);
    expect(inputFor({ ...one, stableService: 'other', version: V0_5_0 }, weight(5))).toStrictEqual({
      data,
      canaryWeight: 5,
      stableWeight: 95,
      canaryService: 'web-canary',
      stableService: 'other',
    });
    expect(inputFor({ ...one, version: V0_5_0 }, step)).not.toHaveProperty('requestHeaderModifier');
  });
});
