/** The cloud of an Ingress, by all that may state it, and what decides where two of them differ. */
import { describe, expect, it } from 'vitest';
import { Manifest, World } from '../../../src/core';
import { albCheck } from '../../../src/kruise/alb/context';
import { providerOf, providerOfClassType, statedProvider } from '../../../src/kruise/alb/provider';
import type { RouteSubject } from '../../../src/kruise/subject';

type Provider = ReturnType<typeof providerOf>;

const ALB = 'alb.ingress.kubernetes.io';
const OWN = 'rollout-constructs.io';
const ingress = (name: string, className?: string, annotations: Readonly<Record<string, string>> = {}) =>
  Manifest.of({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name, namespace: 'shop', annotations },
    spec: className === undefined ? {} : { ingressClassName: className },
  });
const classOf = (name: string, controller?: string) =>
  Manifest.of({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    metadata: { name },
    spec: controller === undefined ? {} : { controller },
  });
const route = (name: string, classType: string, namespace = 'shop') =>
  ({ namespace, ingress: { name, classType } }) as unknown as RouteSubject;
const of = (first: Manifest, routes: readonly RouteSubject[] = [], ...others: Manifest[]): Provider =>
  providerOf(World.of([first, ...others]), first, routes);

describe('an annotation states the cloud', () => {
  it.each<[key: string, provider: Provider]>([
    [`${ALB}/order`, 'aliyun'],
    [`${ALB}/canary`, 'aliyun'],
    [`${ALB}/canary-by-header`, 'aliyun'],
    [`${ALB}/canary-by-header-value`, 'aliyun'],
    [`${ALB}/canary-by-cookie`, 'aliyun'],
    [`${ALB}/canary-weight`, 'aliyun'],
    [`${OWN}/canary-order`, 'aliyun'],
    [`${ALB}/group.name`, 'aws'],
    [`${ALB}/group.order`, 'aws'],
    [`${ALB}/target-type`, 'aws'],
    [`${ALB}/scheme`, 'aws'],
    [`${ALB}/certificate-arn`, 'aws'],
    [`${ALB}/subnets`, 'aws'],
    [`${OWN}/canary-group-order`, 'aws'],
    [`${OWN}/alb-ingress-class`, 'aws'],
    [`${ALB}/listen-ports`, undefined],
    [`${ALB}/canary-by-cookie-value`, undefined],
    ['nginx.ingress.kubernetes.io/canary', undefined],
    ['order', undefined],
  ])('%s: %s', (key, provider) => {
    const one = ingress('web', undefined, { [key]: '' });
    expect(statedProvider(World.of([one]), one)).toBe(provider);
    expect(of(one)).toBe(provider);
  });

  it('of Alibaba Cloud before one of AWS', () => {
    expect(of(ingress('web', 'alb', { [`${ALB}/scheme`]: 'internal', [`${ALB}/order`]: '1' }))).toBe('aliyun');
  });
});

describe('a class states the cloud', () => {
  it.each<[controller: string | undefined, provider: Provider]>([
    ['ingress.k8s.aws/alb', 'aws'],
    ['ingress.k8s.alibabacloud/alb', 'aliyun'],
    ['ingress.k8s.aws/nlb', undefined],
    ['k8s.io/ingress-nginx', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('with the controller %s: %s, whatever else does', (controller, provider) => {
    const annotations = { [`${ALB}/canary`]: 'true', [`${ALB}/scheme`]: 'internal' };
    expect(of(ingress('web', 'alb', annotations), [route('web', 'aws-alb')], classOf('alb', controller))).toBe(
      provider,
    );
  });

  it('which an annotation may name', () => {
    const one = ingress('web', undefined, { 'kubernetes.io/ingress.class': 'front' });
    expect(of(one, [], classOf('front', 'ingress.k8s.aws/alb'))).toBe('aws');
    expect(of(one, [], classOf('back', 'ingress.k8s.aws/alb'))).toBeUndefined();
  });

  it('with the name alb, which is of AWS where nothing else is known', () => {
    expect(of(ingress('web', 'alb'))).toBe('aws');
    expect(of(ingress('web', 'ALB'))).toBeUndefined();
    expect(of(ingress('web', 'nginx'))).toBeUndefined();
    expect(of(ingress('web'))).toBeUndefined();
  });
});

describe('a route states the cloud', () => {
  it.each<[classType: string, provider: Provider]>([
    ['aws-alb', 'aws'],
    ['aliyun-alb', 'aliyun'],
    ['nginx', undefined],
    ['', undefined],
    ['constructor', undefined],
  ])('by the class type %j: %s', (classType, provider) => {
    expect(providerOfClassType(classType)).toBe(provider);
    expect(of(ingress('web', 'front'), [route('web', classType)])).toBe(provider);
  });

  it('of its Ingress only', () => {
    const one = ingress('web', 'front');
    expect(of(one, [route('api', 'aliyun-alb')])).toBeUndefined();
    expect(of(one, [route('web', 'aliyun-alb', 'other')])).toBeUndefined();
    expect(of(one, [{ namespace: 'shop' } as unknown as RouteSubject])).toBeUndefined();
  });

  it('by the first with a class type of a cloud', () => {
    const one = ingress('web', 'front');
    expect(of(one, [route('web', 'nginx'), route('web', 'aliyun-alb'), route('web', 'aws-alb')])).toBe('aliyun');
    expect(of(one, [route('web', 'aws-alb'), route('web', 'aliyun-alb')])).toBe('aws');
  });

  it('after its annotations, and before the name of its class', () => {
    expect(of(ingress('web', 'alb', { [`${ALB}/scheme`]: '' }), [route('web', 'aliyun-alb')])).toBe('aws');
    expect(of(ingress('web', 'alb'), [route('web', 'aliyun-alb')])).toBe('aliyun');
  });

  it('of an Ingress with a class only', () => {
    expect(of(ingress('web'), [route('web', 'aliyun-alb')])).toBeUndefined();
  });
});

describe('another Ingress of the class states the cloud', () => {
  const aliyun = ingress('api', 'front', { [`${ALB}/order`]: '1' });
  const aws = ingress('beta', 'front', { [`${ALB}/scheme`]: 'internal' });

  it('by its annotations, or by its route', () => {
    expect(of(ingress('web', 'front'), [], aliyun)).toBe('aliyun');
    expect(of(ingress('web', 'front'), [route('api', 'aliyun-alb')], ingress('api', 'front'))).toBe('aliyun');
    expect(of(ingress('web', 'front'), [], ingress('api', 'front'))).toBeUndefined();
    expect(of(ingress('web', 'back'), [], aliyun)).toBeUndefined();
  });

  it('the first by name that does', () => {
    expect(of(ingress('web', 'front'), [], aliyun, aws)).toBe('aliyun');
    expect(of(ingress('web', 'front'), [], aws, aliyun)).toBe('aliyun');
    const first = ingress('aaa', 'front', { [`${ALB}/scheme`]: 'internal' });
    expect(of(ingress('web', 'front'), [], aliyun, first)).toBe('aws');
    expect(of(ingress('web', 'front'), [], aliyun, ingress('aaa', 'front'))).toBe('aliyun');
  });

  it('before the name alb', () => {
    expect(of(ingress('web', 'alb'), [], ingress('api', 'alb', { [`${ALB}/canary`]: 'true' }))).toBe('aliyun');
  });

  it('after its own route', () => {
    expect(of(ingress('web', 'front'), [route('web', 'aws-alb')], aliyun)).toBe('aws');
  });

  it('not to one without a class', () => {
    expect(of(ingress('web'), [], ingress('api', undefined, { [`${ALB}/order`]: '1' }))).toBeUndefined();
  });
});

describe('the routes of a check', () => {
  const rollout = (name: string, routing: object) =>
    Manifest.of({
      apiVersion: 'rollouts.kruise.io/v1beta1',
      kind: 'Rollout',
      metadata: { name, namespace: 'shop' },
      spec: {
        workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
        strategy: { canary: { steps: [{ traffic: '20%' }], trafficRoutings: [{ service: name, ...routing }] } },
      },
    });
  const trafficRouting = (name: string, routing: object) =>
    Manifest.of({
      apiVersion: 'rollouts.kruise.io/v1alpha1',
      kind: 'TrafficRouting',
      metadata: { name, namespace: 'shop' },
      spec: { strategy: { weight: 20 }, objectRef: [{ service: name, ...routing }] },
    });
  const routesOf = (...manifests: Manifest[]) =>
    albCheck(World.of(manifests)).routes.map(
      ({ provider, mode, route: { manifest }, rollout: subject, ingress: found }) =>
        `${manifest.kind} ${manifest.name}: ${mode} ${found?.name ?? 'none'} on ${provider}${subject === undefined ? '' : ` with ${subject.steps.length} step`}`,
    );
  const byIngress = (name: string, classType?: string) => ({ ingress: { name, ...(classType && { classType }) } });
  const byRef = (...refs: (readonly [kind: string, apiVersion: string, name: string])[]) => ({
    customNetworkRefs: refs.map(([kind, apiVersion, name]) => ({ kind, apiVersion, name })),
  });
  const V1 = 'networking.k8s.io/v1';

  it('are those through an Ingress of a cloud', () => {
    expect(routesOf(rollout('web', byIngress('web', 'aws-alb')), ingress('web', 'alb'))).toEqual([
      'Rollout web: ingress web on aws with 1 step',
    ]);
    expect(routesOf(rollout('web', byIngress('web', 'nginx')), ingress('web', 'alb'))).toEqual([
      'Rollout web: ingress web on aws with 1 step',
    ]);
    expect(routesOf(rollout('web', byIngress('web', 'nginx')), ingress('web', 'nginx'))).toEqual([]);
    expect(routesOf(rollout('web', {}), ingress('web', 'alb'))).toEqual([]);
  });

  it('are those of a class type of a cloud without the Ingress', () => {
    expect(routesOf(rollout('web', byIngress('web', 'aliyun-alb')))).toEqual([
      'Rollout web: ingress none on aliyun with 1 step',
    ]);
    expect(routesOf(rollout('web', byIngress('web', 'aws-alb')), ingress('api', 'alb'))).toEqual([
      'Rollout web: ingress none on aws with 1 step',
    ]);
    expect(routesOf(rollout('web', byIngress('web')))).toEqual([]);
  });

  it('have one for each Ingress that is edited in place, of any version', () => {
    const refs = byRef(
      [`Ingress`, V1, 'web'],
      ['Service', 'v1', 'web'],
      ['Ingress', 'networking.k8s.io/v1beta1', 'api'],
    );
    expect(
      routesOf(rollout('web', refs), ingress('web', 'alb'), ingress('api', 'alb', { [`${ALB}/order`]: '1' })),
    ).toEqual([
      'Rollout web: customNetworkRefs web on aliyun with 1 step',
      'Rollout web: customNetworkRefs api on aliyun with 1 step',
    ]);
    expect(routesOf(rollout('web', refs), ingress('web', 'alb'))).toEqual([
      'Rollout web: customNetworkRefs web on aws with 1 step',
    ]);
    expect(routesOf(rollout('web', byRef(['Ingress', 'extensions/v1beta1', 'web'])), ingress('web', 'alb'))).toEqual(
      [],
    );
  });

  it('have those of a TrafficRouting, which has no steps', () => {
    expect(routesOf(trafficRouting('web', byIngress('web', 'aws-alb')), ingress('web', 'alb'))).toEqual([
      'TrafficRouting web: ingress web on aws',
    ]);
  });
});
