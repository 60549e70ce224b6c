/** What is said of the Services of a release, in full, and the near misses. */
import { describe, expect, it } from 'vitest';
import { KruiseRolloutVersion as V } from '../../../src/kruise/version';
import { full } from './full';
import { configMap, deployment, httpRoute, ingress, object, rollout, rolloutV1alpha1, service } from './stack';

type Row = readonly [what: string, args: Parameters<typeof full>, findings: readonly string[]];

const STACK = [deployment(), service(), ingress()];
const LABELLED = deployment({ template: { metadata: { labels: { app: 'web' } } } });
const REF = (kind: string, apiVersion: string, name = 'web') => ({ apiVersion, kind, name });
const ALPHA = (steps: readonly object[], more: object = {}) => rolloutV1alpha1({ steps, ...more });

describe('the Service of a release', () => {
  it.each<Row>([
    [
      'a Service without a selector',
      [[rollout(), deployment(), service({ selector: undefined }), ingress()]],
      [
        'error kruise-service-panics spec: the Service has no selector, and the controller copies it as the canary Service of the Rollout "web"',
      ],
    ],
    [
      'a Service of type LoadBalancer',
      [[rollout(), deployment(), service({ type: 'LoadBalancer' }), ingress()]],
      [
        'warning kruise-canary-service-type spec.type: the Service has type LoadBalancer, and so will its copy "web-canary", the canary Service of the Rollout "web"',
      ],
    ],
    ['a Service of type NodePort', [[rollout(), deployment(), service({ type: 'NodePort' }), ingress()]], []],
    [
      'a headless Service',
      [[rollout(), deployment(), service({ clusterIP: 'None' }), ingress()]],
      [
        'warning kruise-canary-service-type spec.clusterIP: the Service is headless, but its copy "web-canary", the canary Service of the Rollout "web", will have a cluster IP | use a Service with a cluster IP for the release | because the controller clears clusterIP in the copy, so clients resolve the canary Service differently from the stable one',
      ],
    ],
    ['a Service with an address', [[rollout(), deployment(), service({ clusterIP: '10.0.0.1' }), ingress()]], []],
    [
      'a Service with all of these faults',
      [[rollout(), deployment(), service({ selector: {}, type: 'LoadBalancer', clusterIP: 'None' }), ingress()]],
      [
        'error kruise-service-panics spec: the Service has no selector, and the controller copies it as the canary Service of the Rollout "web"',
        'warning kruise-canary-service-type spec.clusterIP: the Service is headless, but its copy "web-canary", the canary Service of the Rollout "web", will have a cluster IP | use a Service with a cluster IP for the release | because the controller clears clusterIP in the copy, so clients resolve the canary Service differently from the stable one',
        'warning kruise-canary-service-type spec.type: the Service has type LoadBalancer, and so will its copy "web-canary", the canary Service of the Rollout "web"',
      ],
    ],
    [
      'a Service with these faults, without a canary Service',
      [
        [
          rollout({
            route: { service: 'web', customNetworkRefs: [REF('VirtualService', 'networking.istio.io/v1')] },
            strategy: { disableGenerateCanaryService: true },
          }),
          deployment(),
          service({ selector: {}, type: 'LoadBalancer' }),
          object('networking.istio.io/v1', 'VirtualService', { hosts: ['a'] }),
        ],
      ],
      [],
    ],
    [
      'no canary Service beside an Ingress',
      [[rollout({ strategy: { disableGenerateCanaryService: true } }), ...STACK]],
      [
        'error kruise-canary-service-disabled spec.strategy.canary.disableGenerateCanaryService: disableGenerateCanaryService leaves only the Service "web", so the Ingress splits nothing',
      ],
    ],
    [
      'no canary Service beside an HTTPRoute',
      [
        [
          rollout({
            route: { service: 'web', gateway: { httpRouteName: 'web' } },
            strategy: { disableGenerateCanaryService: true },
          }),
          deployment(),
          service(),
          httpRoute({ name: 'web' }),
        ],
      ],
      [
        'error kruise-canary-service-disabled spec.strategy.canary.disableGenerateCanaryService: disableGenerateCanaryService leaves only the Service "web", so the HTTPRoute splits nothing',
      ],
    ],
    [
      'no canary Service without routes',
      [
        [
          rollout({ route: null, steps: [{ replicas: '100%' }], strategy: { disableGenerateCanaryService: true } }),
          deployment(),
        ],
      ],
      [],
    ],
    ['a canary Service that is on', [[rollout({ strategy: { disableGenerateCanaryService: false } }), ...STACK]], []],
    [
      'no canary Service before 0.6',
      [[rollout({ strategy: { disableGenerateCanaryService: true } }), ...STACK], { version: V.V0_5_5 }],
      [
        'warning kruise-canary-service-disabled spec.strategy.canary.disableGenerateCanaryService: disableGenerateCanaryService has no effect in Kruise Rollouts v0.5.5, so the controller still creates a canary Service | use v0.6.0 or newer, or remove the field | because the field exists since v0.6.0; the API server drops it with an older CRD',
      ],
    ],
    [
      'no canary Service in v1alpha1',
      [
        [
          ALPHA([{ weight: 100, replicas: '100%' }], {
            disableGenerateCanaryService: true,
            trafficRoutings: [{ service: 'web', ingress: { name: 'web' } }],
          }),
          ...STACK,
        ],
      ],
      [
        'warning kruise-canary-service-disabled spec.strategy.canary.disableGenerateCanaryService: disableGenerateCanaryService has no effect in v1alpha1, so the controller still creates a canary Service | write the Rollout as v1beta1 | because the conversion from v1alpha1 to v1beta1 drops the field',
      ],
    ],
  ])('%s', (_, args, expected) => {
    expect(full(...args)).toEqual(expected);
  });
});

describe('the name of a Service', () => {
  it.each<Row>([
    [
      'a name of 57 characters',
      [[rollout({ route: { service: 'a'.repeat(57), ingress: { name: 'web' } } })]],
      [
        'error kruise-service-name-too-long spec.strategy.canary.trafficRoutings[0].service: the Service name "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" has 57 characters; with "-canary" that is more than 63',
      ],
    ],
    ['a name of 56 characters', [[rollout({ route: { service: 'a'.repeat(56), ingress: { name: 'web' } } })]], []],
  ])('%s', (_, args, expected) => {
    expect(full(...args)).toEqual(expected);
  });
});

describe('the pods that a Service selects', () => {
  it.each<Row>([
    [
      'a Service that selects other pods',
      [[rollout(), LABELLED, service({ selector: { app: 'api' } }), ingress()]],
      [
        'error kruise-service-selects-no-pods spec.selector: the Service selects app: api, but the pods of Deployment "web" have app: web | the Deployment "web" is declared here (Deployment web)',
      ],
    ],
    [
      'a Service that selects more labels',
      [[rollout(), LABELLED, service({ selector: { app: 'web', tier: 'front', zone: 'a' } }), ingress()]],
      [
        'error kruise-service-selects-no-pods spec.selector: the Service selects tier: front and zone: a, but the pods of Deployment "web" have no label tier and no label zone | the Deployment "web" is declared here (Deployment web)',
      ],
    ],
    [
      'a Service that selects labels of controllers',
      [
        [
          rollout(),
          LABELLED,
          service({
            selector: {
              app: 'web',
              'pod-template-hash': 'a',
              'controller-revision-hash': 'b',
              'apps.kruise.io/specified-delete': 'c',
            },
          }),
          ingress(),
        ],
      ],
      [],
    ],
    [
      'a Service beside pods without labels',
      [[rollout(), deployment({ template: { metadata: {} } }), service({ selector: { app: 'api' } }), ingress()]],
      [],
    ],
    [
      'a Service of a Rollout without a workload',
      [[rollout({ workloadRef: 'web' as never }), LABELLED, service({ selector: { app: 'api' } }), ingress()]],
      [],
    ],
  ])('%s', (_, args, expected) => {
    expect(full(...args)).toEqual(expected);
  });
});

describe('the grace period', () => {
  it.each<Row>([
    [
      'a short grace period on AWS',
      [
        [
          rollout({
            route: { service: 'web', ingress: { name: 'web', classType: 'aws-alb' }, gracePeriodSeconds: 29 },
          }),
          deployment(),
          service(),
        ],
      ],
      [
        'warning kruise-grace-period-short spec.strategy.canary.trafficRoutings[0].gracePeriodSeconds: gracePeriodSeconds is 29, which is probably too short for an AWS load balancer',
        'warning kruise-script-missing spec.strategy.canary.trafficRoutings[0].ingress.classType: there is no script for the class type "aws-alb", unless a ConfigMap that is not among the manifests has it | add the script as "lua.traffic.routing.ingress.aws-alb" to the ConfigMap kruise-rollout-configuration in kruise-rollout; the built-in class types are aliyun-alb, higress, mse and nginx | absent ConfigMap kruise-rollout-configuration',
        'warning kruise-reference-missing spec.strategy.canary.trafficRoutings[0].ingress.name: there is no Ingress "web" in the namespace "shop" | absent Ingress web',
      ],
    ],
    [
      'a long grace period on AWS',
      [
        [
          rollout({
            route: { service: 'web', ingress: { name: 'web', classType: 'aws-alb' }, gracePeriodSeconds: 30 },
          }),
          deployment(),
          service(),
        ],
      ],
      [
        'warning kruise-script-missing spec.strategy.canary.trafficRoutings[0].ingress.classType: there is no script for the class type "aws-alb", unless a ConfigMap that is not among the manifests has it | add the script as "lua.traffic.routing.ingress.aws-alb" to the ConfigMap kruise-rollout-configuration in kruise-rollout; the built-in class types are aliyun-alb, higress, mse and nginx | absent ConfigMap kruise-rollout-configuration',
        'warning kruise-reference-missing spec.strategy.canary.trafficRoutings[0].ingress.name: there is no Ingress "web" in the namespace "shop" | absent Ingress web',
      ],
    ],
    [
      'a grace period of 0 on AWS',
      [
        [
          rollout({ route: { service: 'web', ingress: { name: 'web', classType: 'aws-alb' }, gracePeriodSeconds: 0 } }),
          deployment(),
          service(),
        ],
      ],
      [
        'warning kruise-grace-period-short spec.strategy.canary.trafficRoutings[0].gracePeriodSeconds: gracePeriodSeconds is 0, which is probably too short for an AWS load balancer',
        'warning kruise-script-missing spec.strategy.canary.trafficRoutings[0].ingress.classType: there is no script for the class type "aws-alb", unless a ConfigMap that is not among the manifests has it | add the script as "lua.traffic.routing.ingress.aws-alb" to the ConfigMap kruise-rollout-configuration in kruise-rollout; the built-in class types are aliyun-alb, higress, mse and nginx | absent ConfigMap kruise-rollout-configuration',
        'warning kruise-reference-missing spec.strategy.canary.trafficRoutings[0].ingress.name: there is no Ingress "web" in the namespace "shop" | absent Ingress web',
      ],
    ],
    [
      'a negative grace period on AWS, which the webhook refuses',
      [
        [
          rollout({
            route: { service: 'web', ingress: { name: 'web', classType: 'aws-alb' }, gracePeriodSeconds: -1 },
          }),
          deployment(),
          service(),
        ],
      ],
      [
        'warning kruise-script-missing spec.strategy.canary.trafficRoutings[0].ingress.classType: there is no script for the class type "aws-alb", unless a ConfigMap that is not among the manifests has it | add the script as "lua.traffic.routing.ingress.aws-alb" to the ConfigMap kruise-rollout-configuration in kruise-rollout; the built-in class types are aliyun-alb, higress, mse and nginx | absent ConfigMap kruise-rollout-configuration',
        'warning kruise-reference-missing spec.strategy.canary.trafficRoutings[0].ingress.name: there is no Ingress "web" in the namespace "shop" | absent Ingress web',
      ],
    ],
    [
      'no grace period on AWS',
      [
        [
          rollout({ route: { service: 'web', ingress: { name: 'web', classType: 'aws-alb' } } }),
          deployment(),
          service(),
        ],
      ],
      [
        'warning kruise-grace-period-short spec.strategy.canary.trafficRoutings[0]: gracePeriodSeconds is 3 by default, which is probably too short for an AWS load balancer',
        'warning kruise-script-missing spec.strategy.canary.trafficRoutings[0].ingress.classType: there is no script for the class type "aws-alb", unless a ConfigMap that is not among the manifests has it | add the script as "lua.traffic.routing.ingress.aws-alb" to the ConfigMap kruise-rollout-configuration in kruise-rollout; the built-in class types are aliyun-alb, higress, mse and nginx | absent ConfigMap kruise-rollout-configuration',
        'warning kruise-reference-missing spec.strategy.canary.trafficRoutings[0].ingress.name: there is no Ingress "web" in the namespace "shop" | absent Ingress web',
      ],
    ],
    [
      'no grace period on AWS, with an Ingress that is edited in place',
      [
        [
          rollout({ route: { service: 'web', customNetworkRefs: [REF('Ingress', 'networking.k8s.io/v1')] } }),
          deployment(),
          service(),
          ingress(
            'web',
            { ingressClassName: 'alb' },
            { annotations: { 'alb.ingress.kubernetes.io/scheme': 'internal' } },
          ),
          configMap({ 'lua.traffic.routing.Ingress.networking.k8s.io': 'return obj.data' }),
        ],
      ],
      [
        'warning kruise-grace-period-short spec.strategy.canary.trafficRoutings[0]: gracePeriodSeconds is 3 by default, which is probably too short for an AWS load balancer',
      ],
    ],
    ['no grace period elsewhere', [[rollout(), ...STACK]], []],
  ])('%s', (_, args, expected) => {
    expect(full(...args)).toEqual(expected);
  });
});
