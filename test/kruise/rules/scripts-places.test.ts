/** What is said of annotations, and of scripts that are missing, in full, and the near misses. */
import { describe, expect, it } from 'vitest';
import { KruiseRolloutVersion as V } from '../../../src/kruise/version';
import { full } from './full';
import { configMap, deployment, ingress, object, rollout, rolloutV1alpha1, service } from './stack';

type Row = readonly [what: string, args: Parameters<typeof full>, findings: readonly string[]];

const STACK = [deployment(), service(), ingress()];
const PLAIN = { route: null, steps: [{ replicas: '100%' }] };
const REF = (kind: string, apiVersion: string, name = 'web') => ({ apiVersion, kind, name });
const ALPHA = (steps: readonly object[], more: object = {}) => rolloutV1alpha1({ steps, ...more });

describe('the annotations of a Rollout', () => {
  it.each<Row>([
    [
      'a trafficRoutingRef without the annotation',
      [[rollout({ ...PLAIN, strategy: { trafficRoutingRef: 'front' } }), deployment()]],
      [
        'error kruise-traffic-routing-ref-ignored spec.strategy.canary.trafficRoutingRef: trafficRoutingRef names "front", but the annotation rollouts.kruise.io/trafficrouting is missing',
      ],
    ],
    [
      'a trafficRoutingRef beside another annotation',
      [
        [
          rollout({
            ...PLAIN,
            strategy: { trafficRoutingRef: 'front' },
            annotations: { 'rollouts.kruise.io/trafficrouting': 'back' },
          }),
          deployment(),
        ],
        { external: [{ kind: 'TrafficRouting', name: 'back' }] },
      ],
      [
        'error kruise-traffic-routing-ref-ignored spec.strategy.canary.trafficRoutingRef: trafficRoutingRef names "front", but the annotation rollouts.kruise.io/trafficrouting names "back", which the controllers use',
      ],
    ],
    [
      'a trafficRoutingRef beside the same annotation',
      [
        [
          rollout({
            ...PLAIN,
            strategy: { trafficRoutingRef: 'front' },
            annotations: { 'rollouts.kruise.io/trafficrouting': 'front' },
          }),
          deployment(),
        ],
        { external: [{ kind: 'TrafficRouting', name: 'front' }] },
      ],
      [],
    ],
    ['an empty trafficRoutingRef', [[rollout({ ...PLAIN, strategy: { trafficRoutingRef: '' } }), deployment()]], []],
    [
      'a trafficRoutingRef that is no text',
      [[rollout({ ...PLAIN, strategy: { trafficRoutingRef: 5 } }), deployment()]],
      [],
    ],
    [
      'an annotation that nobody reads',
      [[rollout({ annotations: { 'rollouts.kruise.io/colour': 'x' } }), ...STACK]],
      [
        'warning kruise-annotation-unknown metadata.annotations["rollouts.kruise.io/colour"]: no controller reads the annotation rollouts.kruise.io/colour | remove it; the controllers read rollouts.kruise.io/rolling-style, rollouts.kruise.io/rollback-in-batch and rollouts.kruise.io/trafficrouting',
      ],
    ],
    [
      'an annotation with a similar name',
      [[rollout({ annotations: { 'rollouts.kruise.io/rolling-styl': 'x' } }), ...STACK]],
      [
        'error kruise-annotation-unknown metadata.annotations["rollouts.kruise.io/rolling-styl"]: no controller reads the annotation rollouts.kruise.io/rolling-styl | did you mean rollouts.kruise.io/rolling-style?',
      ],
    ],
    [
      'an annotation that many take for another',
      [[rollout({ annotations: { 'rollouts.kruise.io/rolling-type': 'x' } }), ...STACK]],
      [
        'error kruise-annotation-unknown metadata.annotations["rollouts.kruise.io/rolling-type"]: no controller reads the annotation rollouts.kruise.io/rolling-type | did you mean rollouts.kruise.io/rolling-style?',
      ],
    ],
    [
      'the annotation of the changelog',
      [[rollout({ annotations: { 'rollouts.kruise.io/partition-replicas-limit': 'x' } }), ...STACK]],
      [
        'warning kruise-annotation-unknown metadata.annotations["rollouts.kruise.io/partition-replicas-limit"]: no controller reads the annotation rollouts.kruise.io/partition-replicas-limit | remove it, and set --partition-percent-limit on the controller | because the changelog of 0.6 names it, but no release reads it: the limit is the flag --partition-percent-limit of the controller',
      ],
    ],
    [
      'annotations that controllers write',
      [
        [
          rollout({ annotations: { 'rollouts.kruise.io/hash': 'x', 'rollouts.kruise.io/in-progressing': 'x' } }),
          ...STACK,
        ],
      ],
      [],
    ],
    [
      'an annotation of another prefix',
      [[rollout({ annotations: { 'example.com/colour': 'x', 'rollouts.kruise.io.example.com/a': 'y' } }), ...STACK]],
      [],
    ],
    [
      'the style of the Rollout',
      [[rollout({ annotations: { 'rollouts.kruise.io/rolling-style': 'CANARY' } }), ...STACK]],
      [],
    ],
    [
      'another style',
      [[rollout({ annotations: { 'rollouts.kruise.io/rolling-style': 'partition' } }), ...STACK]],
      [
        'warning kruise-rolling-style-ignored metadata.annotations["rollouts.kruise.io/rolling-style"]: the annotation says "partition", but the style of this v1beta1 Rollout is canary',
      ],
    ],
    [
      'a style in v1alpha1',
      [
        [
          rolloutV1alpha1({ steps: [{ weight: 100 }] }, { 'rollouts.kruise.io/rolling-style': 'anything' }),
          deployment(),
        ],
      ],
      [],
    ],
    [
      'the style of blue-green',
      [[rollout({ blueGreen: true, annotations: { 'rollouts.kruise.io/rolling-style': 'bluegreen' } }), ...STACK]],
      [],
    ],
  ])('%s', (_, args, expected) => {
    expect(full(...args)).toEqual(expected);
  });
});

describe('the script of a route', () => {
  it.each<Row>([
    [
      'a class type without a script',
      [[rollout({ route: { service: 'web', ingress: { name: 'web', classType: 'kong' } } }), ...STACK]],
      [
        'warning kruise-script-missing spec.strategy.canary.trafficRoutings[0].ingress.classType: there is no script for the class type "kong", unless a ConfigMap that is not among the manifests has it | add the script as "lua.traffic.routing.ingress.kong" to the ConfigMap kruise-rollout-configuration in kruise-rollout; the built-in class types are aliyun-alb, higress, mse and nginx | absent ConfigMap kruise-rollout-configuration',
      ],
    ],
    [
      'a class type without a script in the ConfigMap',
      [[rollout({ route: { service: 'web', ingress: { name: 'web', classType: 'kong' } } }), ...STACK, configMap({})]],
      [
        'error kruise-script-missing spec.strategy.canary.trafficRoutings[0].ingress.classType: there is no script for the class type "kong" | add the script as "lua.traffic.routing.ingress.kong" to the ConfigMap kruise-rollout-configuration in kruise-rollout; the built-in class types are aliyun-alb, higress, mse and nginx',
      ],
    ],
    [
      'a class type like one of the ConfigMap',
      [
        [
          rollout({ route: { service: 'web', ingress: { name: 'web', classType: 'kongo' } } }),
          ...STACK,
          configMap({ 'lua.traffic.routing.ingress.kong': 'x', other: 'y' }),
        ],
      ],
      [
        'error kruise-script-missing spec.strategy.canary.trafficRoutings[0].ingress.classType: there is no script for the class type "kongo" | did you mean "kong"? If not, add the script as "lua.traffic.routing.ingress.kongo" to the ConfigMap kruise-rollout-configuration',
      ],
    ],
    [
      'no class type, and no script for the default one',
      [[rollout({ route: { service: 'web', ingress: { name: 'web' } } }), ...STACK]],
      [],
    ],
    [
      'no class type beside an Ingress for AWS',
      [
        [
          rollout({ route: { service: 'web', ingress: { name: 'web' }, gracePeriodSeconds: 30 } }),
          deployment(),
          service(),
          ingress('web', { ingressClassName: 'alb' }),
        ],
      ],
      [
        'warning kruise-class-type-mismatch spec.strategy.canary.trafficRoutings[0].ingress: the Ingress "web" has the class "alb", but its script is for "nginx", because classType is not set | write classType: aws-alb (AWS) or aliyun-alb (Alibaba Cloud)',
      ],
    ],
    [
      'another class type beside an Ingress for mse',
      [
        [
          rollout({ route: { service: 'web', ingress: { name: 'web', classType: 'higress' } } }),
          deployment(),
          service(),
          ingress('web', { ingressClassName: 'mse' }),
        ],
      ],
      [
        'warning kruise-class-type-mismatch spec.strategy.canary.trafficRoutings[0].ingress.classType: the Ingress "web" has the class "mse", but its script is for "higress" | write classType: mse',
      ],
    ],
    [
      'the class type for nginx beside an Ingress for higress',
      [
        [
          rollout({ route: { service: 'web', ingress: { name: 'web', classType: 'nginx' } } }),
          deployment(),
          service(),
          ingress('web', { ingressClassName: 'higress' }),
        ],
      ],
      [],
    ],
    [
      'a class type of its own beside an Ingress for nginx',
      [
        [
          rollout({ route: { service: 'web', ingress: { name: 'web', classType: 'own' } } }),
          ...STACK,
          configMap({ 'lua.traffic.routing.ingress.own': 'return obj.annotations' }),
        ],
      ],
      [],
    ],
    [
      'a class type beside an Ingress of its own class',
      [
        [
          rollout({ route: { service: 'web', ingress: { name: 'web', classType: 'mse' } } }),
          deployment(),
          service(),
          ingress('web', { ingressClassName: 'toString' }),
        ],
      ],
      [],
    ],
    [
      'the class type for AWS beside an Ingress for nginx',
      [
        [
          rollout({
            route: { service: 'web', ingress: { name: 'web', classType: 'aws-alb' }, gracePeriodSeconds: 30 },
          }),
          ...STACK,
          configMap({ 'lua.traffic.routing.ingress.aws-alb': 'return obj.annotations' }),
        ],
      ],
      [
        'warning kruise-class-type-mismatch spec.strategy.canary.trafficRoutings[0].ingress.classType: the Ingress "web" has the class "nginx", but its script is for "aws-alb" | write classType: nginx',
      ],
    ],
    [
      'custom objects before 0.5',
      [
        [
          ALPHA([{ weight: 100 }], {
            trafficRoutings: [{ service: 'web', customNetworkRefs: [REF('Mesh', 'a.b/v1')] }],
          }),
          deployment(),
          service(),
          object('a.b/v1', 'Mesh', { a: 1 }),
        ],
        { version: V.V0_4_4 },
      ],
      [
        'error kruise-script-missing spec.strategy.canary.trafficRoutings[0].customNetworkRefs[0]: there is no script for the kind Mesh of a.b/v1 | use Kruise Rollouts v0.5.0 or newer',
      ],
    ],
    [
      'custom objects without a script',
      [
        [
          rollout({ route: { service: 'web', customNetworkRefs: [REF('Mesh', 'a.b/v1')] } }),
          deployment(),
          service(),
          object('a.b/v1', 'Mesh', { a: 1 }),
        ],
      ],
      [
        'warning kruise-script-missing spec.strategy.canary.trafficRoutings[0].customNetworkRefs[0]: there is no script for the kind Mesh of a.b/v1, unless a ConfigMap that is not among the manifests has it | add the script as "lua.traffic.routing.Mesh.a.b" to the ConfigMap kruise-rollout-configuration in kruise-rollout | absent ConfigMap kruise-rollout-configuration',
      ],
    ],
    [
      'custom objects without a kind',
      [
        [
          rollout({ route: { service: 'web', customNetworkRefs: [REF('', 'a.b/v1'), REF('Mesh', '')] } }),
          deployment(),
          service(),
        ],
        {
          external: [
            { kind: 'Mesh', name: 'web' },
            { kind: '', name: 'web' },
          ],
        },
      ],
      [],
    ],
    [
      'a class type that is the name of a gateway, istio',
      [[rollout({ route: { service: 'web', ingress: { name: 'web', classType: 'Istio' } } }), ...STACK, configMap({})]],
      [
        'error kruise-script-missing spec.strategy.canary.trafficRoutings[0].ingress.classType: there is no script for the class type "Istio" | route through customNetworkRefs instead of ingress: apiVersion networking.istio.io/v1, kind VirtualService has a built-in script',
      ],
    ],
    [
      'a class type that is the name of a gateway, apisix',
      [
        [
          rollout({ route: { service: 'web', ingress: { name: 'web', classType: 'Apisix' } } }),
          ...STACK,
          configMap({}),
        ],
      ],
      [
        'error kruise-script-missing spec.strategy.canary.trafficRoutings[0].ingress.classType: there is no script for the class type "Apisix" | route through customNetworkRefs instead of ingress: apiVersion apisix.apache.org/v2, kind ApisixRoute, with a script in the ConfigMap',
      ],
    ],
    [
      'a class type that is the name of a gateway, contour',
      [
        [
          rollout({ route: { service: 'web', ingress: { name: 'web', classType: 'Contour' } } }),
          ...STACK,
          configMap({}),
        ],
      ],
      [
        'error kruise-script-missing spec.strategy.canary.trafficRoutings[0].ingress.classType: there is no script for the class type "Contour" | route through customNetworkRefs instead of ingress: apiVersion projectcontour.io/v1, kind HTTPProxy, with a script in the ConfigMap',
      ],
    ],
    [
      'a class type that is the name of a gateway, traefik',
      [
        [
          rollout({ route: { service: 'web', ingress: { name: 'web', classType: 'Traefik' } } }),
          ...STACK,
          configMap({}),
        ],
      ],
      [
        'error kruise-script-missing spec.strategy.canary.trafficRoutings[0].ingress.classType: there is no script for the class type "Traefik" | route through customNetworkRefs instead of ingress: apiVersion traefik.io/v1alpha1, kind TraefikService, with a script in the ConfigMap',
      ],
    ],
    [
      'a class type that is the name of a gateway, kuma',
      [[rollout({ route: { service: 'web', ingress: { name: 'web', classType: 'Kuma' } } }), ...STACK, configMap({})]],
      [
        'error kruise-script-missing spec.strategy.canary.trafficRoutings[0].ingress.classType: there is no script for the class type "Kuma" | route through customNetworkRefs instead of ingress: apiVersion kuma.io/v1alpha1, kind MeshHTTPRoute, with a script in the ConfigMap',
      ],
    ],
    [
      'a class type that is the name of a gateway, gateway',
      [
        [
          rollout({ route: { service: 'web', ingress: { name: 'web', classType: 'Gateway' } } }),
          ...STACK,
          configMap({}),
        ],
      ],
      [
        'error kruise-script-missing spec.strategy.canary.trafficRoutings[0].ingress.classType: there is no script for the class type "Gateway" | route through customNetworkRefs instead of ingress: or use gateway.httpRouteName, which needs no script',
      ],
    ],
    [
      'a class type that is the name of a gateway, alb',
      [[rollout({ route: { service: 'web', ingress: { name: 'web', classType: 'Alb' } } }), ...STACK, configMap({})]],
      [
        'error kruise-script-missing spec.strategy.canary.trafficRoutings[0].ingress.classType: there is no script for the class type "Alb" | route through customNetworkRefs instead of ingress: apiVersion networking.k8s.io/v1, kind Ingress, with a script in the ConfigMap; or use the class type aws-alb or aliyun-alb',
      ],
    ],
    [
      'a class type without a script before 0.5',
      [
        [
          ALPHA([{ weight: 100 }], {
            trafficRoutings: [{ service: 'web', ingress: { name: 'web', classType: 'kong' } }],
          }),
          ...STACK,
        ],
        { version: V.V0_4_4 },
      ],
      [
        'warning kruise-script-missing spec.strategy.canary.trafficRoutings[0].ingress.classType: there is no script for the class type "kong", unless a ConfigMap that is not among the manifests has it | add the script as "lua.traffic.routing.ingress.kong" to the ConfigMap kruise-rollout-configuration in kruise-rollout; the built-in class types are aliyun-alb, higress, mse and nginx | absent ConfigMap kruise-rollout-configuration',
      ],
    ],
  ])('%s', (_, args, expected) => {
    expect(full(...args)).toEqual(expected);
  });
});
