import { ApiObject, App, Chart, Duration, JsonPatch, Testing } from 'cdk8s';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  HeaderMatch,
  KruiseGitOps,
  KruiseRollout,
  type KruiseRolloutProps,
  KruiseRolloutStep,
  KruiseRolloutStrategy,
  KruiseRolloutVersion,
  KruiseTrafficRouting,
  LuaRoutingConfigMap,
  LuaScripts,
} from '../../src/constructs';

let printed: string[];
beforeEach(() => {
  printed = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    printed.push(String(text));
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

const STEPS = [
  KruiseRolloutStep.matches([HeaderMatch.exact('user-agent', 'pc')], { replicas: 1 }),
  KruiseRolloutStep.traffic('20%', { pause: Duration.minutes(10) }),
  KruiseRolloutStep.traffic(100),
];
const CANARY = KruiseRolloutStrategy.canary({ steps: STEPS });

/** A shop of Deployment, Service and Ingress, as an app has them. */
function shop(chart: Chart = chartOf(new App())) {
  const object = (id: string, apiVersion: string, kind: string, spec: object) =>
    new ApiObject(chart, id, { apiVersion, kind, spec });
  const deployment = object('deployment', 'apps/v1', 'Deployment', {
    replicas: 5,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'example.com/web:1' }] },
    },
  });
  const service = object('service', 'v1', 'Service', { selector: { app: 'web' }, ports: [{ port: 80 }] });
  const ingress = object('ingress', 'networking.k8s.io/v1', 'Ingress', {
    ingressClassName: 'nginx',
    rules: [
      {
        http: {
          paths: [
            { path: '/', pathType: 'Prefix', backend: { service: { name: service.name, port: { number: 80 } } } },
          ],
        },
      },
    ],
  });
  return { chart, deployment, service, ingress };
}

function chartOf(app: App, id = 'shop'): Chart {
  return new Chart(app, id, { namespace: 'shop', disableResourceNameHashes: true });
}

/** A whole shop with a Rollout, some of its properties given. */
function rolloutOf(props: Partial<KruiseRolloutProps> = {}) {
  const parts = shop();
  const { chart, deployment, service, ingress } = parts;
  const rollout = new KruiseRollout(chart, 'Rollout', {
    workload: deployment,
    strategy: CANARY,
    trafficRouting: { service, ingress, classType: 'nginx' },
    ...props,
  });
  return { ...parts, rollout };
}

/** The Rollout as it is written. */
function manifestOf({ rollout }: { rollout: KruiseRollout }) {
  return rollout.apiObject.toJson();
}

function failureOf(chart: Chart): string {
  try {
    Testing.synth(chart);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

describe('the manifest', () => {
  test('names come from the constructs', () => {
    const parts = rolloutOf();
    expect(Testing.synth(parts.chart).at(-1)).toMatchInlineSnapshot(`
      {
        "apiVersion": "rollouts.kruise.io/v1beta1",
        "kind": "Rollout",
        "metadata": {
          "name": "shop-rollout",
          "namespace": "shop",
        },
        "spec": {
          "strategy": {
            "canary": {
              "enableExtraWorkloadForCanary": true,
              "steps": [
                {
                  "matches": [
                    {
                      "headers": [
                        {
                          "name": "user-agent",
                          "type": "Exact",
                          "value": "pc",
                        },
                      ],
                    },
                  ],
                  "replicas": 1,
                },
                {
                  "pause": {
                    "duration": 600,
                  },
                  "replicas": "20%",
                  "traffic": "20%",
                },
                {
                  "replicas": "100%",
                  "traffic": "100%",
                },
              ],
              "trafficRoutings": [
                {
                  "ingress": {
                    "classType": "nginx",
                    "name": "shop-ingress",
                  },
                  "service": "shop-service",
                },
              ],
            },
          },
          "workloadRef": {
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "name": "shop-deployment",
          },
        },
      }
    `);
    expect(printed).toEqual([]);
  });

  test('the Rollout is the default child, and its YAML stands alone', () => {
    const { rollout } = rolloutOf();
    expect(rollout.node.defaultChild).toBe(rollout.apiObject);
    expect(rollout.toYaml()).toMatchInlineSnapshot(`
      "apiVersion: rollouts.kruise.io/v1beta1
      kind: Rollout
      metadata:
        name: shop-rollout
        namespace: shop
      spec:
        strategy:
          canary:
            enableExtraWorkloadForCanary: true
            steps:
              - matches:
                  - headers:
                      - name: user-agent
                        type: Exact
                        value: pc
                replicas: 1
              - pause:
                  duration: 600
                replicas: 20%
                traffic: 20%
              - replicas: 100%
                traffic: 100%
            trafficRoutings:
              - ingress:
                  classType: nginx
                  name: shop-ingress
                service: shop-service
        workloadRef:
          apiVersion: apps/v1
          kind: Deployment
          name: shop-deployment
      "
    `);
  });

  test('the same app is written the same way twice', () => {
    const { chart, rollout } = rolloutOf();
    expect(Testing.synth(chart)).toEqual(Testing.synth(chart));
    expect(rolloutOf().rollout.toYaml()).toBe(rollout.toYaml());
  });

  test('names serve as references too', () => {
    const named = rolloutOf({
      workload: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'shop-deployment' },
      trafficRouting: { service: 'shop-service', ingress: { name: 'shop-ingress', classType: 'nginx' } },
    });
    expect(manifestOf(named)).toEqual(manifestOf(rolloutOf()));
  });

  test('constructs that carry apiVersion, kind and name serve as references, as those of cdk8s-plus do', () => {
    const { chart, deployment, service, ingress } = shop();
    const like = ({ apiVersion, kind, name }: ApiObject) => ({ apiVersion, kind, name, apiGroup: '', isOpaque: true });
    const rollout = new KruiseRollout(chart, 'Rollout', {
      workload: like(deployment),
      strategy: CANARY,
      trafficRouting: { service: like(service), ingress: like(ingress), classType: 'nginx' },
    });
    expect(rollout.toYaml()).toBe(rolloutOf().rollout.toYaml());
  });

  test.each([
    ['canary', KruiseRolloutStrategy.canary({ steps: STEPS, failureThreshold: '10%' })],
    ['partition', KruiseRolloutStrategy.partition({ steps: [KruiseRolloutStep.replicas('100%')] })],
    ['blueGreen', KruiseRolloutStrategy.blueGreen({ steps: [KruiseRolloutStep.traffic(100)] })],
  ])('the style %s', (style, strategy) => {
    expect(strategy.style).toBe(style);
    expect(manifestOf(rolloutOf({ strategy })).spec.strategy).toMatchSnapshot();
  });

  test('every way to route', () => {
    const { spec } = manifestOf(
      rolloutOf({
        trafficRouting: {
          service: 'web',
          gateway: { name: 'web', kind: 'HTTPRoute' } as { name: string },
          customNetworkRefs: [{ apiVersion: 'networking.istio.io/v1', kind: 'VirtualService', name: 'web' }],
          gracePeriodSeconds: Duration.minutes(1),
        },
        paused: true,
        disabled: true,
      }),
    );
    expect(spec).toMatchObject({
      disabled: true,
      strategy: {
        paused: true,
        canary: {
          trafficRoutings: [
            {
              service: 'web',
              gracePeriodSeconds: 60,
              gateway: { httpRouteName: 'web' },
              customNetworkRefs: [{ apiVersion: 'networking.istio.io/v1', kind: 'VirtualService', name: 'web' }],
            },
          ],
        },
      },
    });
  });

  test('trafficRoutingRef is written where conversion reads it and where the controllers read it', () => {
    const { chart, deployment, ingress } = shop();
    const routing = new KruiseTrafficRouting(chart, 'Front', {
      trafficRouting: { service: 'front', ingress, classType: 'mse' },
      matches: [HeaderMatch.exact('user-agent', 'pc')],
      requestHeaderModifier: { set: [{ name: 'x-canary', value: 'web' }] },
    });
    const rollout = new KruiseRollout(chart, 'Rollout', {
      metadata: { annotations: { team: 'shop' } },
      workload: deployment,
      strategy: KruiseRolloutStrategy.partition({ steps: [KruiseRolloutStep.replicas('100%')] }),
      trafficRoutingRef: routing,
    });
    const { metadata, spec } = rollout.apiObject.toJson();
    expect(metadata.annotations).toEqual({ team: 'shop', 'rollouts.kruise.io/trafficrouting': routing.name });
    expect(spec.strategy.canary.trafficRoutingRef).toBe(routing.name);
    expect(routing.toYaml()).toMatchInlineSnapshot(`
      "apiVersion: rollouts.kruise.io/v1alpha1
      kind: TrafficRouting
      metadata:
        name: shop-front
        namespace: shop
      spec:
        objectRef:
          - ingress:
              classType: mse
              name: shop-ingress
            service: front
        strategy:
          matches:
            - headers:
                - name: user-agent
                  type: Exact
                  value: pc
          requestHeaderModifier:
            set:
              - name: x-canary
                value: web
      "
    `);
  });
});

describe('what the constructor refuses', () => {
  test.each<[string, Partial<KruiseRolloutProps>, string]>([
    [
      'an object of another kind',
      { trafficRouting: { service: { name: 'web', kind: 'Deployment' } as { name: string }, ingress: 'web' } },
      'service is the Deployment "web": pass the Service, or its name',
    ],
    [
      'no route',
      { trafficRouting: { service: 'web' } },
      'trafficRouting of the service "web" has no route: set ingress, gateway or customNetworkRefs',
    ],
    [
      'two class types',
      { trafficRouting: { service: 'web', ingress: { name: 'web', classType: 'mse' }, classType: 'nginx' } },
      'classType is "nginx", but the classType of ingress is "mse": set only one of them',
    ],
    [
      'a release without v1beta1',
      { kruiseVersion: KruiseRolloutVersion.V0_4_0 },
      'Kruise Rollouts v0.4.0 has no v1beta1 Rollout, which this construct writes: use v0.5.0 or newer',
    ],
    [
      'two names of a TrafficRouting',
      {
        metadata: { annotations: { 'rollouts.kruise.io/trafficrouting': 'a' } },
        trafficRoutingRef: 'b',
      },
      'the annotation rollouts.kruise.io/trafficrouting names "a", but trafficRoutingRef names "b": remove the annotation, trafficRoutingRef sets it',
    ],
  ])('%s', (_, props, message) => {
    expect(() => rolloutOf(props)).toThrow(message);
  });

  test('paths and query parameters of a TrafficRouting', () => {
    expect(
      () =>
        new KruiseTrafficRouting(shop().chart, 'Routing', {
          trafficRouting: { service: 'web', ingress: 'web' },
          matches: [{ path: { value: '/' } }],
        }),
    ).toThrow('a TrafficRouting matches headers only: remove path and queryParams from its matches');
  });
});

describe('what fails the synth', () => {
  test('what the webhook refuses, what the schema rejects, and what both accept: all together', () => {
    const { chart, rollout } = rolloutOf({
      strategy: KruiseRolloutStrategy.canary({
        steps: [{ traffic: '120%', replicas: '20%' }, KruiseRolloutStep.traffic(100)],
      }),
      trafficRouting: { service: 'wbe', ingress: 'shop-ingress' },
    });
    rollout.apiObject.addJsonPatch(JsonPatch.add('/spec/strategy/canary/steps/0/weight', 20));
    const message = failureOf(chart);
    expect(message).toContain('[shop/Rollout]');
    expect(message).toContain('error[field-unknown]');
    expect(message).toContain('error[rollout-traffic-invalid]');
    expect(message).toContain('error[kruise-reference-missing]');
    expect(message).toMatch(/no Service "wbe" in the namespace "shop"/);
  });

  test('problems of objects without constructs, once per app', () => {
    const { chart, deployment, service } = shop();
    new ApiObject(chart, 'crashing', {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'crashing' },
      spec: { rules: [{ host: 'a.example.com' }] },
    });
    for (const id of ['One', 'Two']) {
      new KruiseRollout(chart, id, {
        workload: id === 'One' ? deployment : { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'other' },
        external: [{ kind: 'StatefulSet', name: 'other' }],
        strategy:
          id === 'One' ? CANARY : KruiseRolloutStrategy.partition({ steps: [KruiseRolloutStep.replicas('100%')] }),
        trafficRouting: { service, ingress: 'crashing' },
      });
    }
    const message = failureOf(chart);
    expect(message.match(/error\[kruise-ingress-panics\]/g)).toHaveLength(2);
    expect(message).toContain('and the Rollout "shop-one" clones this Ingress');
    expect(message).not.toContain('[shop/Two]');
  });

  test('faults that lie in another chart of the app', () => {
    const app = new App();
    const network = chartOf(app, 'network');
    const { service, deployment } = shop(chartOf(app, 'web'));
    const ingress = new ApiObject(network, 'ingress', {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      spec: { defaultBackend: { service: { name: 'other', port: { number: 80 } } } },
    });
    new KruiseRollout(chartOf(app, 'rollout'), 'Rollout', {
      workload: deployment,
      strategy: CANARY,
      trafficRouting: { service, ingress },
    });
    expect(() => app.synthYaml()).toThrow(/the Ingress "network-ingress" has no path to the Service "web-service"/);
  });

  test('a script that is in no ConfigMap of the app; one in a ConfigMap is found', () => {
    const trafficRouting = { service: 'shop-service', ingress: 'shop-ingress', classType: 'my-class' };
    const missing = rolloutOf({ trafficRouting });
    const scripts = (name: string) => LuaScripts.inline(`ingress.${name}`, 'return obj.annotations');
    new LuaRoutingConfigMap(missing.chart, 'Scripts', {
      scripts: [scripts('other-class')],
      suppressions: [{ rule: 'lua-step-ignored', reason: 'not what this test is about' }],
    });
    expect(failureOf(missing.chart)).toContain('there is no script for the class type "my-class"');

    const there = rolloutOf({ trafficRouting });
    new LuaRoutingConfigMap(there.chart, 'Scripts', {
      scripts: [scripts('my-class')],
      suppressions: [{ rule: 'lua-step-ignored', reason: 'not what this test is about' }],
    });
    expect(failureOf(there.chart)).not.toContain('kruise-script-missing');
  });

  test('a change between two synths is seen', () => {
    const { chart, service } = rolloutOf();
    expect(failureOf(chart)).toBe('');
    service.addJsonPatch(JsonPatch.remove('/spec/selector'));
    expect(failureOf(chart)).toContain('error[kruise-service-panics]');
  });
});

describe('warnings and suppressions', () => {
  const PARTIAL = KruiseRolloutStrategy.canary({ steps: [KruiseRolloutStep.traffic('50%')] });

  test('warnings are printed and do not fail', () => {
    expect(failureOf(rolloutOf({ strategy: PARTIAL }).chart)).toBe('');
    expect(printed.join('')).toContain('warning[kruise-last-step-partial]');
  });

  test('unless they are to fail', () => {
    expect(failureOf(rolloutOf({ strategy: PARTIAL, warnings: 'fail' }).chart)).toContain(
      'warning[kruise-last-step-partial]',
    );
  });

  test('are suppressed with a reason, in code or by annotation', () => {
    const reason = 'the second half follows by night';
    const rule = 'kruise-last-step-partial';
    expect(rolloutOf({ strategy: PARTIAL, suppressions: [{ rule, reason }] }).rollout.findings()).toEqual([]);
    const annotations = { 'rollout-constructs.io/ignore': `${rule}: ${reason}` };
    expect(rolloutOf({ strategy: PARTIAL, metadata: { annotations } }).rollout.findings()).toEqual([]);
  });

  test('a suppression without effect, of an unknown rule or without reason is found', () => {
    const suppressions = [
      { rule: 'kruise-last-step-partial', reason: 'no longer needed' },
      { rule: 'kruise-last-step-partal', reason: 'misspelt' },
      { rule: 'kruise-pause-zero', reason: '' },
    ];
    const found = rolloutOf({ suppressions }).rollout.findings();
    expect(found.map(({ rule, construct }) => [rule, construct])).toEqual([
      ['suppression-invalid', 'shop/Rollout'],
      ['suppression-unknown-rule', 'shop/Rollout'],
      ['suppression-unused', 'shop/Rollout'],
    ]);
  });

  test('a suppression of one Rollout is not for another', () => {
    const {
      chart,
      rollout,
      deployment: _,
    } = rolloutOf({
      strategy: PARTIAL,
      suppressions: [{ rule: 'kruise-last-step-partial', reason: 'on purpose' }],
    });
    const other = new KruiseRollout(chart, 'Other', {
      workload: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'other' },
      external: [{ kind: 'Deployment', name: 'other' }],
      strategy: PARTIAL,
      trafficRouting: { service: 'shop-service', ingress: 'shop-ingress' },
    });
    expect(rollout.findings()).toEqual([]);
    expect(other.findings().map(({ rule }) => rule)).toEqual([
      'rehearsal-canaries-collide',
      'kruise-last-step-partial',
    ]);
  });
});

describe('GitOps', () => {
  test('a Rollout lists the fields that it rewrites', () => {
    const { rollout } = rolloutOf();
    expect(rollout.argoCdIgnoreDifferences()).toEqual([
      {
        group: 'apps',
        kind: 'Deployment',
        namespace: 'shop',
        name: 'shop-deployment',
        jsonPointers: ['/spec/paused'],
      },
      {
        group: '',
        kind: 'Service',
        namespace: 'shop',
        name: 'shop-service',
        jsonPointers: ['/spec/selector/pod-template-hash'],
      },
    ]);
    expect(rollout.fluxIgnoreRules()).toEqual([
      {
        paths: ['/spec/paused'],
        target: { group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'shop-deployment' },
      },
      {
        paths: ['/spec/selector/pod-template-hash'],
        target: { kind: 'Service', namespace: 'shop', name: 'shop-service' },
      },
    ]);
  });

  test('a scope lists them for all of its Rollouts', () => {
    const { chart } = rolloutOf();
    const other = chartOf(chart.node.root as App, 'other');
    expect(KruiseGitOps.argoCdIgnoreDifferences(chart)).toHaveLength(2);
    expect(KruiseGitOps.argoCdIgnoreDifferences(chart.node.root)).toHaveLength(2);
    expect(KruiseGitOps.fluxIgnoreRules(other)).toEqual([]);
  });
});
