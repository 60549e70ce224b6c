import { describe, expect, it } from 'vitest';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { deployment, findings, found, ingress, object, rollout, rolloutV1alpha1, rules, service } from './stack';

const ROUTE = 'spec.strategy.canary.trafficRoutings[0]';
const STACK = [deployment(), service(), ingress()];

describe('Ingresses', () => {
  it('reports the backends of the Ingress', () => {
    expect(found([rollout(), deployment(), service(), ingress('api')])).toEqual([
      `error kruise-ingress-without-path ${ROUTE}.ingress.name: the Ingress "web" has no path to the Service "web"; its paths lead to "api"`,
    ]);
    const onlyDefault = ingress('web', { rules: [], defaultBackend: { service: { name: 'web' } } });
    expect(found([rollout(), deployment(), service(), onlyDefault])[0]).toContain('it has only a default backend');
    expect(found([rollout(), deployment(), service(), ingress('web', { rules: [] })])[0]).toContain('it has no path');
  });

  it('finds a backend that is not a Service', () => {
    const resource = { path: '/', backend: { resource: { apiGroup: 'k8s.example.com', kind: 'Bucket', name: 'b' } } };
    const crashing = ingress('web', { rules: [{ http: { paths: [resource] } }] });
    expect(found([rollout(), deployment(), service(), crashing])).toEqual([
      'error kruise-ingress-panics spec.rules[0].http.paths[0].backend: the backend of a path is not a Service, and the Rollout "web" clones this Ingress',
    ]);
  });

  it('finds the same error once for each Rollout', () => {
    const crashing = ingress('web', { rules: [{ host: 'a.example.com' }] });
    const second = rollout({ name: 'api', workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'api' } });
    const objects = [rollout(), second, deployment(), deployment({}, { name: 'api' }), service(), crashing];
    expect(found(objects)).toHaveLength(2);
  });

  it('does not crash on customNetworkRefs, and finds an Ingress that is named there', () => {
    const refs = ['web', 'internal'].map((name) => ({ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name }));
    const objects = [
      rollout({ route: { service: 'web', customNetworkRefs: refs } }),
      deployment(),
      service(),
      ingress(),
      ingress('web', {}, { name: 'internal' }),
    ];
    expect(rules(objects)).toEqual(['kruise-script-missing']);
  });

  it('any Ingress may route to a mesh', () => {
    const refs = [{ apiVersion: 'networking.istio.io/v1', kind: 'VirtualService', name: 'web' }];
    const virtualService = object('networking.istio.io/v1', 'VirtualService', { hosts: ['web'] });
    const route = { service: 'web', customNetworkRefs: refs };
    expect(rules([rollout({ route }), ...STACK, virtualService])).toEqual([]);
  });
});

describe('Services', () => {
  it('finds a Service that selects no pods of the workload', () => {
    const pods = (labels: object) => deployment({ template: { metadata: { labels } } });
    const selecting = (selector: object) => service({ selector });
    expect(found([rollout(), pods({ app: 'web' }), selecting({ app: 'shop', tier: 'front' }), ingress()])).toEqual([
      'error kruise-service-selects-no-pods spec.selector: the Service selects app: shop and tier: front, but the pods of Deployment "web" have app: web and no label tier',
    ]);
    const labels = { app: 'web', tier: 'front' };
    expect(found([rollout(), pods(labels), selecting({ app: 'web' }), ingress()])).toEqual([]);
    // The controller writes the label of the revision into the stable Service, and an export has it.
    expect(found([rollout(), pods(labels), selecting({ app: 'web', 'pod-template-hash': '1' }), ingress()])).toEqual(
      [],
    );
  });

  it('allows 56 characters, and more if no canary Service is created', () => {
    const named = (length: number, route: object = { ingress: { name: 'web' } }, strategy: object = {}) =>
      rollout({ route: { service: 'a'.repeat(length), ...route }, strategy });
    expect(rules([named(56)])).toEqual([]);
    expect(rules([named(57)])).toEqual(['kruise-service-name-too-long']);
    const refs = [{ apiVersion: 'networking.istio.io/v1', kind: 'DestinationRule', name: 'web' }];
    expect(rules([named(57, { customNetworkRefs: refs }, { disableGenerateCanaryService: true })])).toEqual([]);
  });

  it('finds a selector that is empty, and a headless Service', () => {
    expect(rules([rollout(), deployment(), service({ selector: {} }), ingress()])).toEqual(['kruise-service-panics']);
    expect(rules([rollout(), deployment(), service({ clusterIP: 'None' }), ingress()])).toEqual([
      'kruise-canary-service-type',
    ]);
  });

  it('reports disableGenerateCanaryService without effect', () => {
    const strategy = { disableGenerateCanaryService: true };
    const old = rolloutV1alpha1({
      ...strategy,
      steps: [{ weight: 100, replicas: '100%' }],
      trafficRoutings: [{ service: 'web', ingress: { name: 'web' } }],
    });
    expect(found([old])[0]).toMatch(/^warning kruise-canary-service-disabled .* has no effect in v1alpha1/);
    const [line] = found([rollout({ strategy })], { version: KruiseRolloutVersion.V0_5_0 });
    expect(line).toMatch(/^warning kruise-canary-service-disabled .* has no effect in Kruise Rollouts v0.5.0/);
  });

  it('requires 30 seconds on AWS only', () => {
    const route = (classType: string, gracePeriodSeconds?: number) =>
      rollout({ route: { service: 'web', ingress: { name: 'web', classType }, gracePeriodSeconds } });
    expect(rules([route('aws-alb', 29)])).toContain('kruise-grace-period-short');
    expect(rules([route('aws-alb', 30)])).not.toContain('kruise-grace-period-short');
    expect(rules([route('aliyun-alb')])).toEqual([]);
    expect(rules([route('nginx')])).toEqual([]);
  });
});

describe('patchPodTemplateMetadata', () => {
  const patch = (labels: object) => ({ patchPodTemplateMetadata: { labels } });

  it('has no effect on a kind without a canary workload', () => {
    const workloadRef = { apiVersion: 'apps.kruise.io/v1alpha1', kind: 'CloneSet', name: 'web' };
    const steps = [{ traffic: '20%', replicas: '20%' }, { replicas: '100%' }];
    expect(rules([rollout({ workloadRef, steps, strategy: patch({ a: 'b' }) })])).toEqual([
      'kruise-pod-metadata-ignored',
    ]);
  });

  it('may repeat the value that the Service selects', () => {
    expect(rules([rollout({ strategy: patch({ app: 'web' }) }), ...STACK])).toEqual([]);
    const selecting = deployment({ selector: { matchLabels: { app: 'web' } } });
    expect(found([rollout({ strategy: patch({ app: 'new' }) }), selecting, service(), ingress()])).toEqual([
      'error kruise-pod-metadata-selected spec.strategy.canary.patchPodTemplateMetadata.labels.app: the canary pods get app=new, but the Deployment "web" selects app=web',
    ]);
  });

  it('may change a label that only the Service selects, from 0.6 on', () => {
    const tiered = service({ selector: { app: 'web', tier: 'old' } });
    const objects = [rollout({ strategy: patch({ tier: 'new' }) }), deployment(), tiered, ingress()];
    expect(rules(objects)).toEqual([]);
    expect(found(objects, { version: KruiseRolloutVersion.V0_5_5 })).toEqual([
      'error kruise-pod-metadata-selected spec.strategy.canary.patchPodTemplateMetadata.labels.tier: the canary pods get tier=new, but the Service "web" selects tier=old',
    ]);
  });
});

describe('workloads', () => {
  const steps = (replicas: number | string) => [{ traffic: '20%', replicas }, { replicas: '100%' }];
  const partition = { enableExtraWorkloadForCanary: false };

  it('counts the pods of a step against those of the workload, in partition style', () => {
    expect(rules([rollout({ steps: steps(5), strategy: partition }), ...STACK])).toEqual([
      'kruise-step-routing-skipped',
    ]);
    expect(rules([rollout({ steps: steps(4), strategy: partition }), ...STACK])).toEqual([]);
    expect(rules([rollout({ steps: steps(5) }), ...STACK])).toEqual([]);
  });

  it('assumes one pod for a workload without replicas', () => {
    const one = deployment({ replicas: undefined });
    expect(rules([rollout({ steps: steps(1), strategy: partition }), one, service(), ingress()])).toEqual([
      'kruise-step-routing-skipped',
    ]);
  });

  it('finds two Rollouts that reference the workload by two API versions; the webhook finds the others', () => {
    const other = (apiVersion: string) =>
      rollout({
        name: 'zeta',
        workloadRef: { apiVersion, kind: 'Deployment', name: 'web' },
        steps: [{ replicas: '100%' }],
        route: null,
      });
    expect(rules([rollout(), other('apps/v1beta2'), ...STACK])).toEqual(['kruise-rollout-duplicate']);
    expect(rules([rollout(), other('apps/v1'), ...STACK])).toEqual([]);
    expect(rules([rollout(), other('extensions/v1beta1')])).toEqual([]);
  });

  it.each([
    ['true', { kind: 'CloneSet', apiVersion: 'apps.kruise.io/v1alpha1' }, null, []],
    ['true', { kind: 'StatefulSet', apiVersion: 'apps/v1' }, null, []],
    ['true', { kind: 'Deployment', apiVersion: 'apps/v1' }, null, ['the workload is a Deployment']],
    ['True', { kind: 'CloneSet', apiVersion: 'apps.kruise.io/v1alpha1' }, null, ['only "true" has an effect']],
    [
      'true',
      { kind: 'CloneSet', apiVersion: 'apps.kruise.io/v1alpha1' },
      { service: 'web', ingress: { name: 'web' } },
      ['the Rollout routes traffic'],
    ],
  ])('rollback-in-batch %s on %j with the route %j', (value, workload, route, reasons) => {
    const annotations = { 'rollouts.kruise.io/rollback-in-batch': value };
    const lines = found([
      rollout({
        annotations,
        route,
        steps: [{ replicas: '100%' }],
        workloadRef: { ...workload, name: 'web' },
        strategy: partition,
      }),
    ]);
    expect(lines).toHaveLength(reasons.length);
    for (const reason of reasons) expect(lines[0]).toContain(reason);
  });
});

describe('annotations', () => {
  it('distinguishes an annotation of the changelog from a misspelt one', () => {
    const annotated = (name: string) =>
      findings([rollout({ annotations: { [`rollouts.kruise.io/${name}`]: 'x' } })])[0];
    expect(annotated('partition-replicas-limit')).toMatchObject({
      severity: 'warning',
      fix: 'remove it, and set --partition-percent-limit on the controller',
    });
    expect(annotated('rollback-in-batches')).toMatchObject({
      severity: 'error',
      fix: 'did you mean rollouts.kruise.io/rollback-in-batch?',
    });
    expect(annotated('in-progressing')?.rule).not.toBe('kruise-annotation-unknown');
  });

  it('accepts rolling-style if it matches the effective style', () => {
    const style = (value: string) => rollout({ annotations: { 'rollouts.kruise.io/rolling-style': value } });
    expect(rules([style('Canary')])).toEqual([]);
    expect(rules([style('partition')])).toEqual(['kruise-rolling-style-ignored']);
  });

  it('finds a style of v1alpha1 that release 0.5.0 reads by its case', () => {
    const style = (value: string) =>
      rolloutV1alpha1({ steps: [{ weight: 100 }] }, { 'rollouts.kruise.io/rolling-style': value });
    const old = { version: KruiseRolloutVersion.V0_5_0 };
    expect(found([style('partition')], old)).toEqual([
      expect.stringMatching(
        /^warning kruise-rolling-style-ignored .*"partition", and Kruise Rollouts v0.5.0 takes that for canary style/,
      ),
    ]);
    expect(rules([style('Partition')], old)).toEqual([]);
    expect(rules([style('partition')])).toEqual([]);
  });

  it('compares trafficRoutingRef with the annotation', () => {
    const options = {
      route: null,
      steps: [{ replicas: '100%' }],
      strategy: { trafficRoutingRef: 'a' },
    };
    const annotated = (name: string) =>
      rollout({ ...options, annotations: { 'rollouts.kruise.io/trafficrouting': name } });
    expect(rules([annotated('a')])).toEqual([]);
    expect(found([annotated('b')])[0]).toContain('names "b", which the controllers use');
  });
});

describe('custom objects', () => {
  const refs = [{ apiVersion: 'networking.istio.io/v1', kind: 'VirtualService', name: 'web' }];
  const route = { service: 'web', customNetworkRefs: refs };
  const virtualService = (spec: object, metadata: object = {}) =>
    object('networking.istio.io/v1', 'VirtualService', spec, metadata);

  it('finds every empty value, at any depth', () => {
    const spec = { hosts: [], http: [{ corsPolicy: { allowOrigins: [] } }, {}] };
    const lines = found([rollout({ route }), deployment(), service(), virtualService(spec)]);
    expect(lines.map((line) => line.split(' ')[2])).toEqual([
      'spec.hosts:',
      'spec.http[0].corsPolicy.allowOrigins:',
      'spec.http[1]:',
    ]);
  });

  it('finds the annotation that an earlier rollout left behind, in any object of the World', () => {
    const annotations = { 'rollouts.kruise.io/original-spec-configuration': '{}' };
    const left = virtualService({ hosts: ['a'] }, { name: 'other', annotations });
    expect(rules([rollout(), ...STACK, left])).toEqual(['kruise-original-spec-in-git']);
    expect(rules([left])).toEqual([]);
  });
});

describe('TrafficRoutings', () => {
  const trafficRouting = (ref: object, strategy: object = { weight: 20 }) =>
    object('rollouts.kruise.io/v1alpha1', 'TrafficRouting', { objectRef: [{ service: 'web', ...ref }], strategy });
  const mark = { requestHeaderModifier: { set: [{ name: 'x', value: 'y' }] } };

  it('are checked like the routes of a Rollout', () => {
    const lone = trafficRouting({ ingress: { name: 'wbe', classType: 'mse' } }, mark);
    expect(rules([lone, service(), ingress()])).toEqual(['kruise-reference-missing']);
    expect(rules([trafficRouting({ ingress: { name: 'web', classType: 'none' } }, mark)])).toEqual([
      'kruise-script-missing',
    ]);
  });

  it('do not split traffic with an HTTPRoute, with or without header modifier', () => {
    expect(rules([trafficRouting({ gateway: { httpRouteName: 'web' } }, mark)])).toEqual([
      'kruise-traffic-routing-splits-nothing',
    ]);
  });

  it('need no selector, as they create no canary Service', () => {
    const route = trafficRouting({ ingress: { name: 'web', classType: 'mse' } }, mark);
    const mse = ingress('web', { ingressClassName: 'mse' });
    expect(rules([route, service({ selector: {} }), mse])).toEqual([]);
  });
});
