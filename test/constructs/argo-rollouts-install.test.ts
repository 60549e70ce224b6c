import { ApiObject, Chart, JsonPatch, Testing } from 'cdk8s';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { argoInstall } from '../../src/argo/install';
import { ArgoRolloutsInstall, type ArgoRolloutsInstallProps, ArgoRolloutsVersion } from '../../src/constructs';
import { INSTALLS, ROLE, VERIFIED } from '../argo/install/installs';

// biome-ignore lint/suspicious/noExplicitAny: manifests of many kinds
type Objects = any[];

function synth(props: ArgoRolloutsInstallProps = {}): Objects {
  const chart = Testing.chart();
  new ArgoRolloutsInstall(chart, 'ArgoRollouts', props);
  return Testing.synth(chart);
}

function errorOf(make: () => unknown): string {
  try {
    make();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

let stderr: string;
beforeEach(() => {
  stderr = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += text;
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('an install', () => {
  test.each(INSTALLS)('%s', async (name, props) => {
    const objects = synth(props);
    expect(stderr).toBe('');
    await expect(toText(objects)).toMatchFileSnapshot(`__snapshots__/argo-rollouts-install-${name}.json`);
  });

  test('has exactly the objects of the function', () => {
    const props = { dashboard: {}, aws: VERIFIED, serviceAccountAnnotations: ROLE };
    expect(synth(props)).toEqual(argoInstall(props));
  });

  test('the controller’s Deployment is the default child, also with a dashboard', () => {
    const install = new ArgoRolloutsInstall(Testing.chart(), 'ArgoRollouts', { dashboard: {} });
    expect(ApiObject.of(install).name).toBe('argo-rollouts');
    expect(ApiObject.of(install).kind).toBe('Deployment');
  });

  test('leaves objects without namespace without one, whatever the chart’s is', () => {
    const chart = new Chart(Testing.app(), 'test', { namespace: 'elsewhere' });
    new ArgoRolloutsInstall(chart, 'ArgoRollouts', { dashboard: {} });
    const namespaces = new Set(Testing.synth(chart).map(({ metadata }) => metadata.namespace));
    expect(namespaces).toEqual(new Set([undefined, 'argo-rollouts']));
  });

  test('two of one namespace each live side by side', () => {
    const chart = Testing.chart();
    new ArgoRolloutsInstall(chart, 'A', { namespaced: true, namespace: 'a' });
    new ArgoRolloutsInstall(chart, 'B', { namespaced: true, namespace: 'b' });
    expect(Testing.synth(chart)).toHaveLength(2 * argoInstall({ namespaced: true, namespace: 'a' }).length);
  });

  test('exposes what other constructs need', () => {
    const install = new ArgoRolloutsInstall(Testing.chart(), 'ArgoRollouts', {
      namespaced: true,
      namespace: 'shop',
      serviceAccountName: 'rollouts',
      version: ArgoRolloutsVersion.V1_8_3,
      albIngressClasses: ['internal'],
    });
    const { namespace, namespaced, serviceAccountName, version, albIngressClasses } = install;
    expect({ namespace, namespaced, serviceAccountName, version, albIngressClasses }).toEqual({
      namespace: 'shop',
      namespaced: true,
      serviceAccountName: 'rollouts',
      version: ArgoRolloutsVersion.V1_8_3,
      albIngressClasses: ['internal'],
    });
    expect(ArgoRolloutsInstall.fromExisting()).toEqual({
      namespace: 'argo-rollouts',
      namespaced: false,
      serviceAccountName: 'argo-rollouts',
      version: ArgoRolloutsVersion.LATEST,
      albIngressClasses: ['alb'],
    });
    expect(ArgoRolloutsInstall.fromExisting({ namespace: 'a', albIngressClasses: ['b'] })).toMatchObject({
      namespace: 'a',
      albIngressClasses: ['b'],
    });
  });
});

describe('a mistake is reported when the construct is created', () => {
  const secret = 'c'.repeat(63);
  const plugin = { name: 'acme/step', location: 'file:///plugins/step' };
  test.each<[string, ArgoRolloutsInstallProps, string]>([
    ['a namespace that is no name', { namespace: 'Argo' }, 'namespace is "Argo": must be at most 63'],
    ['no namespace to look after', { namespaced: true }, 'namespaced is set, but no namespace'],
    ['no replica', { replicas: 0 }, 'replicas is 0: must be a whole number from 1 on'],
    ['half a dashboard', { dashboard: { replicas: 0.5 } }, 'dashboard.replicas is 0.5'],
    ['a registry with a scheme', { image: { registry: 'https://a' } }, 'image.registry is "https://a": must be a host'],
    ['a tag in the repository', { image: { repository: 'a/b:v1' } }, 'image.repository is "a/b:v1"'],
    ['a tag with a colon', { dashboard: { image: { tag: ':v1' } } }, 'dashboard.image.tag is ":v1"'],
    ['half a digest', { image: { digest: 'sha256:12' } }, 'image.digest is "sha256:12"'],
    ['an account that is no name', { serviceAccountName: 'A b' }, 'serviceAccountName is "A b"'],
    [
      'annotations of an account of others',
      { serviceAccountName: 'a', serviceAccountAnnotations: ROLE },
      'serviceAccountAnnotations are set, but the ServiceAccount "a" is not part of the install',
    ],
    [
      'verification without region',
      { aws: { verifyTargetGroup: true } },
      'aws.verifyTargetGroup is set, but no region: set aws.region',
    ],
    [
      'a region of words',
      { aws: { region: 'Ireland' } },
      'aws.region is "Ireland": must be a region such as "eu-west-1"',
    ],
    [
      'verification without the router',
      { aws: VERIFIED, trafficRouters: ['istio'] },
      'aws.verifyTargetGroup is set, but trafficRouters has no "alb"',
    ],
    [
      'a flag that came later',
      {
        version: ArgoRolloutsVersion.V1_8_3,
        aws: { ...VERIFIED, targetGroupBindingApiVersion: 'eks.amazonaws.com/v1' },
      },
      'aws.targetGroupBindingApiVersion is set: v1.8.3 does not have the flag and would exit',
    ],
    [
      'a tag key for nothing',
      { aws: { resourceIdTagKey: 'a' } },
      'aws.resourceIdTagKey is set, but the controller verifies nothing',
    ],
    [
      'an empty tag key',
      { aws: { ...VERIFIED, resourceIdTagKey: '' } },
      'aws.resourceIdTagKey is "": must have 1 to 128',
    ],
    [
      'an API without version',
      { aws: { ...VERIFIED, targetGroupBindingApiVersion: 'eks.amazonaws.com' } },
      'aws.targetGroupBindingApiVersion is "eks.amazonaws.com": must be an API version such as "eks.amazonaws.com/v1"',
    ],
    [
      'a role twice',
      {
        aws: {
          ...VERIFIED,
          access: { serviceAccountAnnotations: ROLE, podAnnotations: {}, namespaceAnnotations: {}, env: [] },
        },
        serviceAccountAnnotations: ROLE,
      },
      'serviceAccountAnnotations has "eks.amazonaws.com/role-arn", which aws.access sets: keep one of them',
    ],
    [
      'a role for an account of others',
      {
        aws: {
          ...VERIFIED,
          access: { serviceAccountAnnotations: ROLE, podAnnotations: {}, namespaceAnnotations: {}, env: [] },
        },
        serviceAccountName: 'a',
      },
      'aws.access annotates the ServiceAccount (eks.amazonaws.com/role-arn), but "a" is not part of the install',
    ],
    [
      'classes in one',
      { albIngressClasses: ['alb, internal'] },
      'albIngressClasses has "alb, internal": the controller does not split at commas; write ["alb","internal"]',
    ],
    ['no class', { nginxIngressClasses: [] }, 'nginxIngressClasses is empty: add a class'],
    ['a class twice', { albIngressClasses: ['', ''] }, 'albIngressClasses has "" twice'],
    ['an instance that is no label', { instanceId: 'a b' }, 'instanceId is "a b": must be a valid label value'],
    ['a negative level', { kubernetesLogLevel: -1 }, 'kubernetesLogLevel is -1'],
    ['a port of root', { healthPort: 80 }, 'healthPort is 80: must be a whole number from 1024 to 65535'],
    ['a port twice', { healthPort: 9090, metrics: { port: 9090 } }, 'healthPort is 9090, the same as metrics.port'],
    [
      'the port of metrics',
      { healthPort: 8090, metrics: false },
      'healthPort is 8090, the same as the default metrics port 8090',
    ],
    [
      'the flag that documents speak of',
      { extraArgs: ['--aws-region=eu-west-1'] },
      'extraArgs has "--aws-region=eu-west-1", a flag that v1.9.1 does not have, so the controller would exit: set aws.region instead',
    ],
    [
      'a misspelt flag',
      { extraArgs: ['--rollouts-threads=20'] },
      'a flag that v1.9.1 does not have, so the controller would exit: did you mean "--rollout-threads"?',
    ],
    [
      'a flag of a later release',
      { version: ArgoRolloutsVersion.V1_8_3, extraArgs: ['--rollout-threads=1', '--alb-tag-key=a'] },
      'extraArgs has "--alb-tag-key=a", a flag that v1.8.3 does not have',
    ],
    [
      'a flag of the install',
      { extraArgs: ['--alb-ingress-classes=alb'] },
      'extraArgs has "--alb-ingress-classes=alb", which the install sets itself: set albIngressClasses instead',
    ],
    [
      'the old name of a flag of the install',
      { extraArgs: ['--alb-verify-weight'] },
      'extraArgs has "--alb-verify-weight", which the install sets itself: set aws.verifyTargetGroup instead',
    ],
    [
      'two controllers at once',
      { extraArgs: ['--leader-elect=false'] },
      'extraArgs has "--leader-elect=false", which the install sets itself: leave it out',
    ],
    ['no controller', { extraArgs: ['--version'] }, 'extraArgs has "--version", which does not run a controller'],
    ['a value apart', { extraArgs: ['--qps', '80'] }, 'extraArgs has "80": must be a flag such as'],
    ['a variable twice', { extraEnv: [{ name: 'A' }, { name: 'A' }] }, 'extraEnv has A twice'],
    [
      'the region twice',
      { aws: VERIFIED, extraEnv: [{ name: 'AWS_REGION' }] },
      'extraEnv has AWS_REGION, which aws.region sets',
    ],
    ['another namespace', { extraEnv: [{ name: 'POD_NAMESPACE' }] }, 'extraEnv has POD_NAMESPACE'],
    [
      'the interval that does harm',
      { extraEnv: [{ name: 'ROLLOUT_VERIFY_RETRY_INTERVAL', value: '10' }] },
      'extraEnv has ROLLOUT_VERIFY_RETRY_INTERVAL: the controller ignores a number',
    ],
    [
      'the label of the selector',
      { podLabels: { 'app.kubernetes.io/name': 'a' } },
      'podLabels has "app.kubernetes.io/name", which the install uses in its selectors',
    ],
    [
      'a volume of the install',
      { extraVolumes: [{ name: 'tmp', emptyDir: {} }] },
      'extraVolumes has "tmp", which already exists',
    ],
    [
      'a mount of nothing',
      { extraVolumeMounts: [{ name: 'plugins', mountPath: '/p' }] },
      'extraVolumeMounts has "plugins", but there is no such volume',
    ],
    [
      'a budget that blocks drains',
      { podDisruptionBudget: { minAvailable: 2 } },
      'no node with a controller could be drained',
    ],
    [
      'a budget in per cent that blocks drains',
      { podDisruptionBudget: { minAvailable: '51%' } },
      'podDisruptionBudget.minAvailable is 51% with 2 replicas',
    ],
    ['a budget of nothing', { podDisruptionBudget: {} }, 'podDisruptionBudget needs exactly one of'],
    [
      'a budget of words',
      { podDisruptionBudget: { maxUnavailable: 'one' } },
      'podDisruptionBudget.maxUnavailable is one',
    ],
    [
      'a plugin without owner',
      { plugins: { steps: [{ ...plugin, name: 'step' }] } },
      'plugins.steps[0].name is "step": must be a name such as "argoproj-labs/gatewayAPI"',
    ],
    [
      'a plugin from nowhere',
      { plugins: { metricProviders: [plugin, { ...plugin, name: 'a/b', location: '/plugins/step' }] } },
      'plugins.metricProviders[1].location is "/plugins/step": must begin with "https://"',
    ],
    [
      'a plugin that anybody may change',
      { plugins: { trafficRouters: [{ ...plugin, location: 'http://a/b' }] } },
      'plugins.trafficRouters[0].location is "http://a/b": an attacker on the network could replace the program',
    ],
    [
      'half a digest of a plugin',
      { plugins: { steps: [{ ...plugin, sha256: secret }] } },
      `plugins.steps[0].sha256 is "${secret}": must be 64 hexadecimal digits`,
    ],
    [
      'a plugin for two things',
      { plugins: { steps: [plugin], metricProviders: [plugin] } },
      'plugins has "acme/step" twice',
    ],
    [
      'a key that no ConfigMap has',
      { notifications: { config: { 'on aborted': '' } } },
      'notifications.config has the key "on aborted"',
    ],
  ])('%s', (_, props, message) => {
    const error = errorOf(() => synth(props));
    expect(error).toContain(message);
    expect(error.split('\n')[0]).toBe('test/ArgoRollouts: the install cannot be written:');
    expect(error.split('\n- ')).toHaveLength(2);
  });

  test('and all together', () => {
    const error = errorOf(() => synth({ replicas: 0, albIngressClasses: ['a,b'], extraArgs: ['--aws-region=a'] }));
    expect(error.split('\n- ')).toHaveLength(4);
  });
});

describe('the whole app is looked at', () => {
  test('an install in order has nothing to say', () => {
    const install = new ArgoRolloutsInstall(Testing.chart(), 'ArgoRollouts', {
      aws: VERIFIED,
      serviceAccountAnnotations: ROLE,
    });
    expect(install.findings()).toEqual([]);
  });

  test('a patch by hand is found', () => {
    const chart = Testing.chart();
    const install = new ArgoRolloutsInstall(chart, 'ArgoRollouts');
    ApiObject.of(install).addJsonPatch(
      JsonPatch.add('/spec/template/spec/containers/0/args/-', '--aws-region=eu-west-1'),
    );
    expect(install.findings().map(({ rule }) => rule)).toEqual(['argo-controller-flag-unknown']);
    expect(errorOf(() => Testing.synth(chart))).toContain('error[argo-controller-flag-unknown]');
  });

  test('a finding is accepted with a reason', () => {
    const suppressions = [{ rule: 'argo-verification-without-permissions', reason: 'the nodes have them' }];
    synth({ aws: VERIFIED, suppressions });
    expect(stderr).toBe('');
  });
});

describe('any properties', () => {
  const text = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
  const port = fc.integer({ min: 1024, max: 65535 });
  const props = fc.record(
    {
      version: fc.constantFrom(...ArgoRolloutsVersion.ALL),
      namespace: text,
      namespaced: fc.boolean(),
      createNamespace: fc.boolean(),
      crds: fc.constantFrom('keep', 'remove', 'skip'),
      aggregateRoles: fc.boolean(),
      labels: fc.dictionary(text, text),
      replicas: fc.integer({ min: 1, max: 5 }),
      image: fc.record({ registry: text, repository: text, tag: text }, { requiredKeys: [] }),
      imagePullSecrets: fc.array(text),
      nodeSelector: fc.dictionary(text, text),
      tolerations: fc.array(fc.record({ key: text, operator: fc.constant('Exists') })),
      podLabels: fc.dictionary(text, text),
      podAnnotations: fc.dictionary(text, text),
      serviceAccountName: text,
      trafficRouters: fc.subarray(['alb', 'ambassador', 'contour', 'gatewayApi', 'istio', 'nginx', 'smi', 'traefik']),
      permissions: fc.record({ analysisJobs: fc.boolean(), analysisSecrets: fc.boolean() }, { requiredKeys: [] }),
      albIngressClasses: fc.uniqueArray(fc.oneof(text, fc.constant('')), { minLength: 1 }),
      instanceId: text,
      logLevel: fc.constantFrom('debug', 'info', 'warn', 'error'),
      logFormat: fc.constantFrom('text', 'json'),
      extraArgs: fc.constantFrom([], ['--rollout-threads=5']),
      extraEnv: fc.constantFrom([], [{ name: 'A', value: '' }]),
      healthPort: port,
      metrics: fc.oneof(
        fc.constant(false as const),
        fc.record({ port, serviceMonitor: fc.constantFrom({}, { interval: '5s' }) }, { requiredKeys: [] }),
      ),
      podDisruptionBudget: fc.constantFrom(false, { maxUnavailable: 1 }, { maxUnavailable: '50%' }),
      notifications: fc.record({ config: fc.dictionary(text, text), selfService: fc.boolean() }, { requiredKeys: [] }),
      dashboard: fc.record({ readOnly: fc.boolean(), rootPath: text }, { requiredKeys: [] }),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<ArgoRolloutsInstallProps>;

  test('render the same every time, completely and without findings, or report a problem', () => {
    fc.assert(
      fc.property(props, (given) => {
        const render = () => {
          const chart = Testing.chart();
          try {
            new ArgoRolloutsInstall(chart, 'ArgoRollouts', given);
            return toText(Testing.synth(chart));
          } catch (error) {
            return (error as Error).message;
          }
        };
        const first = render();
        expect(render()).toBe(first);
        // Ports may collide, and a namespaced install may have no namespace; everything else here is valid.
        const problem =
          /^test\/\w+: the install cannot be written:\n(- (healthPort is \d+, and|namespaced is set).*\n?)+$/;
        if (!problem.test(first)) {
          expect(first).not.toMatch(/undefined|NaN|null|\[object/);
          expect(JSON.parse(first).length).toBeGreaterThan(4);
        }
        expect(stderr).toBe('');
      }),
      { seed: 5, numRuns: 25 },
    );
  });
});

function toText(objects: unknown): string {
  return `${JSON.stringify(objects, null, 2)}\n`;
}
