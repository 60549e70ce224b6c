/** What the rules for canaries behind an ALB find, and where. `argo-alb-` is left out of their names. */
import { describe, expect, it } from 'vitest';
import { type AlbStack, action, findingsOf, ingress, other } from './alb-stack';

const header = (name: string, ...matches: object[]) => ({ setHeaderRoute: { name, match: matches } });
const exact = (value: string, headerName = 'x-beta') => ({ headerName, headerValue: { exact: value } });
const SCALE = { setCanaryScale: { weight: 20 } };
const beta = (...matches: object[]): AlbStack => ({ routes: ['beta'], steps: [SCALE, header('beta', ...matches)] });
const weights = (...each: (number | undefined)[]) => ({
  experiment: { templates: each.map((weight) => ({ name: 'a', specRef: 'canary', ...(weight && { weight }) })) },
});
const PREFIX = 'alb.ingress.kubernetes.io';
const SCHEME = { [`${PREFIX}/scheme`]: 'internal' };
const TARGETS = (type: string) => ({ ...SCHEME, [`${PREFIX}/target-type`]: type });
const NO_HOST = [{ http: { paths: [action('stable')] } }];
const TO_PORT = { service: { name: 'stable', port: { number: 80 } } };
const RESOURCE = {
  path: '/files',
  pathType: 'ImplementationSpecific',
  backend: { resource: { kind: 'Bucket', name: 'b' } },
};

describe('a stack behind an ALB', () => {
  it.each<[AlbStack, string[]]>([
    [{}, []],
    [{ alb: { servicePort: 0 } }, ['service-port-invalid, routing.alb.servicePort']],
    [{ alb: { servicePort: 1 }, ports: [1] }, []],
    [{ alb: { servicePort: 65535 }, ports: [65535] }, []],
    [{ alb: { servicePort: 65536 } }, ['service-port-invalid, routing.alb.servicePort']],
    [
      { alb: { servicePort: 81 } },
      ['service-without-port, routing.alb.servicePort', 'service-without-port, routing.alb.servicePort'],
    ],
    [{ ports: [8080, 80] }, []],
    [
      { alb: { stickinessConfig: { enabled: true, durationSeconds: 0 } } },
      ['stickiness-range, routing.alb.stickinessConfig.durationSeconds'],
    ],
    [{ alb: { stickinessConfig: { enabled: true, durationSeconds: 1 } } }, []],
    [{ alb: { stickinessConfig: { enabled: true, durationSeconds: 604800 } } }, []],
    [
      { alb: { stickinessConfig: { enabled: true, durationSeconds: 604801 } } },
      ['stickiness-range, routing.alb.stickinessConfig.durationSeconds'],
    ],
    [{ alb: { stickinessConfig: { enabled: false, durationSeconds: 0 } } }, []],
    [{ alb: { stickinessConfig: { enabled: true } } }, []],
    [{ alb: { annotationPrefix: PREFIX } }, []],
    [{ alb: { annotationPrefix: 'custom.example.com' } }, ['annotation-prefix, routing.alb.annotationPrefix']],
    [{ alb: { rootService: 'stable' } }, []],
    [{ alb: { rootService: 'root' }, paths: ['root'] }, ['root-service-frozen, routing.alb.rootService']],
    [
      {
        alb: { rootService: 'root' },
        paths: ['root'],
        canary: {
          pingPong: { pingService: 'stable', pongService: 'canary' },
          stableService: undefined,
          canaryService: undefined,
        },
      },
      [],
    ],
    [{ service: { annotations: { [`${PREFIX}/auth-type`]: 'oidc' } } }, ['service-auth, canary.stableService']],
    [{ service: { annotations: { [`${PREFIX}/healthcheck-path`]: '/' } } }, []],
    [{ annotations: TARGETS('ip'), namespaceLabels: {} }, ['no-readiness-gate, routing.alb']],
    [{ annotations: TARGETS('ip'), namespaceLabels: { 'elbv2.k8s.aws/pod-readiness-gate-inject': 'enabled' } }, []],
    [
      { annotations: TARGETS('ip'), namespaceLabels: { 'elbv2.k8s.aws/pod-readiness-gate-inject': 'disabled' } },
      ['no-readiness-gate, routing.alb'],
    ],
    [{ annotations: TARGETS('instance'), namespaceLabels: {} }, []],
    [{ annotations: TARGETS('ip') }, []],
  ])('%j', (stack, findings) => {
    expect(findingsOf(stack)).toEqual(findings);
  });
});

describe('header routes behind an ALB', () => {
  it.each<[AlbStack, string[]]>([
    [beta(exact('1')), []],
    [beta(exact('1', 'x'.repeat(40))), []],
    [beta(exact('1', 'x'.repeat(41))), ['header-limit, canary.steps[1].setHeaderRoute.match[0].headerName, step 1']],
    [beta(exact('1', 'Host')), ['header-limit, canary.steps[1].setHeaderRoute.match[0].headerName, step 1']],
    [beta(exact('1', 'x beta')), ['header-limit, canary.steps[1].setHeaderRoute.match[0].headerName, step 1']],
    [beta(exact('1', '')), ['header-limit, canary.steps[1].setHeaderRoute.match[0].headerName, step 1']],
    [beta(exact('1', "!#$%&'*+.^_`|~-09azAZ")), []],
    [beta(exact('1', 'x-beta:')), ['header-limit, canary.steps[1].setHeaderRoute.match[0].headerName, step 1']],
    [beta(exact('v'.repeat(128))), []],
    [beta(exact('v'.repeat(129))), ['header-limit, canary.steps[1].setHeaderRoute.match[0].headerValue, step 1']],
    [beta(exact('a*')), ['header-wildcard, canary.steps[1].setHeaderRoute.match[0].headerValue.exact, step 1']],
    [beta(exact('a?')), ['header-wildcard, canary.steps[1].setHeaderRoute.match[0].headerValue.exact, step 1']],
    [beta(exact('1'), exact('2'), exact('3')), []],
    [
      beta(exact('1'), exact('2'), exact('3'), exact('4')),
      ['header-limit, canary.steps[1].setHeaderRoute.match, step 1'],
    ],
    [beta(exact('1'), exact('2'), exact('1', 'y')), []],
    [
      beta(exact('1'), exact('2'), exact('1', 'y'), exact('2', 'y')),
      ['header-limit, canary.steps[1].setHeaderRoute.match, step 1'],
    ],
    [{ ...beta(exact('1'), exact('2'), exact('1', 'y'), exact('2', 'y')), rules: NO_HOST }, []],
    [
      { ...beta(exact('1'), exact('2'), exact('1', 'y'), exact('2', 'y'), exact('1', 'z')), rules: NO_HOST },
      ['header-limit, canary.steps[1].setHeaderRoute.match, step 1'],
    ],
    [
      { routes: ['beta'], steps: [header('beta', exact('1')), SCALE] },
      ['header-before-canary, canary.steps[0].setHeaderRoute, step 0'],
    ],
    [
      { routes: ['beta'], steps: [header('beta', exact('1'))] },
      ['header-before-canary, canary.steps[0].setHeaderRoute, step 0'],
    ],
    [
      { routes: ['beta'], steps: [{ setCanaryScale: { replicas: 0 } }, header('beta', exact('1'))] },
      ['header-before-canary, canary.steps[1].setHeaderRoute, step 1'],
    ],
    [{ routes: ['beta'], steps: [{ setCanaryScale: { replicas: 1 } }, header('beta', exact('1'))] }, []],
    [{ routes: ['beta'], steps: [{ setWeight: 1 }, header('beta', exact('1'))] }, []],
    [{ routes: ['beta'], steps: [header('beta')] }, []],
    [{ routes: ['Beta'] }, ['route-name-invalid, routing.managedRoutes[0].name']],
    [{ routes: ['beta-'] }, ['route-name-invalid, routing.managedRoutes[0].name']],
    [{ routes: ['b'] }, []],
    [{ routes: ['a'.repeat(52)] }, []],
    [{ routes: ['a'.repeat(53)] }, ['route-name-invalid, routing.managedRoutes[0].name']],
    [{ routes: ['stable'] }, ['route-name-taken, routing.managedRoutes[0].name']],
    [{ routes: ['other'], paths: ['stable', 'other'] }, ['route-name-taken, routing.managedRoutes[0].name']],
  ])('%j', (stack, findings) => {
    expect(findingsOf(stack)).toEqual(findings);
  });
});

describe('experiments behind an ALB', () => {
  it.each<[AlbStack, string[]]>([
    [{ steps: [{ setWeight: 50 }, weights(30, 20)] }, []],
    [{ steps: [{ setWeight: 50 }, weights(30, 21)] }, ['weights-exceed, canary.steps[1].experiment, step 1']],
    [
      { steps: [weights(60, 40), { setWeight: 90 }, weights(10), { setWeight: 91 }, weights(10)] },
      ['weights-exceed, canary.steps[4].experiment, step 4'],
    ],
    [{ steps: [{ setWeight: 99 }, weights(undefined)] }, []],
    [
      { steps: [weights(10)], annotations: TARGETS('instance') },
      ['experiment-instance, canary.steps[0].experiment, step 0'],
    ],
    [{ steps: [weights(10)], annotations: TARGETS('ip') }, []],
    [
      { steps: [weights(10)], alb: { servicePort: 8080 }, ports: [8080] },
      ['experiment-port, canary.steps[0].experiment, step 0'],
    ],
    [{ steps: [weights(undefined)], alb: { servicePort: 8080 }, ports: [8080] }, []],
  ])('%j', (stack, findings) => {
    expect(findingsOf(stack)).toEqual(findings);
  });
});

describe('the Ingress of a stack', () => {
  it.each<[AlbStack, string[]]>([
    [
      { paths: [action('stable', { backend: TO_PORT })] },
      ['backend-not-use-annotation, Ingress shop, spec.rules[0].http.paths[0].backend.service.port'],
    ],
    [
      { paths: [action('stable', { backend: { service: { name: 'stable' } } })] },
      ['backend-not-use-annotation, Ingress shop, spec.rules[0].http.paths[0].backend.service.port'],
    ],
    [
      { paths: [action('stable', { backend: TO_PORT }), 'other'] },
      ['backend-not-use-annotation, Ingress shop, spec.rules[0].http.paths[0].backend.service.port'],
    ],
    [{ paths: ['stable', RESOURCE] }, ['resource-backend, Ingress shop, spec.rules[0].http.paths[1].backend']],
    [{ paths: [RESOURCE, 'stable'] }, []],
    [
      { paths: ['stable', RESOURCE, action('stable', { path: '/b' }), RESOURCE] },
      [
        'resource-backend, Ingress shop, spec.rules[0].http.paths[1].backend',
        'resource-backend, Ingress shop, spec.rules[0].http.paths[3].backend',
      ],
    ],
    [
      { annotations: { [`${PREFIX}/actions.stable`]: '{}' } },
      ['action-in-manifest, Ingress shop, metadata.annotations["alb.ingress.kubernetes.io/actions.stable"]'],
    ],
    [{ annotations: { [`${PREFIX}/actions.other`]: '{}' } }, []],
    [
      { alb: { annotationPrefix: 'custom.example.com' }, annotations: { 'custom.example.com/actions.stable': '{}' } },
      [
        'action-in-manifest, Ingress shop, metadata.annotations["custom.example.com/actions.stable"]',
        'annotation-prefix, routing.alb.annotationPrefix',
      ],
    ],
    [{ annotations: {} }, []],
    [{ annotations: {}, routes: ['beta'] }, ['ingress-without-annotations, Ingress shop, metadata']],
    [
      { routes: ['beta'], rules: [{ host: 'a.example.com' }, ...NO_HOST] },
      ['rule-without-paths, Ingress shop, spec.rules[0]'],
    ],
    [{ rules: [{ host: 'a.example.com' }, ...NO_HOST] }, []],
    [
      { ...beta(exact('1')), annotations: { [`${PREFIX}/use-regex-path-match`]: 'true' } },
      ['header-regex-path, Ingress shop, metadata.annotations["alb.ingress.kubernetes.io/use-regex-path-match"]'],
    ],
    [{ ...beta(exact('1')), annotations: { [`${PREFIX}/use-regex-path-match`]: 'false' } }, []],
    [{ annotations: { [`${PREFIX}/use-regex-path-match`]: 'true' } }, []],
    [
      { ...beta(exact('1')), paths: [action('stable', { pathType: 'Prefix', path: '/' })] },
      ['header-path-type, Ingress shop, spec.rules[0].http.paths[0].pathType'],
    ],
    [{ paths: [action('stable', { pathType: 'Prefix', path: '/' })] }, []],
    [
      { ...beta(exact('1')), paths: ['stable', 'other'] },
      ['header-route-leaks, Ingress shop, spec.rules[0].http.paths[1]'],
    ],
    [
      { ...beta(exact('1')), paths: ['stable', action('beta', { path: '/b' })] },
      ['route-name-taken, routing.managedRoutes[0].name'],
    ],
    [
      { ...beta(exact('1')), paths: ['stable', action('other', { pathType: 'Exact', path: '/b' })] },
      ['header-route-leaks, Ingress shop, spec.rules[0].http.paths[1]'],
    ],
    [
      { alb: { rootService: 'r'.repeat(55) }, paths: ['r'.repeat(55)] },
      ['root-service-frozen, routing.alb.rootService'],
    ],
    [
      { alb: { rootService: 'r'.repeat(56) }, paths: ['r'.repeat(56)] },
      ['action-name-too-long, routing.alb.rootService', 'root-service-frozen, routing.alb.rootService'],
    ],
    [
      { canary: { stableService: 's'.repeat(56) }, paths: ['s'.repeat(56)] },
      ['action-name-too-long, canary.stableService'],
    ],
  ])('%j', (stack, findings) => {
    expect(findingsOf(stack)).toEqual(findings);
  });
});

describe('two Rollouts behind an ALB', () => {
  it.each<[AlbStack, string[]]>([
    [{ more: other({ ingress: 'shop', servicePort: 80 }) }, []],
    [
      { more: other({ ingress: 'shop', servicePort: 80, rootService: 'stable' }) },
      ['action-shared, Rollout store, routing.alb', 'root-service-frozen, Rollout store, routing.alb.rootService'],
    ],
    [
      { more: other({ ingress: 'other', servicePort: 80, rootService: 'stable' }) },
      ['root-service-frozen, Rollout store, routing.alb.rootService'],
    ],
    [
      { more: other({ ingress: 'shop', servicePort: 80 }, { canaryService: 'canary' }) },
      ['argo-service-shared, Rollout store, canary.canaryService'],
    ],
    [{ alb: { ingress: undefined, ingresses: ['shop', 'second'] }, more: [ingress('second', NO_HOST, SCHEME)] }, []],
    [
      {
        alb: { ingress: undefined, ingresses: ['shop', 'second'] },
        more: [ingress('second', [{ http: { paths: [action('stable', { backend: TO_PORT })] } }], SCHEME)],
      },
      ['backend-not-use-annotation, Ingress second, spec.rules[0].http.paths[0].backend.service.port'],
    ],
  ])('%j', (stack, findings) => {
    expect(findingsOf(stack)).toEqual(findings);
  });
});
