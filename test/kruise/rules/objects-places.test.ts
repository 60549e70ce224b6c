/** What is said of patched labels, TrafficRoutings and objects that scripts rewrite, in full, and the near misses. */
import { describe, expect, it } from 'vitest';
import { KruiseRolloutVersion as V } from '../../../src/kruise/version';
import { full } from './full';
import { deployment, httpRoute, ingress, object, rollout, service } from './stack';

type Row = readonly [what: string, args: Parameters<typeof full>, findings: readonly string[]];

const STACK = [deployment(), service(), ingress()];
const PARTITION = { enableExtraWorkloadForCanary: false };
const PLAIN = { route: null, steps: [{ replicas: '100%' }] };
const SELECTING = deployment({ selector: { matchLabels: { app: 'web', tier: 'front' } } });
const MARK = { requestHeaderModifier: { set: [{ name: 'x', value: 'y' }] } };
const REF = (kind: string, apiVersion: string, name = 'web') => ({ apiVersion, kind, name });
const MESHED = rollout({
  route: { service: 'web', customNetworkRefs: [REF('VirtualService', 'networking.istio.io/v1')] },
});
const TR = (ref: object, strategy: object = { weight: 20 }, more: readonly object[] = []) =>
  object('rollouts.kruise.io/v1alpha1', 'TrafficRouting', {
    objectRef: [{ service: 'web', ...ref }, ...more],
    strategy,
  });

describe('patchPodTemplateMetadata', () => {
  it.each<Row>([
    [
      'a patch in canary style',
      [[rollout({ strategy: { patchPodTemplateMetadata: { labels: { track: 'a' } } } }), ...STACK]],
      [],
    ],
    [
      'a patch in partition style',
      [
        [
          rollout({
            strategy: { ...PARTITION, patchPodTemplateMetadata: {} },
            steps: [{ traffic: '20%', replicas: 1 }, { replicas: '100%' }],
          }),
          ...STACK,
        ],
      ],
      [
        'error kruise-pod-metadata-ignored spec.strategy.canary.patchPodTemplateMetadata: the controller ignores patchPodTemplateMetadata: this Rollout has no extra canary workload',
      ],
    ],
    [
      'a patch that is null',
      [
        [
          rollout({
            strategy: { ...PARTITION, patchPodTemplateMetadata: null },
            steps: [{ traffic: '20%', replicas: 1 }, { replicas: '100%' }],
          }),
          ...STACK,
        ],
      ],
      [],
    ],
    [
      'a patch in blue-green style',
      [[rollout({ blueGreen: true, strategy: { patchPodTemplateMetadata: {} } }), ...STACK]],
      [],
    ],
    [
      'a patch in blue-green style of labels that the workload selects',
      [
        [
          rollout({ blueGreen: true, strategy: { patchPodTemplateMetadata: { labels: { app: 'b' } } } }),
          SELECTING,
          service(),
          ingress(),
        ],
      ],
      [],
    ],
    [
      'a patch of labels that the workload selects',
      [
        [
          rollout({ strategy: { patchPodTemplateMetadata: { labels: { app: 'b', tier: 'c', track: 'd' } } } }),
          SELECTING,
          service(),
          ingress(),
        ],
      ],
      [
        'error kruise-pod-metadata-selected spec.strategy.canary.patchPodTemplateMetadata.labels.app: the canary pods get app=b, but the Deployment "web" selects app=web | patch a label that the workload does not select | because the canary workload copies the selector, so the API server refuses it: its pods would not match | the Deployment "web" selects the label (Deployment web)',
        'error kruise-pod-metadata-selected spec.strategy.canary.patchPodTemplateMetadata.labels.tier: the canary pods get tier=c, but the Deployment "web" selects tier=front | patch a label that the workload does not select | because the canary workload copies the selector, so the API server refuses it: its pods would not match | the Deployment "web" selects the label (Deployment web)',
      ],
    ],
    [
      'a patch of labels that the workload selects, with the same values',
      [
        [
          rollout({ strategy: { patchPodTemplateMetadata: { labels: { app: 'web', tier: 'front' } } } }),
          SELECTING,
          service(),
          ingress(),
        ],
      ],
      [],
    ],
    [
      'a patch of labels that the Service selects, before 0.6',
      [
        [rollout({ strategy: { patchPodTemplateMetadata: { labels: { app: 'b', track: 'd' } } } }), ...STACK],
        { version: V.V0_5_5 },
      ],
      [
        'error kruise-pod-metadata-selected spec.strategy.canary.patchPodTemplateMetadata.labels.app: the canary pods get app=b, but the Service "web" selects app=web | the Service "web" selects the label (Service web)',
      ],
    ],
    [
      'a patch of labels that the Service selects, with the same values, before 0.6',
      [
        [rollout({ strategy: { patchPodTemplateMetadata: { labels: { app: 'web' } } } }), ...STACK],
        { version: V.V0_5_5 },
      ],
      [],
    ],
    [
      'a patch of labels that the Service selects, since 0.6',
      [[rollout({ strategy: { patchPodTemplateMetadata: { labels: { app: 'b' } } } }), ...STACK]],
      [],
    ],
    [
      'a patch of labels without routes, before 0.6',
      [
        [rollout({ ...PLAIN, strategy: { patchPodTemplateMetadata: { labels: { app: 'b' } } } }), ...STACK],
        { version: V.V0_5_5 },
      ],
      [],
    ],
    [
      'a patch of annotations alone, before 0.6',
      [
        [rollout({ strategy: { patchPodTemplateMetadata: { annotations: { app: 'b' } } } }), ...STACK],
        { version: V.V0_5_5 },
      ],
      [],
    ],
  ])('%s', (_, args, expected) => {
    expect(full(...args)).toEqual(expected);
  });
});

describe('a TrafficRouting', () => {
  it.each<Row>([
    [
      'a TrafficRouting with an Ingress',
      [[TR({ ingress: { name: 'web', classType: 'nginx' } }), ...STACK]],
      [
        'warning kruise-traffic-routing-splits-nothing spec.objectRef[0].ingress: the Ingress would split traffic between the Service "web" and itself',
      ],
    ],
    [
      'a TrafficRouting with an Ingress and changed headers',
      [[TR({ ingress: { name: 'web', classType: 'nginx' } }, MARK), ...STACK]],
      [],
    ],
    [
      'a TrafficRouting with an HTTPRoute',
      [[TR({ gateway: { httpRouteName: 'web' } }), deployment(), service(), httpRoute({ name: 'web' })]],
      [
        'warning kruise-traffic-routing-splits-nothing spec.objectRef[0].gateway: the HTTPRoute would split traffic between the Service "web" and itself',
      ],
    ],
    [
      'a TrafficRouting with an HTTPRoute and changed headers',
      [[TR({ gateway: { httpRouteName: 'web' } }, MARK), deployment(), service(), httpRoute({ name: 'web' })]],
      [
        'warning kruise-traffic-routing-splits-nothing spec.objectRef[0].gateway: the HTTPRoute would split traffic between the Service "web" and itself',
      ],
    ],
    [
      'a TrafficRouting with an HTTPRoute without a name',
      [[TR({ gateway: {} }), deployment(), service()]],
      ['error kruise-traffic-routing-panics spec.objectRef[0].gateway: gateway has no httpRouteName'],
    ],
    [
      'a TrafficRouting with both',
      [
        [
          TR({ ingress: { name: 'web', classType: 'nginx' }, gateway: { httpRouteName: 'web' } }, MARK),
          ...STACK,
          httpRoute({ name: 'web' }),
        ],
      ],
      [
        'warning kruise-traffic-routing-splits-nothing spec.objectRef[0].ingress: the HTTPRoute would split traffic between the Service "web" and itself',
      ],
    ],
    [
      'a TrafficRouting with custom objects',
      [
        [
          TR({ customNetworkRefs: [REF('VirtualService', 'networking.istio.io/v1')] }),
          deployment(),
          service(),
          object('networking.istio.io/v1', 'VirtualService', { hosts: ['a'] }),
        ],
      ],
      [],
    ],
    [
      'a TrafficRouting of two Services',
      [[TR({ ingress: { name: 'web', classType: 'nginx' } }, MARK, [{}]), ...STACK]],
      [
        'error kruise-traffic-routing-extra-ref spec.objectRef[1]: objectRef has 2 entries, but the controller uses only the first',
      ],
    ],
    [
      'a TrafficRouting of three Services',
      [[TR({ ingress: { name: 'web', classType: 'nginx' } }, MARK, [{}, {}]), ...STACK]],
      [
        'error kruise-traffic-routing-extra-ref spec.objectRef[1]: objectRef has 3 entries, but the controller uses only the first',
      ],
    ],
    [
      'a Rollout without the name of its HTTPRoute, which the webhook refuses',
      [[rollout({ route: { service: 'web', gateway: {} } }), deployment(), service()]],
      [],
    ],
  ])('%s', (_, args, expected) => {
    expect(full(...args)).toEqual(expected);
  });
});

describe('objects that scripts rewrite', () => {
  it.each<Row>([
    [
      'an original spec in a manifest',
      [
        [
          rollout(),
          ...STACK,
          object(
            'v1',
            'ConfigMap',
            {},
            { name: 'c', annotations: { 'rollouts.kruise.io/original-spec-configuration': '' } },
          ),
        ],
      ],
      [
        'error kruise-original-spec-in-git metadata.annotations["rollouts.kruise.io/original-spec-configuration"]: the ConfigMap "c" has the annotation rollouts.kruise.io/original-spec-configuration',
      ],
    ],
    [
      'an original spec in a manifest, with a TrafficRouting alone',
      [
        [
          TR({ customNetworkRefs: [REF('VirtualService', 'networking.istio.io/v1')] }),
          service(),
          object(
            'networking.istio.io/v1',
            'VirtualService',
            { hosts: ['a'] },
            { annotations: { 'rollouts.kruise.io/original-spec-configuration': '{}' } },
          ),
        ],
      ],
      [
        'error kruise-original-spec-in-git metadata.annotations["rollouts.kruise.io/original-spec-configuration"]: the VirtualService "web" has the annotation rollouts.kruise.io/original-spec-configuration',
      ],
    ],
    [
      'an original spec in a manifest, without Kruise',
      [[object('v1', 'ConfigMap', {}, { annotations: { 'rollouts.kruise.io/original-spec-configuration': '' } })]],
      [],
    ],
    [
      'empty values',
      [
        [
          MESHED,
          deployment(),
          service(),
          object('networking.istio.io/v1', 'VirtualService', {
            hosts: [],
            http: [{ a: {} }, { b: [[], 1] }],
            tls: null,
            c: '',
            d: 0,
          }),
        ],
      ],
      [
        'warning kruise-custom-spec-empty-value spec.hosts: spec.hosts is [], which a script cannot return unchanged',
        'warning kruise-custom-spec-empty-value spec.http[0].a: spec.http[0].a is {}, which a script cannot return unchanged',
        'warning kruise-custom-spec-empty-value spec.http[1].b[0]: spec.http[1].b[0] is [], which a script cannot return unchanged',
      ],
    ],
    [
      'an empty spec',
      [[MESHED, deployment(), service(), object('networking.istio.io/v1', 'VirtualService', {})]],
      ['warning kruise-custom-spec-empty-value spec: spec is {}, which a script cannot return unchanged'],
    ],
    [
      'empty values of an object that no Rollout names',
      [
        [
          MESHED,
          deployment(),
          service(),
          object('networking.istio.io/v1', 'VirtualService', { hosts: ['a'] }),
          object('networking.istio.io/v1', 'VirtualService', { hosts: [] }, { name: 'b' }),
        ],
      ],
      [],
    ],
  ])('%s', (_, args, expected) => {
    expect(full(...args)).toEqual(expected);
  });
});
