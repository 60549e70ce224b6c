/** What is refused in the routing and in the steps of a canary, and where. The vectors hold the controller's own messages. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json';
import { canaryWith, refusalsOf } from './refusals';

const ALB = { ingress: 'shop', servicePort: 80 };
const PLUGINS = { 'a/b': {} };
const NGINX = { stableIngress: 'nginx' };
const SUBSETS = { name: 'd', canarySubsetName: 'canary', stableSubsetName: 'stable' };
const MANAGED = { managedRoutes: [{ name: 'h' }] };
const BOTH = { stableService: 'a', canaryService: 'b' };
const PING_PONG = { pingPong: { pingService: 'a', pongService: 'b' } };
const pingPong = (pingService: string, pongService: string) => ({ pingPong: { pingService, pongService } });
const backend = (...names: string[]) => ({
  rules: [{ http: { paths: names.map((name) => ({ backend: { service: { name } } })) } }],
});
const object = (name: string, spec: JsonObject = {}): JsonObject => ({ metadata: { name, namespace: 'shop' }, spec });
const CLUSTER = {
  services: ['a', 'b'].map((name) => object(name)),
  ingresses: [object('shop', backend('a', 'root')), object('nginx', backend('other', 'a')), object('empty')],
};
const routed = (trafficRouting: JsonObject, ...steps: JsonObject[]): JsonObject => ({
  ...BOTH,
  trafficRouting: { ...MANAGED, ...trafficRouting },
  steps,
});
const header = (headerValue: JsonObject, name = 'h'): JsonObject => ({
  setHeaderRoute: { name, match: [{ headerName: 'x', headerValue }] },
});
const mirror = (match: JsonObject, name = 'h'): JsonObject => ({ setMirrorRoute: { name, match: [match] } });
const weighted = (weight?: number): JsonObject => ({
  experiment: { templates: [{ name: 'a', specRef: 'canary', ...(weight && { weight }) }] },
});

describe('ping and pong', () => {
  it.each<[JsonObject, string[]]>([
    [PING_PONG, []],
    [
      { ...PING_PONG, trafficRouting: { nginx: NGINX } },
      [
        'argo-ping-pong-router C3 spec.strategy.canary.trafficRouting.alb',
        'argo-services-missing C6 spec.strategy.canary.stableService',
        'argo-services-missing C6 spec.strategy.canary.canaryService',
      ],
    ],
    [
      { ...PING_PONG, trafficRouting: { plugins: PLUGINS } },
      ['argo-ping-pong-router C3 spec.strategy.canary.trafficRouting.alb'],
    ],
    [
      { ...PING_PONG, trafficRouting: { plugins: {} } },
      ['argo-ping-pong-router C3 spec.strategy.canary.trafficRouting.alb'],
    ],
    [{ ...PING_PONG, trafficRouting: { alb: { ...ALB, rootService: 'root' } } }, []],
    [
      { ...PING_PONG, trafficRouting: { alb: ALB } },
      ['argo-ping-pong-without-root-service C5 spec.strategy.canary.trafficRouting.alb.rootService'],
    ],
    [{ ...PING_PONG, trafficRouting: { istio: {} } }, []],
    [
      { ...PING_PONG, trafficRouting: { istio: {}, smi: {} } },
      [
        'argo-services-missing C6 spec.strategy.canary.stableService',
        'argo-services-missing C6 spec.strategy.canary.canaryService',
      ],
    ],
    [
      { ...pingPong('a', 'a'), trafficRouting: { istio: {} } },
      ['argo-ping-pong-services C4 spec.strategy.canary.pingPong.pingService'],
    ],
    [
      { ...pingPong('', 'b'), trafficRouting: { istio: {} } },
      ['argo-ping-pong-services C4 spec.strategy.canary.pingPong.pingService'],
    ],
    [
      { ...pingPong('a', ''), trafficRouting: { istio: {} } },
      ['argo-ping-pong-services C4 spec.strategy.canary.pingPong.pongService'],
    ],
    [
      { ...pingPong('', ''), trafficRouting: { istio: {} } },
      [
        'argo-ping-pong-services C4 spec.strategy.canary.pingPong.pingService',
        'argo-ping-pong-services C4 spec.strategy.canary.pingPong.pongService',
        'argo-ping-pong-services C4 spec.strategy.canary.pingPong.pingService',
      ],
    ],
    [
      { ...pingPong('x', 'y'), trafficRouting: { istio: {} } },
      [
        'argo-service-not-found R-S1 spec.strategy.canary.pingPong.pingService, no Service x of v1',
        'argo-service-not-found R-S1 spec.strategy.canary.pingPong.pongService, no Service y of v1',
      ],
    ],
  ])('%j', (given, refusals) => {
    expect(refusalsOf(canaryWith(given), CLUSTER)).toEqual(refusals);
  });
});

describe('a router and its Services', () => {
  it.each<[JsonObject, string[]]>([
    [
      { trafficRouting: { alb: ALB } },
      [
        'argo-services-missing C6 spec.strategy.canary.stableService',
        'argo-services-missing C6 spec.strategy.canary.canaryService',
      ],
    ],
    [
      { trafficRouting: { istio: {} } },
      [
        'argo-services-missing C6 spec.strategy.canary.stableService',
        'argo-services-missing C6 spec.strategy.canary.canaryService',
      ],
    ],
    [
      { trafficRouting: { smi: {} } },
      [
        'argo-services-missing C6 spec.strategy.canary.stableService',
        'argo-services-missing C6 spec.strategy.canary.canaryService',
      ],
    ],
    [
      { trafficRouting: { apisix: {} } },
      [
        'argo-services-missing C6 spec.strategy.canary.stableService',
        'argo-services-missing C6 spec.strategy.canary.canaryService',
      ],
    ],
    [
      { trafficRouting: { ambassador: { mappings: ['m'] } } },
      [
        'argo-services-missing C6 spec.strategy.canary.stableService',
        'argo-services-missing C6 spec.strategy.canary.canaryService',
      ],
    ],
    [
      { trafficRouting: { nginx: NGINX } },
      [
        'argo-services-missing C6 spec.strategy.canary.stableService',
        'argo-services-missing C6 spec.strategy.canary.canaryService',
      ],
    ],
    [
      { trafficRouting: { appMesh: {} } },
      [
        'argo-services-missing C6 spec.strategy.canary.stableService',
        'argo-services-missing C6 spec.strategy.canary.canaryService',
      ],
    ],
    [
      { trafficRouting: { traefik: { weightedTraefikServiceName: 'w' } } },
      [
        'argo-services-missing C6 spec.strategy.canary.stableService',
        'argo-services-missing C6 spec.strategy.canary.canaryService',
      ],
    ],
    [{ trafficRouting: { plugins: PLUGINS } }, []],
    [{ trafficRouting: { istio: { destinationRule: SUBSETS } } }, []],
    [
      { trafficRouting: { alb: ALB }, stableService: 'a' },
      ['argo-services-missing C6 spec.strategy.canary.canaryService'],
    ],
    [
      { trafficRouting: { alb: ALB }, canaryService: 'b' },
      ['argo-services-missing C6 spec.strategy.canary.stableService'],
    ],
    [{ ...BOTH, trafficRouting: { alb: ALB }, scaleDownDelaySeconds: 5 }, []],
    [{ ...BOTH, trafficRouting: { alb: ALB }, dynamicStableScale: true }, []],
    [
      { ...BOTH, trafficRouting: { alb: ALB }, scaleDownDelaySeconds: 5, dynamicStableScale: true },
      ['argo-scale-down-delay-and-dynamic-scale C8 spec.strategy.canary.dynamicStableScale'],
    ],
    [
      { ...BOTH, trafficRouting: { alb: ALB, maxTrafficWeight: 1000 } },
      ['argo-max-traffic-weight-unsupported C9 spec.strategy.canary.trafficRouting.maxTrafficWeight'],
    ],
    [{ ...BOTH, trafficRouting: { nginx: NGINX, maxTrafficWeight: 1000 } }, []],
    [{ trafficRouting: { plugins: PLUGINS, maxTrafficWeight: 1000 } }, []],
  ])('%j', (given, refusals) => {
    expect(refusalsOf(canaryWith(given), CLUSTER)).toEqual(refusals);
  });
});

describe('the Ingresses of a router', () => {
  it.each<[JsonObject, string[]]>([
    [
      { ...BOTH, trafficRouting: { alb: { servicePort: 80 } } },
      ['argo-ingress-not-one R-I1 spec.strategy.canary.trafficRouting.alb'],
    ],
    [
      { ...BOTH, trafficRouting: { alb: { ...ALB, ingresses: ['shop'] } } },
      ['argo-ingress-not-one R-I1 spec.strategy.canary.trafficRouting.alb'],
    ],
    [
      { ...BOTH, trafficRouting: { alb: { ...ALB, ingress: 'none' } } },
      [
        'argo-ingress-not-found R-I2 spec.strategy.canary.trafficRouting.alb.ingress, no Ingress none of networking.k8s.io/v1',
      ],
    ],
    [
      { ...BOTH, trafficRouting: { alb: { ...ALB, ingress: 'empty' } } },
      [
        'argo-ingress-without-backend R-I3 spec.strategy.canary.trafficRouting.alb.ingress, about Ingress.networking.k8s.io empty',
      ],
    ],
    [{ ...BOTH, trafficRouting: { alb: { ...ALB, rootService: 'root' } } }, []],
    [
      { ...BOTH, trafficRouting: { alb: { ...ALB, rootService: 'other' } } },
      [
        'argo-ingress-without-backend R-I3 spec.strategy.canary.trafficRouting.alb.ingress, about Ingress.networking.k8s.io shop',
      ],
    ],
    [
      { ...BOTH, trafficRouting: { alb: { ingresses: ['shop', 'empty', 'none'], servicePort: 80 } } },
      [
        'argo-ingress-not-found R-I2 spec.strategy.canary.trafficRouting.alb.ingresses, no Ingress none of networking.k8s.io/v1',
        'argo-ingress-without-backend R-I3 spec.strategy.canary.trafficRouting.alb.ingresses, about Ingress.networking.k8s.io empty',
      ],
    ],
    [
      { ...BOTH, trafficRouting: { nginx: {} } },
      ['argo-ingress-not-one R-I1 spec.strategy.canary.trafficRouting.nginx'],
    ],
    [
      { ...BOTH, trafficRouting: { nginx: { stableIngress: 'empty' } } },
      [
        'argo-ingress-without-backend R-I3 spec.strategy.canary.trafficRouting.nginx.stableIngress, about Ingress.networking.k8s.io empty',
      ],
    ],
    [
      { ...BOTH, trafficRouting: { nginx: { stableIngress: 'none' } } },
      [
        'argo-ingress-not-found R-I2 spec.strategy.canary.trafficRouting.nginx.stableIngress, no Ingress none of networking.k8s.io/v1',
      ],
    ],
    [
      { ...BOTH, trafficRouting: { nginx: { stableIngresses: ['nginx', 'empty', 'none'] } } },
      [
        'argo-ingress-not-found R-I2 spec.strategy.canary.trafficRouting.nginx.stableIngresses, no Ingress none of networking.k8s.io/v1',
        'argo-ingress-without-backend R-I3 spec.strategy.canary.trafficRouting.nginx.stableIngresses, about Ingress.networking.k8s.io empty',
      ],
    ],
    [
      { ...BOTH, trafficRouting: { nginx: { stableIngress: 'nginx', stableIngresses: ['nginx'] } } },
      ['argo-ingress-not-one R-I1 spec.strategy.canary.trafficRouting.nginx'],
    ],
    [{ ...BOTH, trafficRouting: { alb: ALB, nginx: { stableIngress: 'none' } } }, []],
  ])('%j', (given, refusals) => {
    expect(refusalsOf(canaryWith(given), CLUSTER)).toEqual(refusals);
  });
});

describe('a step', () => {
  it.each<[JsonObject, string[]]>([
    [{ steps: [{}] }, ['argo-step-empty C11 spec.strategy.canary.steps[0], step 0']],
    [{ steps: [{ setWeight: 5 }, {}] }, ['argo-step-empty C11 spec.strategy.canary.steps[1], step 1']],
    [{ steps: [{ setWeight: 5, pause: {} }] }, ['argo-step-multiple C10 spec.strategy.canary.steps[0], step 0']],
    [{ steps: [{ pause: {}, analysis: {} }] }, ['argo-step-multiple C10 spec.strategy.canary.steps[0], step 0']],
    [{ steps: [{ ...weighted(), analysis: {} }] }, ['argo-step-multiple C10 spec.strategy.canary.steps[0], step 0']],
    [
      { steps: [{ setWeight: 101 }, { setWeight: -1 }, { setWeight: 0 }, { setWeight: 100 }] },
      [
        'argo-set-weight-out-of-range C12 spec.strategy.canary.steps[0].setWeight, step 0',
        'argo-set-weight-out-of-range C12 spec.strategy.canary.steps[1].setWeight, step 1',
      ],
    ],
    [
      { ...BOTH, trafficRouting: { nginx: NGINX, maxTrafficWeight: 9 }, steps: [{ setWeight: 9 }, { setWeight: 10 }] },
      ['argo-set-weight-out-of-range C12 spec.strategy.canary.steps[1].setWeight, step 1'],
    ],
    [{ steps: [{ plugin: { name: 'a' } }] }, []],
    [
      { steps: [{ pause: { duration: 'x' } }] },
      ['argo-pause-invalid C13 spec.strategy.canary.steps[0].pause.duration, step 0'],
    ],
    [
      { steps: [{ pause: { duration: -1 } }] },
      ['argo-pause-invalid C13 spec.strategy.canary.steps[0].pause.duration, step 0'],
    ],
    [{ steps: [{ pause: { duration: 0 } }, { pause: { duration: '5m' } }, { pause: {} }] }, []],
    [
      { steps: [{ setCanaryScale: { replicas: 1 } }] },
      [
        'argo-canary-scale-without-traffic-routing C14 spec.strategy.canary.steps[0].setCanaryScale, as spec.strategy.trafficRouting, step 0',
      ],
    ],
    [routed({ alb: ALB }, { setCanaryScale: { replicas: 1 } }), []],
  ])('%j', (given, refusals) => {
    expect(refusalsOf(canaryWith(given), CLUSTER)).toEqual(refusals);
  });
});

describe('a step that sets a header route', () => {
  it.each<[JsonObject, string[]]>([
    [
      { steps: [header({ exact: 'a' })] },
      ['argo-header-route-unsupported C15 spec.strategy.canary.steps[0].setHeaderRoute, step 0'],
    ],
    [
      routed({ smi: {} }, header({ exact: 'a' })),
      ['argo-header-route-unsupported C15 spec.strategy.canary.steps[0].setHeaderRoute, step 0'],
    ],
    [routed({ alb: ALB }, header({ exact: 'a' })), []],
    [
      routed({ alb: ALB }, header({ prefix: 'a' })),
      ['argo-header-match-invalid C15 spec.strategy.canary.steps[0].setHeaderRoute.match[0], step 0'],
    ],
    [
      routed({ alb: ALB }, header({ regex: 'a' })),
      ['argo-header-match-invalid C15 spec.strategy.canary.steps[0].setHeaderRoute.match[0], step 0'],
    ],
    [
      routed({ alb: ALB }, header({})),
      ['argo-header-match-invalid C15 spec.strategy.canary.steps[0].setHeaderRoute.match[0], step 0'],
    ],
    [
      routed({ alb: ALB }, header({ exact: 'a', prefix: 'b' })),
      ['argo-header-match-invalid C15 spec.strategy.canary.steps[0].setHeaderRoute.match[0], step 0'],
    ],
    [routed({ istio: {} }, header({ exact: 'a' }), header({ prefix: 'a' }), header({ regex: 'a' })), []],
    [
      routed({ istio: {} }, header({ exact: 'a', prefix: 'b' }), header({})),
      [
        'argo-header-match-invalid C15 spec.strategy.canary.steps[0].setHeaderRoute.match[0], step 0',
        'argo-header-match-invalid C15 spec.strategy.canary.steps[1].setHeaderRoute.match[0], step 1',
      ],
    ],
    [routed({ apisix: {} }, header({ exact: 'a' })), []],
    [routed({ plugins: PLUGINS }, header({ exact: 'a' })), []],
    [
      routed({ alb: ALB }, header({ exact: 'a' }, 'other')),
      ['argo-route-not-managed C18 spec.strategy.canary.steps[0].setHeaderRoute, step 0'],
    ],
    [
      routed({ alb: ALB, managedRoutes: [] }, header({ exact: 'a' }), header({ exact: 'a' })),
      [
        'argo-managed-routes-missing C18 spec.strategy.canary.trafficRouting.managedRoutes, step 0',
        'argo-managed-routes-missing C18 spec.strategy.canary.trafficRouting.managedRoutes, step 1',
      ],
    ],
  ])('%j', (given, refusals) => {
    expect(refusalsOf(canaryWith(given), CLUSTER)).toEqual(refusals);
  });
});

describe('a step that sets a mirror route', () => {
  it.each<[JsonObject, string[]]>([
    [
      { steps: [mirror({})] },
      ['argo-mirror-route-unsupported C16 spec.strategy.canary.steps[0].setMirrorRoute, step 0'],
    ],
    [
      routed({ alb: ALB }, mirror({})),
      ['argo-mirror-route-unsupported C16 spec.strategy.canary.steps[0].setMirrorRoute, step 0'],
    ],
    [
      routed({ plugins: PLUGINS }, mirror({})),
      ['argo-mirror-route-unsupported C16 spec.strategy.canary.steps[0].setMirrorRoute, step 0'],
    ],
    [routed({ istio: {} }, mirror({ method: { exact: 'GET' }, path: { prefix: '/' } })), []],
    [
      routed({ istio: {} }, mirror({ method: {} })),
      [
        'argo-mirror-match-invalid C16 spec.strategy.canary.steps[0].setMirrorRoute.match[0], step 0',
        'argo-mirror-match-invalid C16 spec.strategy.canary.steps[0].setMirrorRoute.match[0], step 0',
      ],
    ],
    [
      routed({ istio: {} }, mirror({ path: { prefix: '/', exact: '/' } })),
      ['argo-mirror-match-invalid C16 spec.strategy.canary.steps[0].setMirrorRoute.match[0], step 0'],
    ],
    [
      routed({ istio: {} }, mirror({}, 'other'), { ...mirror({}), ...header({ exact: 'a' }, 'other') }),
      [
        'argo-route-not-managed C18 spec.strategy.canary.steps[0].setMirrorRoute, step 0',
        'argo-route-not-managed C18 spec.strategy.canary.steps[1].setHeaderRoute, step 1',
      ],
    ],
  ])('%j', (given, refusals) => {
    expect(refusalsOf(canaryWith(given), CLUSTER)).toEqual(refusals);
  });
});

describe('a step with an experiment', () => {
  it.each<[JsonObject, string[]]>([
    [
      { steps: [weighted(5), weighted()] },
      ['argo-experiment-weight-unsupported C19 spec.strategy.canary.steps[0].experiment.templates[0].weight, step 0'],
    ],
    [routed({ alb: ALB }, weighted(5)), []],
    [routed({ smi: {} }, weighted(5)), []],
    [routed({ istio: {} }, weighted(5)), []],
    [routed({ plugins: PLUGINS }, weighted(5)), []],
    [
      routed({ plugins: {} }, weighted(5)),
      ['argo-experiment-weight-unsupported C19 spec.strategy.canary.steps[0].experiment.templates[0].weight, step 0'],
    ],
    [
      routed({ appMesh: {} }, weighted(5), weighted()),
      ['argo-experiment-weight-unsupported C19 spec.strategy.canary.steps[0].experiment.templates[0].weight, step 0'],
    ],
  ])('%j', (given, refusals) => {
    expect(refusalsOf(canaryWith(given), CLUSTER)).toEqual(refusals);
  });
});
