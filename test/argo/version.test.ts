import { describe, expect, it, test } from 'vitest';
import { rewrittenByArgo } from '../../src/argo/gitops';
import { currentIngress } from '../../src/argo/ingress-versions';
import { ArgoRolloutsVersion } from '../../src/argo/version';
import { parseManifests, World } from '../../src/core';

describe('a release of Argo Rollouts', () => {
  it('is found by its number', () => {
    expect(ArgoRolloutsVersion.find('v1.9.1')).toBe(ArgoRolloutsVersion.V1_9_1);
    expect(ArgoRolloutsVersion.find('1.10.2')).toBe(ArgoRolloutsVersion.V1_10_2);
    expect(ArgoRolloutsVersion.find('1.0.0')).toBeUndefined();
    expect(ArgoRolloutsVersion.ALL.map(({ version }) => version)).toEqual(
      '1.7.0 1.7.1 1.7.2 1.8.0 1.8.1 1.8.2 1.8.3 1.8.4 1.8.5 1.9.0 1.9.1 1.9.2 1.9.3 1.10.0 1.10.1 1.10.2'.split(' '),
    );
    expect(String(ArgoRolloutsVersion.LATEST)).toBe('v1.9.1');
  });

  it('has the flags that its controller prints as help', () => {
    const first = [
      'alb-ingress-classes alb-verify-weight ambassador-api-version analysis-threads appmesh-crd-version as',
      'as-group as-uid aws-verify-target-group burst certificate-authority client-certificate client-key cluster',
      'context controllers disable-compression experiment-threads healthzPort help ingress-api-version',
      'ingress-threads insecure-skip-tls-verify instance-id istio-api-version kloglevel kubeconfig leader-elect',
      'leader-election-lease-duration leader-election-renew-deadline leader-election-retry-period logformat',
      'loglevel metricsport namespace namespaced nginx-ingress-classes password proxy-url qps request-timeout',
      'rollout-resync rollout-threads self-service-notification-enabled server service-threads tls-server-name',
      'token traefik-api-group traefik-api-version traffic-split-api-version user username version',
    ].flatMap((line) => line.split(' '));
    const since19 = [
      ...['alb-tag-key-resource-id', 'aws-target-group-binding-api-version', 'ephemeral-metadata-threads'],
      ...['ephemeral-metadata-update-pod-retries', 'metricsPort'],
    ];
    for (const { version, facts } of ArgoRolloutsVersion.ALL) {
      const isSince = (minor: number) => Number(version.split('.')[1]) >= minor;
      const expected = [...first, ...(isSince(8) ? ['enable-pprof-address'] : []), ...(isSince(9) ? since19 : [])];
      expect([...facts.flags].sort(), version).toEqual(expected.sort());
    }
  });

  it('may be one of your own', () => {
    const own = ArgoRolloutsVersion.of('v1.9.1-build.2', { awsApiFlags: false });
    expect([own.version, own.facts.awsApiFlags]).toEqual(['1.9.1-build.2', false]);
    expect(own.facts).toEqual({ ...ArgoRolloutsVersion.V1_9_1.facts, awsApiFlags: false });
  });

  test.each(['1.9', 'latest', '1.9.1.2', '1.9.1-', 'vv1.9.1', ''])('has a number: %j', (version) => {
    expect(() => ArgoRolloutsVersion.of(version)).toThrow(
      `Argo Rollouts version "${version}" is not a version: write it as in "1.9.1"`,
    );
  });
});

describe('an Ingress of v1beta1', () => {
  const ingress = (apiVersion: string, spec: object) =>
    ({ apiVersion, kind: 'Ingress', metadata: { name: 'web' }, spec }) as never;
  const OLD = 'networking.k8s.io/v1beta1';

  it('has other backends in v1', () => {
    const paths = [
      { path: '/', backend: { serviceName: 'web', servicePort: 80 } },
      { pathType: 'Exact', backend: { serviceName: 'web', servicePort: 'http' } },
      { backend: { resource: { kind: 'Bucket' } } },
    ];
    expect(currentIngress(ingress(OLD, { tls: [], rules: [{ host: 'a', http: { paths } }, { host: 'b' }] }))).toEqual(
      ingress(OLD, {
        tls: [],
        rules: [
          {
            host: 'a',
            http: {
              paths: [
                {
                  path: '/',
                  pathType: 'ImplementationSpecific',
                  backend: { service: { name: 'web', port: { number: 80 } } },
                },
                { pathType: 'Exact', backend: { service: { name: 'web', port: { name: 'http' } } } },
                { pathType: 'ImplementationSpecific', backend: { resource: { kind: 'Bucket' } } },
              ],
            },
          },
          { host: 'b' },
        ],
      }),
    );
  });

  it('stays as it is without rules, and in v1', () => {
    const [bare, current] = [ingress(OLD, {}), ingress('networking.k8s.io/v1', { rules: [{ http: { paths: [{}] } }] })];
    expect(currentIngress(bare)).toBe(bare);
    expect(currentIngress(current)).toBe(current);
  });
});

describe('what Argo rewrites in objects of others', () => {
  const rewritten = (yaml: string) =>
    rewrittenByArgo(World.of(parseManifests(yaml, 'a.yaml').manifests)).map(
      ({ object: { kind, namespace, name }, pointers }) => `${kind} ${namespace}/${name} ${pointers.join(' ')}`,
    );
  const rollout = (spec: string, namespace = ', namespace: shop') =>
    `apiVersion: argoproj.io/v1alpha1\nkind: Rollout\nmetadata: {name: web${namespace}}\nspec: ${spec}\n`;
  const CANARY = 'canaryService: web-canary, stableService: web-stable';
  const ingress = (annotations: string) =>
    `---\napiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: front, namespace: shop, annotations: {${annotations}}}\nspec: {}\n`;

  it('are the selectors of its Services', () => {
    expect(rewritten(rollout(`{strategy: {canary: {${CANARY}}}}`))).toEqual([
      'Service shop/web-canary /spec/selector/rollouts-pod-template-hash',
      'Service shop/web-stable /spec/selector/rollouts-pod-template-hash',
    ]);
    expect(rewritten(rollout(`{strategy: {canary: {${CANARY}}}}`, ''))).toHaveLength(2);
    expect(rewritten(rollout(`{strategy: {canary: {${CANARY}}}}`, ''))[0]).toContain('Service undefined/web-canary');
  });

  it('are the replicas of a Deployment that it scales down', () => {
    const scaled = (ref: string) => rewritten(rollout(`{workloadRef: {${ref}}, strategy: {canary: {}}}`));
    const deployment = 'apiVersion: apps/v1, kind: Deployment, name: app';
    expect(scaled(`${deployment}, scaleDown: progressively`)).toEqual(['Deployment shop/app /spec/replicas']);
    expect(scaled(`${deployment}, scaleDown: never`)).toEqual([]);
    expect(scaled(deployment)).toEqual([]);
    expect(scaled('apiVersion: apps/v1, kind: ReplicaSet, name: app, scaleDown: onsuccess')).toEqual([]);
  });

  it('are the actions and conditions of an Ingress that a manifest declares, and its rules for header routes', () => {
    const alb = (more: string) =>
      rollout(`{strategy: {canary: {${CANARY}, trafficRouting: {${more}alb: {ingress: front, servicePort: 80}}}}}`);
    const found = (yaml: string) => rewritten(yaml).filter((text) => text.startsWith('Ingress'));
    const key = 'alb.ingress.kubernetes.io/actions.web-stable';
    expect(found(`${alb('')}${ingress('')}`)).toEqual([]);
    expect(found(`${alb('')}${ingress(`${key}: "{}"`)}`)).toEqual([
      'Ingress shop/front /metadata/annotations/alb.ingress.kubernetes.io~1actions.web-stable',
    ]);
    expect(
      found(`${alb('managedRoutes: [{name: beta}], ')}${ingress('alb.ingress.kubernetes.io/conditions.beta: "[]"')}`),
    ).toEqual(['Ingress shop/front /metadata/annotations/alb.ingress.kubernetes.io~1conditions.beta /spec/rules']);
  });

  it('may be asked for some Rollouts only', () => {
    const world = World.of(parseManifests(rollout(`{strategy: {canary: {${CANARY}}}}`), 'a.yaml').manifests);
    expect(rewrittenByArgo(world, () => false)).toEqual([]);
  });
});
