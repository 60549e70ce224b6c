import { describe, expect, it } from 'vitest';
import { Manifest, World } from '../../src/core';
import { argoCdIgnoreDifferences, fluxIgnoreRules } from '../../src/core/gitops';
import { rewrittenByInstall, rewrittenByRollout, rewrittenIn } from '../../src/kruise/gitops';
import { KruiseRolloutVersion } from '../../src/kruise/version';
import { httpRoute, ingress, object, type RolloutOptions, rollout, service } from './rules/stack';

/** What a Rollout rewrites: pointers by kind and name. */
function rewritten(options: RolloutOptions, ...others: readonly object[]): Record<string, readonly string[]> {
  const manifest = Manifest.of(rollout(options));
  const world = World.of([manifest, ...others.map((each) => Manifest.of(each))]);
  const fields = rewrittenByRollout(manifest, world, KruiseRolloutVersion.LATEST);
  for (const field of fields) expect(field.object.namespace).toBe('shop');
  return Object.fromEntries(fields.map(({ object: { kind, name }, pointers }) => [`${kind}/${name}`, pointers]));
}

const workload = (apiVersion: string, kind: string) => ({ workloadRef: { apiVersion, kind, name: 'web' } });
const UNROUTED = { route: null, steps: [{ replicas: '100%' }] };

describe('the workload', () => {
  it.each([
    ['canary', {}, ['/spec/paused']],
    ['partition', { strategy: { enableExtraWorkloadForCanary: false } }, ['/spec/paused', '/spec/strategy']],
    [
      'blueGreen',
      { blueGreen: true },
      ['/spec/minReadySeconds', '/spec/paused', '/spec/progressDeadlineSeconds', '/spec/strategy'],
    ],
  ])('a Deployment in style %s', (_, options, pointers) => {
    expect(rewritten({ ...UNROUTED, ...options })).toEqual({ 'Deployment/web': pointers });
  });

  it('other kinds are paused by their partition', () => {
    expect(rewritten({ ...UNROUTED, ...workload('apps.kruise.io/v1alpha1', 'CloneSet') })).toEqual({
      'CloneSet/web': ['/spec/updateStrategy/partition', '/spec/updateStrategy/paused'],
    });
    expect(rewritten({ ...UNROUTED, ...workload('apps/v1', 'StatefulSet') })).toEqual({
      'StatefulSet/web': ['/spec/updateStrategy/rollingUpdate/partition'],
    });
    expect(rewritten({ ...UNROUTED, ...workload('apps.kruise.io/v1beta1', 'StatefulSet') })).toEqual({
      'StatefulSet/web': ['/spec/updateStrategy/rollingUpdate/partition', '/spec/updateStrategy/rollingUpdate/paused'],
    });
  });

  it('blue-green disables its autoscaler', () => {
    const autoscaler = (name: string, target: string) =>
      object(
        'autoscaling/v2',
        'HorizontalPodAutoscaler',
        { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: target } },
        { name },
      );
    const objects = [autoscaler('web', 'web'), autoscaler('api', 'api')];
    expect(rewritten({ ...UNROUTED, blueGreen: true }, ...objects)['HorizontalPodAutoscaler/web']).toEqual([
      '/spec/scaleTargetRef/name',
    ]);
    expect(Object.keys(rewritten(UNROUTED, ...objects))).toEqual(['Deployment/web']);
    expect(Object.keys(rewritten({ ...UNROUTED, blueGreen: true }, ...objects))).not.toContain(
      'HorizontalPodAutoscaler/api',
    );
  });
});

describe('the routes', () => {
  it('an Ingress that is cloned is unchanged, and the Service gets a revision', () => {
    expect(rewritten({}, service(), ingress())).toEqual({
      'Deployment/web': ['/spec/paused'],
      'Service/web': ['/spec/selector/pod-template-hash'],
    });
    expect(rewritten(workload('apps/v1', 'StatefulSet'))['Service/web']).toEqual([
      '/spec/selector/controller-revision-hash',
      '/spec/selector/pod-template-hash',
    ]);
  });

  it('the Service is unchanged without a canary Service', () => {
    const customNetworkRefs = [{ apiVersion: 'networking.istio.io/v1', kind: 'DestinationRule', name: 'web' }];
    expect(
      rewritten({ route: { service: 'web', customNetworkRefs }, strategy: { disableGenerateCanaryService: true } }),
    ).toEqual({ 'Deployment/web': ['/spec/paused'], 'DestinationRule/web': ['/spec/subsets'] });
  });

  it('nothing is routed if no step routes', () => {
    expect(rewritten({ steps: [{ replicas: '100%' }] })).toEqual({ 'Deployment/web': ['/spec/paused'] });
  });

  it('an HTTPRoute loses its rules', () => {
    expect(
      rewritten({ route: { service: 'web', gateway: { httpRouteName: 'web' } } }, httpRoute({ name: 'web' }))[
        'HTTPRoute/web'
      ],
    ).toEqual(['/spec/rules']);
  });

  const custom = (apiVersion: string, kind: string, ...others: readonly object[]) =>
    rewritten({ route: { service: 'web', customNetworkRefs: [{ apiVersion, kind, name: 'web' }] } }, ...others)[
      `${kind}/web`
    ];

  it('a VirtualService: the existing lists', () => {
    const withTcp = object('networking.istio.io/v1', 'VirtualService', { hosts: ['a'], http: [1], tcp: [1] });
    expect(custom('networking.istio.io/v1', 'VirtualService', withTcp)).toEqual(['/spec/http', '/spec/tcp']);
    expect(custom('networking.istio.io/v1', 'VirtualService')).toEqual(['/spec/http']);
  });

  it('an Ingress that is edited in place: its rules, and the action of the Service', () => {
    const annotations = { 'alb.ingress.kubernetes.io/actions.web': '{}' };
    const alb = ingress('web', {}, { annotations });
    expect(custom('networking.k8s.io/v1', 'Ingress', alb)).toEqual([
      '/metadata/annotations/alb.ingress.kubernetes.io~1actions.web',
      '/spec/rules',
    ]);
    expect(custom('networking.k8s.io/v1', 'Ingress', ingress())).toEqual(['/metadata/annotations', '/spec/rules']);
  });

  it('a kind with an unknown script: everything that a script may change', () => {
    expect(custom('example.com/v1', 'Route')).toEqual(['/metadata/annotations', '/metadata/labels', '/spec']);
  });
});

describe('the install', () => {
  const crd = (name: string, group: string, strategy: string) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${name}.${group}` },
    spec: { group, conversion: { strategy } },
  });
  const world = World.of(
    [
      crd('rollouts', 'rollouts.kruise.io', 'Webhook'),
      crd('trafficroutings', 'rollouts.kruise.io', 'None'),
      crd('others', 'example.com', 'Webhook'),
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'MutatingWebhookConfiguration',
        metadata: { name: 'kruise-rollout-mutating-webhook-configuration' },
        webhooks: [{ name: 'a' }, { name: 'b' }],
      },
    ].map((each) => Manifest.of(each)),
  );

  it('rewrites conversion webhooks and certificates, only in its own objects', () => {
    expect(rewrittenByInstall(world)).toEqual([
      {
        object: {
          apiVersion: 'apiextensions.k8s.io/v1',
          kind: 'CustomResourceDefinition',
          name: 'rollouts.rollouts.kruise.io',
        },
        pointers: [
          '/spec/conversion/webhook/clientConfig/caBundle',
          '/spec/conversion/webhook/clientConfig/service/port',
          '/spec/conversion/webhook/conversionReviewVersions',
        ],
      },
      {
        object: {
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'MutatingWebhookConfiguration',
          name: 'kruise-rollout-mutating-webhook-configuration',
        },
        pointers: [
          '/metadata/annotations/template',
          '/webhooks/0/clientConfig/caBundle',
          '/webhooks/1/clientConfig/caBundle',
        ],
      },
    ]);
  });

  it('is written for both tools', () => {
    const [crdFields] = rewrittenByInstall(world);
    expect(argoCdIgnoreDifferences([crdFields!])).toEqual([
      {
        group: 'apiextensions.k8s.io',
        kind: 'CustomResourceDefinition',
        name: 'rollouts.rollouts.kruise.io',
        jsonPointers: crdFields!.pointers,
      },
    ]);
    expect(fluxIgnoreRules([crdFields!])).toEqual([
      {
        paths: crdFields!.pointers,
        target: {
          group: 'apiextensions\\.k8s\\.io',
          kind: 'CustomResourceDefinition',
          name: 'rollouts\\.rollouts\\.kruise\\.io',
        },
      },
    ]);
  });
});

describe('a whole World', () => {
  it('has each object once, with the fields of all Rollouts', () => {
    const second = rollout({ name: 'second', strategy: { enableExtraWorkloadForCanary: false }, ...UNROUTED });
    const world = World.of([rollout({ route: null, steps: [] }), second].map((each) => Manifest.of(each)));
    expect(rewrittenIn(world, KruiseRolloutVersion.LATEST)).toMatchObject([
      { object: { kind: 'Deployment', name: 'web' }, pointers: ['/spec/paused', '/spec/strategy'] },
    ]);
  });
});
