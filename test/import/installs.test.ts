/** Installs of controllers, and permissions for them: what their constructs write becomes the constructs again. */
import { App, Chart } from 'cdk8s';
import { describe, expect, it } from 'vitest';
import {
  ArgoRolloutsInstall,
  ArgoRolloutsVersion,
  GatewayKind,
  GatewayRoleBinding,
  KruiseRolloutInstall,
  KruiseRolloutVersion,
  KtEnvInstall,
  KtEnvWebhookCertificate,
  KtVirtualEnvironment,
  LuaRoutingConfigMap,
  LuaScripts,
} from '../../src/constructs';
import { Manifest } from '../../src/core';
import type { Json, JsonObject } from '../../src/core/json';
import type { Target } from '../../src/import';
import { importProgram } from '../../src/synthesis';

/** The objects of a chart, as `import` reads them. */
function manifestsOf(add: (chart: Chart) => void): Manifest[] {
  const chart = new Chart(new App(), 'stack', { disableResourceNameHashes: true });
  add(chart);
  return (chart.toJson() as JsonObject[]).map((object) => Manifest.of(JSON.parse(JSON.stringify(object))));
}

function imported(manifests: readonly Manifest[], target: Target = 'cdk8s') {
  const { text, plan, fallbacks } = importProgram(manifests, { target, inputs: ['stack.yaml'] });
  const said = fallbacks.map(({ manifest, construct, reasons }) => `${manifest.name}: ${construct}: ${reasons}`);
  return { text, classes: plan.statements.map((statement) => statement.class), said };
}

/** What is printed as the props of the only construct of a kind, in one line. */
function propsIn(text: string, construct: string): string {
  const start = text.indexOf(`new ${construct}(`);
  const [call = ''] = text.slice(start).split(/\}\);\n/);
  return `${call.slice(call.indexOf('{'))}}`
    .replace(/\s+/g, ' ')
    .replace(/, ([}\])])/g, ' $1')
    .replace(/\[ | \]/g, (two) => two.trim());
}

/** Every option that is not the default. */
const KRUISE = {
  version: KruiseRolloutVersion.V0_5_5,
  namespace: 'rollouts',
  createNamespace: true,
  namespaceLabels: { team: 'platform' },
  crds: 'remove',
  replicas: 3,
  image: { repository: 'mirror.example.com:5000/kruise-rollout', digest: `sha256:${'a'.repeat(64)}` },
  imagePullPolicy: 'Always',
  resources: { requests: { cpu: '1' } },
  featureGates: { RolloutHistory: true },
  logLevel: 5,
  extraArgs: ['--rollout-workers=10'],
  extraEnv: [{ name: 'HTTP_PROXY', value: 'http://proxy' }],
  webhookPort: 9443,
  healthPort: 9090,
  metrics: { port: 8085, serviceMonitor: { labels: { release: 'prometheus' }, interval: '30s' } },
  podDisruptionBudget: { minAvailable: 2 },
  networkPolicy: { apiServerCidrs: ['10.0.0.1/32'], metricsFrom: [{ namespaceSelector: { matchLabels: { a: 'b' } } }] },
  objectSelector: [{ key: 'team', operator: 'In', values: ['shop'] }],
  serviceAccountAnnotations: { owner: 'platform' },
  permissions: { istio: false, gatewayApi: false },
  labels: { managed: 'cdk8s' },
  imagePullSecrets: ['registry'],
  nodeSelector: { pool: 'system' },
  tolerations: [{ key: 'system', operator: 'Exists' }],
  priorityClassName: 'high',
  podLabels: { app: 'rollouts' },
  podAnnotations: { note: 'kept' },
} as const;

const ARGO = {
  version: ArgoRolloutsVersion.V1_8_5,
  namespace: 'rollouts',
  namespaceLabels: { team: 'platform' },
  namespaceAnnotations: { owner: 'platform' },
  crds: 'skip',
  aggregateRoles: false,
  replicas: 1,
  image: { registry: 'mirror.example.com', tag: 'v1.8.5-own' },
  serviceAccountAnnotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/rollouts' },
  trafficRouters: ['alb', 'istio'],
  permissions: { analysisJobs: false },
  additionalRules: [{ apiGroups: ['example.com'], resources: ['routes'], verbs: ['get', 'update'] }],
  aws: { verifyTargetGroup: true, region: 'eu-west-1' },
  albIngressClasses: ['alb', 'internal'],
  instanceId: 'blue',
  logLevel: 'debug',
  logFormat: 'json',
  kubernetesLogLevel: 2,
  extraArgs: ['--rollout-threads=20'],
  extraVolumes: [{ name: 'certs', emptyDir: {} }],
  extraVolumeMounts: [{ name: 'certs', mountPath: '/certs' }],
  healthPort: 9000,
  metrics: { port: 9100, serviceAnnotations: { 'prometheus.io/scrape': 'true' }, serviceMonitor: {} },
  podDisruptionBudget: { maxUnavailable: 1 },
  plugins: { trafficRouters: [{ name: 'example/router', location: 'https://example.com/router' }] },
  notifications: { config: { 'service.slack': 'token: $slack' }, selfService: true },
  dashboard: { readOnly: true, rootPath: 'shop' },
  labels: { managed: 'cdk8s' },
} as const;

const CORP = {
  cdk8s: "certificate: KtEnvWebhookCertificate.fromCertManager({ name: 'corp', kind: 'ClusterIssuer' })",
  pulumi: "certificate: { from: 'cert-manager', issuer: { name: 'corp', kind: 'ClusterIssuer' } }",
};
const CERTIFICATE = KtEnvWebhookCertificate.fromCertManager({ name: 'corp', kind: 'ClusterIssuer' });

describe.each(['cdk8s', 'pulumi'] as const)('an install, imported for %s', (target) => {
  it('of Kruise Rollouts with its defaults has no props', () => {
    const { text, classes, said } = imported(
      manifestsOf((chart) => new KruiseRolloutInstall(chart, 'Kruise')),
      target,
    );
    expect({ classes, said }).toEqual({ classes: ['KruiseRolloutInstall'], said: [] });
    expect(propsIn(text, 'KruiseRolloutInstall')).toBe('{}');
  });

  it('of Kruise Rollouts has every option', () => {
    const manifests = manifestsOf((chart) => new KruiseRolloutInstall(chart, 'Kruise', KRUISE));
    const { text, classes, said } = imported(manifests, target);
    expect({ classes, said }).toEqual({ classes: ['KruiseRolloutInstall'], said: [] });
    const props = propsIn(text, 'KruiseRolloutInstall');
    for (const name of Object.keys(KRUISE)) {
      // The Namespace is there by default.
      if (name !== 'createNamespace') expect(props).toContain(`${name}:`);
    }
    expect(props).toContain("version: KruiseRolloutVersion.of('0.5.5')");
  });

  it('of Argo Rollouts with its defaults has no props', () => {
    const { text, classes, said } = imported(
      manifestsOf((chart) => new ArgoRolloutsInstall(chart, 'Argo')),
      target,
    );
    expect({ classes, said }).toEqual({ classes: ['ArgoRolloutsInstall'], said: [] });
    expect(propsIn(text, 'ArgoRolloutsInstall')).toBe('{}');
  });

  it('of Argo Rollouts has every option', () => {
    const manifests = manifestsOf((chart) => new ArgoRolloutsInstall(chart, 'Argo', ARGO));
    const { text, classes, said } = imported(manifests, target);
    expect({ classes, said }).toEqual({ classes: ['ArgoRolloutsInstall'], said: [] });
    const props = propsIn(text, 'ArgoRolloutsInstall');
    const isImplied = ['version', 'podDisruptionBudget'];
    for (const name of Object.keys(ARGO)) if (!isImplied.includes(name)) expect(props).toContain(`${name}:`);
  });

  it('of KtEnv has its certificate and labels', () => {
    const manifests = manifestsOf((chart) => {
      new KtVirtualEnvironment(chart, 'Shop', { namespace: 'shop', envLabel: { name: 'stage' } });
      new KtEnvInstall(chart, 'KtEnv', { certificate: CERTIFICATE, replicas: 3, failurePolicy: 'Ignore' });
    });
    const { text, classes, said } = imported(manifests, target);
    expect({ classes: classes.sort(), said }).toEqual({ classes: ['KtEnvInstall', 'KtVirtualEnvironment'], said: [] });
    expect(propsIn(text, 'KtEnvInstall')).toContain(CORP[target]);
    expect(propsIn(text, 'KtEnvInstall')).toContain(`envLabels: ['stage'], replicas: 3, failurePolicy: 'Ignore' }`);
  });

  it('brings the roles for further kinds of traffic routing', () => {
    const manifests = manifestsOf((chart) => {
      const install = new KruiseRolloutInstall(chart, 'Kruise');
      new GatewayRoleBinding(chart, 'Contour', { install, kinds: [GatewayKind.CONTOUR_HTTP_PROXY] });
    });
    const { text, classes, said } = imported(manifests, target);
    expect({ classes, said }).toEqual({ classes: ['KruiseRolloutInstall', 'GatewayRoleBinding'], said: [] });
    expect(propsIn(text, 'GatewayRoleBinding')).toContain('install: kruiseRolloutControllerManagerDeployment');
  });
});

describe('an imported install', () => {
  it('restarts with its scripts, if they are those of the digest', () => {
    const manifests = manifestsOf((chart) => {
      const scripts = new LuaRoutingConfigMap(chart, 'Scripts', { scripts: [LuaScripts.fromLibrary('aws-alb')] });
      new KruiseRolloutInstall(chart, 'Kruise', { scripts });
    });
    const { text, said } = imported(manifests);
    expect(said).toEqual([]);
    expect(propsIn(text, 'KruiseRolloutInstall')).toBe('{ scripts: kruiseRolloutConfigurationConfigMap }');
    const others = manifests.map((manifest) =>
      manifest.kind === 'ConfigMap' ? Manifest.of({ ...manifest.object, data: {} }) : manifest,
    );
    expect(propsIn(imported(others).text, 'KruiseRolloutInstall')).toContain('podAnnotations: ');
  });

  it('gives roles to an install that is elsewhere', () => {
    const install = KruiseRolloutInstall.fromExisting({ version: KruiseRolloutVersion.NEXT, namespace: 'rollouts' });
    const kinds = [GatewayKind.APISIX_ROUTE, GatewayKind.TRAEFIK_SERVICE];
    const { text, said } = imported(manifestsOf((chart) => new GatewayRoleBinding(chart, 'Roles', { install, kinds })));
    expect(said).toEqual([]);
    expect(propsIn(text, 'GatewayRoleBinding')).toContain(
      "KruiseRolloutInstall.fromExisting({ namespace: 'rollouts', version: KruiseRolloutVersion.of('0.7.0-next'), grantedKinds: [] })",
    );
  });

  it('stays as it is after an edit, with the edit as the reason', () => {
    const manifests = manifestsOf((chart) => new KruiseRolloutInstall(chart, 'Kruise')).map((manifest) =>
      manifest.kind === 'ValidatingWebhookConfiguration' ? withFailurePolicy(manifest) : manifest,
    );
    const { text, classes, said } = imported(manifests);
    expect(new Set(classes)).toEqual(new Set(['ApiObject']));
    expect(said).toEqual([
      'kruise-rollout-controller-manager: KruiseRolloutInstall: ValidatingWebhookConfiguration.webhooks[0].failurePolicy is "Ignore", and would be "Fail"',
    ]);
    expect(text).toContain('// not a KruiseRolloutInstall: ');
  });

  it('stays as it is without a namespace, which kustomize adds later', () => {
    const manifests = manifestsOf((chart) => new ArgoRolloutsInstall(chart, 'Argo', { crds: 'skip' })).map(
      (manifest) => {
        const { namespace: _, ...metadata } = manifest.object.metadata as JsonObject;
        return Manifest.of({ ...manifest.object, metadata });
      },
    );
    expect(imported(manifests).said).toEqual([
      'argo-rollouts: ArgoRolloutsInstall: it names no namespace, which an ArgoRolloutsInstall gives its objects',
    ]);
  });

  it('of KtEnv stays as it is if the construct would serve more labels', () => {
    const manifests = manifestsOf((chart) => new KtEnvInstall(chart, 'KtEnv'));
    const environment = manifestsOf(
      (chart) => new KtVirtualEnvironment(chart, 'Shop', { namespace: 'shop', envLabel: { name: 'stage' } }),
    );
    expect(imported([...manifests, ...environment]).said).toEqual([
      expect.stringMatching(/KtEnvInstall: the construct adds the label stage of a VirtualEnvironment/),
    ]);
  });
});

function withFailurePolicy(manifest: Manifest): Manifest {
  const webhooks = (manifest.object.webhooks as JsonObject[]).map((one) => ({ ...one, failurePolicy: 'Ignore' }));
  return Manifest.of({ ...manifest.object, webhooks: webhooks as Json });
}
