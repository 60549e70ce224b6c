/** What a rehearsal learns of a Rollout: its Services, what the controller writes, and its steps. */
import { describe, expect, it } from 'vitest';
import { releasesOf } from '../../../src/argo/release';
import { type JsonObject, Manifest, World } from '../../../src/core';
import { type StackOptions, stackOf } from '../../stage/labs/argo/stack';

const releaseOf = (options: StackOptions) =>
  releasesOf(World.of(stackOf(options).map((object) => Manifest.of(object))))[0]!;

/** `stable/canary through entry by router, writes ...`. */
function lineOf(options: StackOptions): string {
  const { style, needsLoadBalancer, ...release } = releaseOf(options);
  const { stableService, canaryService, entryServices = [], routers = [], objects } = release.traffic!;
  return [
    `${style}: ${stableService}/${canaryService}`,
    ...(entryServices.length === 0 ? [] : [`through ${entryServices.join()}`]),
    ...(routers.length === 0 ? [] : [`by ${routers.join()}`]),
    `writes ${objects.map(({ apiVersion, kind, name }) => `${kind} ${name} of ${apiVersion}`).join(', ')}`,
    ...(needsLoadBalancer ? ['behind a load balancer only'] : []),
  ].join('; ');
}

const INGRESS = 'of networking.k8s.io/v1';
const ISTIO = 'of networking.istio.io/v1';

describe('a release', () => {
  it.each<[StackOptions['route'], string]>([
    [
      'alb',
      `argo-canary: shop-stable/shop-canary; through shop-stable; by aws-alb; writes Ingress shop ${INGRESS}, Service shop-stable of v1, Service shop-canary of v1`,
    ],
    [
      'alb-root',
      `argo-canary: shop-stable/shop-canary; through shop-root; by aws-alb; writes Ingress shop ${INGRESS}, Service shop-stable of v1, Service shop-canary of v1`,
    ],
    [
      'alb-two-ingresses',
      `argo-canary: shop-stable/shop-canary; through shop-stable; by aws-alb; writes Ingress shop ${INGRESS}, Ingress shop-internal ${INGRESS}, Service shop-stable of v1, Service shop-canary of v1`,
    ],
    [
      'alb-ping-pong',
      `argo-canary: shop-ping/shop-pong; through shop-root; by aws-alb; writes Ingress shop ${INGRESS}, Service shop-ping of v1, Service shop-pong of v1`,
    ],
    [
      'nginx',
      `argo-canary: shop-stable/shop-canary; by nginx; writes Ingress shop ${INGRESS}, Ingress shop-shop-canary ${INGRESS}, Service shop-stable of v1, Service shop-canary of v1`,
    ],
    [
      'istio',
      `argo-canary: shop-stable/shop-canary; by istio; writes VirtualService shop ${ISTIO}, Service shop-stable of v1, Service shop-canary of v1`,
    ],
    [
      'istio-subsets',
      `argo-canary: shop/shop; by istio; writes VirtualService shop ${ISTIO}, DestinationRule shop ${ISTIO}, Service shop of v1`,
    ],
    ['services', 'argo-canary: shop-stable/shop-canary; writes Service shop-stable of v1, Service shop-canary of v1'],
    ['none', 'argo-canary: shop/shop; writes Service shop of v1; behind a load balancer only'],
    [
      'blueGreen',
      'argo-blue-green: shop-active/shop-preview; through shop-active; by aws-alb; writes Service shop-preview of v1; behind a load balancer only',
    ],
  ])('of the stack %s', (route, line) => {
    expect(lineOf({ route })).toBe(line);
  });

  it('of blue-green without a preview has one Service', () => {
    expect(lineOf({ route: 'blueGreen', strategy: { previewService: null } as never })).toContain(
      'shop-active/shop-active',
    );
  });

  it('is none without a Service, or without a strategy', () => {
    const alone = stackOf({ route: 'none' }).filter(({ kind }) => kind !== 'Service');
    expect(releasesOf(World.of(alone.map((object) => Manifest.of(object))))).toEqual([]);
    const spec = { strategy: {} };
    expect(releasesOf(World.of(stackOf({ route: 'alb', spec }).map((object) => Manifest.of(object))))).toEqual([]);
  });

  it('of a canary without Services of its own goes through those that select its pods', () => {
    const service = (name: string, selector?: object): JsonObject =>
      ({ apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { ...(selector && { selector }) } }) as never;
    const more = [service('other', { app: 'other' }), service('open'), service('second', { app: 'shop' })];
    const options: StackOptions = { route: 'none', more };
    expect(releaseOf(options).traffic!.objects.map(({ name }) => name)).toEqual(['second', 'shop']);
  });

  it('needs its Rollout, the workload that it names, and an autoscaler', () => {
    const scaleTargetRef = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', name: 'shop' };
    const hpa = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'auto' },
      spec: { scaleTargetRef, maxReplicas: 3 },
    };
    const needs = (options: StackOptions) => releaseOf(options).needs.map(({ kind, name }) => `${kind} ${name}`);
    expect(needs({ route: 'alb' })).toEqual(['Rollout shop']);
    expect(needs({ route: 'alb', workloadRef: true, more: [hpa] })).toEqual([
      'Rollout shop',
      'Deployment shop',
      'HorizontalPodAutoscaler auto',
    ]);
  });
});

describe('the steps of a release', () => {
  const header = (name: string, ...values: object[]) => ({
    setHeaderRoute: { name, match: values.map((headerValue) => ({ headerName: 'x-beta', headerValue })) },
  });
  const stepsOf = (...steps: object[]) => releaseOf({ route: 'alb', steps: steps as JsonObject[] }).steps;
  const at = (...more: (string | number)[]) => ['spec', 'strategy', 'canary', 'steps', ...more];

  it('wait for people, or for as long as they say', () => {
    const [forPeople, minutes, seconds, none, unknown, negative] = stepsOf(
      { pause: {} },
      { pause: { duration: '5m' } },
      { pause: { duration: 7 } },
      { pause: { duration: 0 } },
      { pause: { duration: 'x' } },
      { pause: { duration: -1 } },
    );
    const lasts = (value: number) => ({ seconds: value, field: 'pause.duration' });
    expect(forPeople).toStrictEqual({ path: at(0), trafficPath: at(0), approval: 'promote' });
    expect(minutes).toStrictEqual({ path: at(1), trafficPath: at(1), lasts: lasts(300) });
    expect(seconds).toStrictEqual({ path: at(2), trafficPath: at(2), lasts: lasts(7) });
    expect(none).toStrictEqual({ path: at(3), trafficPath: at(3), lasts: lasts(0) });
    expect(unknown).toStrictEqual({ path: at(4), trafficPath: at(4) });
    expect(negative).toStrictEqual({ path: at(5), trafficPath: at(5) });
  });

  it('declare traffic in the first field of it that they have', () => {
    const fields = stepsOf(
      { setWeight: 5 },
      { experiment: { templates: [] } },
      { setCanaryScale: { replicas: 1 } },
      { ...header('beta', { exact: '1' }), setWeight: 5 },
    ).map(({ trafficPath }) => trafficPath!.slice(5));
    expect(fields).toEqual([['setWeight'], ['experiment'], [], ['setHeaderRoute']]);
  });

  it('declare the requests of their header route', () => {
    const [set, removed] = stepsOf(header('beta', { exact: '1' }, { exact: '2' }), {
      setHeaderRoute: { name: 'beta' },
    });
    expect(set!.matches).toStrictEqual([
      { headers: [{ name: 'x-beta', type: 'Exact', value: '1', otherValues: ['2'] }] },
    ]);
    expect(removed!.matches).toStrictEqual([]);
  });

  it('of a whole release match each request once', () => {
    const both = [header('a', { exact: '1' }), header('b', { exact: '2' }, { exact: '1' })];
    const { matches } = releaseOf({ route: 'alb', steps: both as unknown as JsonObject[] });
    expect(matches.map(({ headers }) => headers!.map(({ value }) => value))).toEqual([['1'], ['2']]);
  });
});

describe('the headers of a release through Istio', () => {
  it('are alternatives, compared as the step says', () => {
    const match = [
      { headerName: 'a', headerValue: { exact: '1' } },
      { headerName: 'b', headerValue: { prefix: 'x.y(' } },
      { headerName: 'c', headerValue: { regex: 'z.*' } },
    ];
    const { matches, steps } = releaseOf({ route: 'istio', steps: [{ setHeaderRoute: { name: 'beta', match } }] });
    const each = [
      { headers: [{ name: 'a', type: 'Exact', value: '1' }] },
      { headers: [{ name: 'b', type: 'RegularExpression', value: 'x\\.y\\(.*' }] },
      { headers: [{ name: 'c', type: 'RegularExpression', value: 'z.*' }] },
    ];
    expect(matches).toStrictEqual(each);
    expect(steps[0]!.matches).toStrictEqual(each);
  });

  it('are all needed on an ALB, in up to 16 combinations of their values', () => {
    const values = (headerName: string) =>
      [1, 2, 3].map((exact) => ({ headerName, headerValue: { exact: `${exact}` } }));
    const match = [...values('a'), ...values('b'), ...values('c')];
    const { matches, steps } = releaseOf({ route: 'alb', steps: [{ setHeaderRoute: { name: 'beta', match } }] });
    expect(matches).toHaveLength(16);
    expect(matches[1]!.headers!.map(({ name, value }) => `${name}=${value}`)).toEqual(['a=1', 'b=1', 'c=2']);
    expect(steps[0]!.matches).toStrictEqual([
      {
        headers: ['a', 'b', 'c'].map((name) => ({ name, type: 'Exact', value: '1', otherValues: ['2', '3'] })),
      },
    ]);
  });
});
