/** Input that once took for ever, or all memory: each ends soon, and says what it did not look at. */
import { describe, expect, it } from 'vitest';
import { checkStack } from '../../src/check';
import { parseManifests, World } from '../../src/core';
import { objectsOf } from '../rehearsal/stack';

const LONG = 'a'.repeat(40);

const text = (...objects: readonly object[]) => objects.map((object) => JSON.stringify(object)).join('\n---\n');

/** A release behind ingress-nginx with these paths. */
function nginx(paths: readonly string[], steps: readonly object[] = [{ traffic: '20%' }, { traffic: '100%' }]): string {
  const objects = objectsOf({
    steps: steps.map((step) => ({ replicas: '20%', ...step })),
    annotations: { 'nginx.ingress.kubernetes.io/use-regex': 'true' },
    ingressClassName: 'nginx',
    port: { number: 80 },
    route: { ingress: { name: 'web', classType: 'nginx' } },
  } as unknown as Parameters<typeof objectsOf>[0]);
  const backend = { service: { name: 'web', port: { number: 80 } } };
  const http = { paths: paths.map((path) => ({ path, pathType: 'ImplementationSpecific', backend })) };
  return text(
    ...objects.map((object) => {
      const { kind, spec } = object as { kind: string; spec: object };
      return kind === 'Ingress'
        ? { ...object, spec: { ...spec, rules: [{ host: 'shop.example.com', http }] } }
        : object;
    }),
  );
}

const header = (value: string) => [
  { matches: [{ headers: [{ type: 'RegularExpression', name: 'x-a', value }] }] },
  { traffic: '100%' },
];

const metric = text({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AnalysisTemplate',
  metadata: { name: 'a', namespace: 'shop' },
  spec: {
    metrics: [{ name: `${LONG}!`, provider: { web: { url: 'https://example.com' } } }],
    dryRun: [{ metricName: '(a+)+$' }],
  },
});

const ingressRoute = (match: string) =>
  text({
    apiVersion: 'traefik.io/v1alpha1',
    kind: 'IngressRoute',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { routes: [{ match, kind: 'Rule', services: [{ name: 'web', port: 80 }] }] },
  });

const argo = (headers: number) =>
  text(
    {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Rollout',
      metadata: { name: 'web', namespace: 'shop' },
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } },
        strategy: {
          canary: {
            stableService: 'web',
            canaryService: 'web-canary',
            trafficRouting: { managedRoutes: [{ name: 'h' }], alb: { ingress: 'web', servicePort: 80 } },
            steps: [
              { setCanaryScale: { replicas: 1 } },
              {
                setHeaderRoute: {
                  name: 'h',
                  match: Array.from({ length: headers }, (_, index) => ({
                    headerName: `x-${index}`,
                    headerValue: { exact: 'v' },
                  })),
                },
              },
              { pause: {} },
            ],
          },
        },
      },
    },
    ...['web', 'web-canary'].map((name) => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace: 'shop' },
      spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] },
    })),
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'web', namespace: 'shop', annotations: { 'alb.ingress.kubernetes.io/target-type': 'ip' } },
      spec: {
        ingressClassName: 'alb',
        rules: [
          {
            host: 'shop.example.com',
            http: {
              paths: [
                {
                  path: '/',
                  pathType: 'Prefix',
                  backend: { service: { name: 'web', port: { name: 'use-annotation' } } },
                },
              ],
            },
          },
        ],
      },
    },
  );

const configMap = (data: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\ndata:\n${data}`;

function rulesOf(input: string): string[] {
  const { manifests, findings } = parseManifests(input, 'hostile.yaml');
  return checkStack(World.of(manifests), { earlier: findings }).findings.map(({ rule }) => rule);
}

describe('a check ends soon', () => {
  it.each<[string, string, string]>([
    ['a name of a metric as an expression that backtracks', metric, 'argo-metric-rule-unmatched'],
    ['a path that looks ahead and backtracks', nginx([`/(?!${'x'.repeat(80)})(a+)+$`, `/${LONG}!`]), ''],
    ['a path with nested look-aheads', nginx([`/(?=(?=(?=(a|b)*c)*d)*e)(a?){50}a{50}`, `/${'a'.repeat(5000)}!`]), ''],
    ['a path with a back-reference', nginx(['/(a+)+\\1$', `/${LONG}!`]), ''],
    ['a header that looks ahead and backtracks', nginx(['/'], header(`(?!x)(a+)+$`)), ''],
    ['a header with a back-reference', nginx(['/'], header('(a+)+\\1$')), 'rehearsal-match-unsent'],
    ['a rule of Traefik that opens 20,000 functions', ingressRoute('Host('.repeat(20_000)), ''],
    ['10,000 headers of one route', argo(10_000), 'rehearsal-match-unsent'],
    ['950,000 values in 2 MB', configMap(`  a: [${'1,'.repeat(950_000)}1]\n`), 'too-much-input'],
    [
      '200,000 keys',
      configMap(Array.from({ length: 200_000 }, (_, index) => `  key${index}: value\n`).join('')),
      'too-much-input',
    ],
    [
      'a list of 3 million numbers in JSON',
      `{"apiVersion":"v1","kind":"A","a":[${'1,'.repeat(3_000_000)}1]}`,
      'too-much-input',
    ],
    [
      'a host of 300,000 letters',
      text({
        apiVersion: 'gateway.networking.k8s.io/v1',
        kind: 'HTTPRoute',
        metadata: { name: 'a', namespace: 'b' },
        spec: { hostnames: [`${'a'.repeat(300_000)}!`] },
      }),
      'field-invalid',
    ],
  ])(
    'with %s',
    (_name, input, rule) => {
      const rules = rulesOf(input);
      if (rule !== '') expect(rules).toContain(rule);
      expect(rules).toBeDefined();
    },
    10_000,
  );
});
