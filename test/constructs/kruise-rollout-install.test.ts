import { ApiObject, Chart, Testing } from 'cdk8s';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  KruiseRolloutInstall,
  type KruiseRolloutInstallProps,
  KruiseRolloutVersion,
  LuaRoutingConfigMap,
  LuaScripts,
} from '../../src/constructs';
import { EVERYTHING } from '../kruise/install/everything';

// biome-ignore lint/suspicious/noExplicitAny: manifests of many kinds
type Objects = any[];

function synth(props: KruiseRolloutInstallProps = {}): Objects {
  const chart = Testing.chart();
  new KruiseRolloutInstall(chart, 'KruiseRollout', props);
  return Testing.synth(chart);
}

function find(objects: Objects, kind: string, name?: string): Objects[number] {
  return objects.find((object) => object.kind === kind && (name === undefined || object.metadata.name === name));
}

const container = (objects: Objects) => find(objects, 'Deployment').spec.template.spec.containers[0];

function failureOf(chart: Chart): string {
  try {
    Testing.synth(chart);
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
  test.each([
    ['v0.6.2', KruiseRolloutVersion.V0_6_2],
    ['v0.5.0', KruiseRolloutVersion.V0_5_0],
    ['v0.3.0', KruiseRolloutVersion.V0_3_0],
  ])('of %s', async (name, version) => {
    const objects = synth({ version, crds: 'skip' });
    await expect(toText(objects)).toMatchFileSnapshot(`__snapshots__/kruise-rollout-install-${name}.json`);
    expect(stderr).toBe('');
  });

  test('with everything', async () => {
    const objects = synth(EVERYTHING);
    await expect(toText(objects)).toMatchFileSnapshot('__snapshots__/kruise-rollout-install-everything.json');
    expect(stderr).toBe('');
  });

  test('the Deployment is the default child', () => {
    const install = new KruiseRolloutInstall(Testing.chart(), 'KruiseRollout');
    expect(ApiObject.of(install).kind).toBe('Deployment');
  });

  test('is the same every time', () => {
    expect(toText(synth({ metrics: {} }))).toBe(toText(synth({ metrics: {} })));
  });

  test('leaves objects without namespace without one, whatever the chart’s is', () => {
    const chart = new Chart(Testing.app(), 'test', { namespace: 'elsewhere' });
    new KruiseRolloutInstall(chart, 'KruiseRollout');
    const namespaces = new Set(Testing.synth(chart).map(({ metadata }) => metadata.namespace));
    expect(namespaces).toEqual(new Set([undefined, 'kruise-rollout']));
  });
});

describe('the CRDs', () => {
  const crds = (props: KruiseRolloutInstallProps) =>
    synth(props).filter(({ kind }) => kind === 'CustomResourceDefinition');

  test('are kept when the rest is removed', () => {
    const kept = crds({ labels: { team: 'platform' } });
    expect(kept).toHaveLength(4);
    for (const { metadata } of kept) {
      expect(metadata.labels).toEqual({ team: 'platform' });
      expect(metadata.annotations).toEqual({
        'helm.sh/resource-policy': 'keep',
        'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
        'kustomize.toolkit.fluxcd.io/prune': 'disabled',
      });
    }
  });

  test('may go with the rest, or come from elsewhere', () => {
    expect(crds({ crds: 'remove' })[0].metadata.annotations).toBeUndefined();
    expect(crds({ crds: 'skip' })).toEqual([]);
    expect(stderr).toBe('');
  });

  test('are converted by the install’s own webhook', () => {
    const services = crds({ namespace: 'rollouts' }).flatMap(
      ({ spec }) => spec.conversion?.webhook.clientConfig.service ?? [],
    );
    expect(services).toHaveLength(2);
    for (const service of services) {
      expect(service).toMatchObject({
        name: 'kruise-rollout-webhook-service',
        namespace: 'rollouts',
        path: '/convert',
      });
    }
  });
});

describe('what belongs together stays together', () => {
  test('the webhook port: environment, container and Service', () => {
    const objects = synth({ webhookPort: 8443 });
    expect(container(objects).env).toContainEqual({ name: 'WEBHOOK_PORT', value: '8443' });
    expect(container(objects).ports).toContainEqual({ name: 'webhook-server', containerPort: 8443, protocol: 'TCP' });
    expect(find(objects, 'Service').spec.ports[0].targetPort).toBe('webhook-server');
  });

  test('metrics: address, container, Service and ServiceMonitor', () => {
    const objects = synth({ metrics: { port: 9090, serviceMonitor: {} } });
    expect(container(objects).args).toContain('--metrics-bind-address=0.0.0.0:9090');
    const service = find(objects, 'Service', 'kruise-rollout-controller-manager-metrics');
    const monitor = find(objects, 'ServiceMonitor');
    expect(service.metadata.labels).toMatchObject(monitor.spec.selector.matchLabels);
    expect(monitor.spec.endpoints[0].port).toBe(service.spec.ports[0].name);
    expect(container(synth()).args).toContain('--metrics-bind-address=127.0.0.1:8080');
  });

  test('metrics without a reader free their port', () => {
    expect(container(synth({ webhookPort: 8080 })).args).toContain('--metrics-bind-address=127.0.0.1:8082');
    expect(container(synth({ webhookPort: 8080, healthPort: 8082 })).args).toContain(
      '--metrics-bind-address=127.0.0.1:8083',
    );
  });

  test('the digest of the scripts is on the pods', () => {
    const chart = Testing.chart();
    const scripts = new LuaRoutingConfigMap(chart, 'Scripts', { scripts: [LuaScripts.fromLibrary('aws-alb')] });
    new KruiseRolloutInstall(chart, 'KruiseRollout', { scripts });
    const { annotations } = find(Testing.synth(chart), 'Deployment').spec.template.metadata;
    expect(annotations).toEqual({ 'rollout-constructs.io/routing-scripts-checksum': scripts.checksum });
  });

  test('the namespace comes before the scripts, even if these are created first', () => {
    const chart = Testing.chart();
    const scripts = new LuaRoutingConfigMap(chart, 'Scripts', { scripts: [LuaScripts.fromLibrary('aws-alb')] });
    new KruiseRolloutInstall(chart, 'KruiseRollout', { scripts });
    const kinds = Testing.synth(chart).map(({ kind }) => kind);
    expect(kinds.indexOf('Namespace')).toBeLessThan(kinds.indexOf('ConfigMap'));
    expect(kinds.indexOf('MutatingWebhookConfiguration')).toBeLessThan(kinds.indexOf('Deployment'));
  });

  test('a budget comes with the second replica', () => {
    expect(find(synth(), 'PodDisruptionBudget').spec.maxUnavailable).toBe(1);
    expect(find(synth({ replicas: 1 }), 'PodDisruptionBudget')).toBeUndefined();
    expect(find(synth({ podDisruptionBudget: false }), 'PodDisruptionBudget')).toBeUndefined();
  });

  test('the webhooks are those that the release serves', () => {
    const names = (version: KruiseRolloutVersion) =>
      find(synth({ version }), 'MutatingWebhookConfiguration').webhooks.map(({ name }: { name: string }) => name);
    expect(names(KruiseRolloutVersion.V0_6_2)).not.toContain('mstatefulset.kb.io');
    expect(names(KruiseRolloutVersion.V0_5_0)).toContain('mstatefulset.kb.io');
  });

  test('every release is installed without a finding, with the CRDs that it has', () => {
    for (const version of KruiseRolloutVersion.ALL) {
      const objects = synth({ version });
      const kinds = objects
        .filter(({ kind }) => kind === 'CustomResourceDefinition')
        .map(({ spec }) => spec.names.kind);
      expect(kinds.includes('TrafficRouting'), version.version).toBe(version.version !== '0.3.0');
    }
    expect(stderr).toBe('');
  });

  test('replicas of old releases elect their leader with a ConfigMap too', () => {
    const locks = (version: KruiseRolloutVersion) =>
      find(synth({ version }), 'Role', 'kruise-rollout-leader-election-role')
        .rules.filter((rule: { resourceNames?: string[] }) => rule.resourceNames)
        .flatMap((rule: { resources: string[] }) => rule.resources);
    expect(locks(KruiseRolloutVersion.V0_4_4)).toEqual(['leases', 'configmaps']);
    expect(locks(KruiseRolloutVersion.V0_5_0)).toEqual(['leases']);
  });

  test('a release of one’s own takes the facts that it is given', () => {
    const { facts } = KruiseRolloutVersion.V0_5_0;
    const version = KruiseRolloutVersion.of('0.5.5', {
      ...facts,
      featureGates: [...facts.featureGates, 'KeepWorkloadPausedOnRolloutDeletion'],
    });
    const objects = synth({ version, featureGates: { KeepWorkloadPausedOnRolloutDeletion: true } });
    expect(container(objects).image).toBe('openkruise/kruise-rollout:v0.5.5');
    expect(container(objects).args).toContain(
      '--feature-gates=AdvancedDeployment=true,KeepWorkloadPausedOnRolloutDeletion=true',
    );
  });
});

describe('an existing install', () => {
  test('has the names of the chart by default', () => {
    expect(KruiseRolloutInstall.fromExisting()).toEqual({
      namespace: 'kruise-rollout',
      serviceAccountName: 'kruise-rollout-controller-manager',
      version: KruiseRolloutVersion.LATEST,
      grantedKinds: [
        'HTTPRoute.gateway.networking.k8s.io',
        'Ingress.networking.k8s.io',
        'DestinationRule.networking.istio.io',
        'VirtualService.networking.istio.io',
      ],
    });
  });

  test('takes namespace, account and release', () => {
    const install = KruiseRolloutInstall.fromExisting({
      namespace: 'rollouts',
      serviceAccountName: 'rollouts',
      version: KruiseRolloutVersion.V0_4_0,
    });
    expect(install).toMatchObject({ namespace: 'rollouts', serviceAccountName: 'rollouts' });
    expect(install.grantedKinds).not.toContain('VirtualService.networking.istio.io');
  });
});

describe('a mistake is reported when the construct is created', () => {
  const errorOf = (props: KruiseRolloutInstallProps) => {
    try {
      synth(props);
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  };

  test.each<[string, KruiseRolloutInstallProps, string]>([
    ['a namespace that is no name', { namespace: 'Kruise' }, 'namespace is "Kruise": must be at most 63'],
    ['no replica', { replicas: 0 }, 'replicas is 0: must be a whole number from 1 on'],
    ['half a replica', { replicas: 1.5 }, 'replicas is 1.5'],
    [
      'a tag in the repository',
      { image: { repository: 'a/b:v1' } },
      'image.repository is "a/b:v1": must be an image without tag',
    ],
    ['a tag with a colon', { image: { tag: ':v1' } }, 'image.tag is ":v1"'],
    ['half a digest', { image: { digest: 'sha256:12' } }, 'image.digest is "sha256:12": must be "sha256:" and 64'],
    [
      'a gate of another release',
      { version: KruiseRolloutVersion.V0_5_0, featureGates: { AppendPodSelector: true } },
      'featureGates.AppendPodSelector does not exist in v0.5.0',
    ],
    [
      'a limit where there is no flag',
      { version: KruiseRolloutVersion.V0_5_0, partitionPercentLimit: 80 },
      'partitionPercentLimit is set: v0.5.0 does not have the flag',
    ],
    [
      'a limit of nothing',
      { partitionPercentLimit: 0 },
      'partitionPercentLimit is 0: must be a whole number from 1 to 100',
    ],
    ['a negative log level', { logLevel: -1 }, 'logLevel is -1'],
    [
      'a port of root',
      { webhookPort: 443 },
      'webhookPort is 443: must be a whole number from 1024 to 65535, as the process is not root',
    ],
    ['a port twice', { webhookPort: 8081 }, 'healthPort is 8081, the same as webhookPort'],
    [
      'a flag of the install',
      { extraArgs: ['--v=5'] },
      'extraArgs has "--v=5", which the install sets itself: set logLevel instead',
    ],
    [
      'a word that is no flag',
      { extraArgs: ['rollout-workers=1'] },
      'extraArgs has "rollout-workers=1": must be a flag',
    ],
    [
      'a variable of the install',
      { extraEnv: [{ name: 'WEBHOOK_PORT', value: '1' }] },
      'extraEnv has WEBHOOK_PORT, which names and ports of the install depend on: set webhookPort instead',
    ],
    ['a variable twice', { extraEnv: [{ name: 'A' }, { name: 'A' }] }, 'extraEnv has A twice'],
    ['the label of the selector', { podLabels: { 'control-plane': 'a' } }, 'podLabels has "control-plane"'],
    [
      'a selector without values',
      { objectSelector: [{ key: 'a', operator: 'In' }] },
      'objectSelector[0] has the operator In: it needs values',
    ],
    [
      'a selector with values too many',
      { objectSelector: [{ key: 'a', operator: 'Exists', values: ['b'] }] },
      'objectSelector[0] has the operator Exists: remove its values',
    ],
    [
      'a budget that blocks drains',
      { podDisruptionBudget: { minAvailable: 2 } },
      'podDisruptionBudget.minAvailable is 2 with 2 replicas: no node with a controller could be drained',
    ],
    [
      'a budget in per cent that blocks drains',
      { podDisruptionBudget: { minAvailable: '51%' } },
      'podDisruptionBudget.minAvailable is 51% with 2 replicas',
    ],
    [
      'a budget of both kinds',
      { podDisruptionBudget: { minAvailable: 1, maxUnavailable: 1 } },
      'podDisruptionBudget needs exactly one of minAvailable and maxUnavailable',
    ],
    [
      'a budget of words',
      { podDisruptionBudget: { maxUnavailable: 'one' } },
      'podDisruptionBudget.maxUnavailable is one',
    ],
    [
      'an address without bits',
      { networkPolicy: { apiServerCidrs: ['10.0.0.1'] } },
      'networkPolicy.apiServerCidrs has "10.0.0.1": must be a CIDR such as "10.0.0.0/16"',
    ],
    ['no port', { networkPolicy: { apiServerPorts: [] } }, 'networkPolicy.apiServerPorts is []'],
    [
      'readers of nothing',
      { networkPolicy: { metricsFrom: [{}] } },
      'networkPolicy.metricsFrom is set, but the controller serves no metrics',
    ],
    ['no readers', { metrics: {}, networkPolicy: { metricsFrom: [] } }, 'networkPolicy.metricsFrom is empty'],
  ])('%s', (_, props, message) => {
    expect(errorOf(props)).toContain(message);
    expect(errorOf(props)).toContain('test/KruiseRollout: the install cannot be written:');
  });

  test('and all together', () => {
    const message = errorOf({ replicas: 0, logLevel: 0.5, namespace: '-' });
    expect(message.split('\n- ')).toHaveLength(4);
  });
});

describe('the whole app is looked at', () => {
  test('two installs fail once', () => {
    const chart = Testing.chart();
    new KruiseRolloutInstall(chart, 'A');
    new KruiseRolloutInstall(chart, 'B', { namespace: 'rollouts' });
    const message = failureOf(chart);
    expect(message.match(/kruise-install-duplicate\]/g)).toHaveLength(1);
    expect(message).toContain('[test/A]');
  });

  test('scripts in another namespace fail', () => {
    const chart = Testing.chart();
    const scripts = new LuaRoutingConfigMap(chart, 'Scripts', { scripts: [LuaScripts.fromLibrary('aws-alb')] });
    new KruiseRolloutInstall(chart, 'KruiseRollout', { scripts, namespace: 'rollouts' });
    expect(failureOf(chart)).toContain(
      'the ConfigMap is in the namespace "kruise-rollout", but the controller looks in "rollouts"',
    );
  });

  const chartWithProxy = (props: KruiseRolloutInstallProps) => {
    const chart = Testing.chart();
    new KruiseRolloutInstall(chart, 'KruiseRollout', props);
    new ApiObject(chart, 'Rollout', {
      apiVersion: 'rollouts.kruise.io/v1beta1',
      kind: 'Rollout',
      metadata: { name: 'web', namespace: 'shop' },
      spec: {
        workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        strategy: {
          canary: {
            steps: [{ traffic: '20%', replicas: '20%' }],
            trafficRoutings: [
              {
                service: 'web',
                customNetworkRefs: [{ apiVersion: 'projectcontour.io/v1', kind: 'HTTPProxy', name: 'web' }],
              },
            ],
          },
        },
      },
    });
    return chart;
  };

  test('a kind without a grant fails, unless it is suppressed with a reason', () => {
    expect(failureOf(chartWithProxy({}))).toContain('error[kruise-gateway-not-granted]');
    const object = { apiVersion: 'rollouts.kruise.io/v1beta1', kind: 'Rollout', namespace: 'shop', name: 'web' };
    const reason = 'granted by the repository of the cluster';
    const suppressions = [{ rule: 'kruise-gateway-not-granted', reason, object }];
    expect(failureOf(chartWithProxy({ suppressions }))).toBe('');
  });

  test('a suppression that matches nothing is a finding', () => {
    const suppressions = [{ rule: 'kruise-install-duplicate', reason: 'there is one' }];
    synth({ suppressions });
    expect(stderr).toContain('[suppression-unused]');
  });
});

describe('any properties', () => {
  const text = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
  const port = fc.integer({ min: 1024, max: 65535 });
  const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
  const props: fc.Arbitrary<KruiseRolloutInstallProps> = fc.record(
    {
      version: fc.constantFrom(KruiseRolloutVersion.V0_5_0, KruiseRolloutVersion.V0_6_0, KruiseRolloutVersion.V0_6_2),
      namespace: text,
      createNamespace: fc.boolean(),
      namespaceLabels: fc.dictionary(text, text),
      crds: fc.constantFrom('keep', 'remove', 'skip'),
      labels: fc.dictionary(text, text),
      replicas: fc.integer({ min: 1, max: 5 }),
      image: fc.record({ repository: text, tag: text }, { requiredKeys: [] }),
      imagePullPolicy: fc.constantFrom('Always', 'IfNotPresent', 'Never'),
      imagePullSecrets: fc.uniqueArray(text),
      resources: fc.constantFrom({}, { limits: { cpu: 1 } }),
      nodeSelector: fc.dictionary(text, text),
      tolerations: fc.array(fc.record({ key: text, operator: fc.constant('Exists') })),
      affinity: fc.constant({}),
      topologySpreadConstraints: fc.constant([]),
      priorityClassName: text,
      featureGates: fc.record(
        { RolloutHistory: optional(fc.boolean()), AdvancedDeployment: optional(fc.boolean()) },
        { requiredKeys: [] },
      ),
      logLevel: fc.integer({ min: 0, max: 10 }),
      extraArgs: fc.constantFrom([], ['--rollout-workers=5']),
      extraEnv: fc.constantFrom([], [{ name: 'A', value: '' }]),
      webhookPort: port,
      healthPort: port,
      metrics: fc.record(
        { port: optional(port), serviceMonitor: fc.constantFrom(undefined, {}, { interval: '5s' }) },
        { requiredKeys: [] },
      ),
      podDisruptionBudget: fc.constantFrom(false, { maxUnavailable: 1 }, { maxUnavailable: '50%' }),
      networkPolicy: fc.constantFrom({}, { apiServerCidrs: [] }, { apiServerCidrs: ['::/0'], apiServerPorts: [1] }),
      objectSelector: fc.array(fc.record({ key: text, operator: fc.constantFrom('Exists', 'DoesNotExist') })),
      serviceAccountAnnotations: fc.dictionary(text, text),
      podLabels: fc.dictionary(text, text),
      podAnnotations: fc.dictionary(text, text),
      permissions: fc.record(
        { istio: fc.boolean(), gatewayApi: fc.boolean(), ingresses: optional(fc.boolean()) },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<KruiseRolloutInstallProps>;

  test('render the same every time, completely and without findings, or report a problem', () => {
    fc.assert(
      fc.property(props, (given) => {
        const render = () => {
          try {
            return toText(synth(given));
          } catch (error) {
            return (error as Error).message;
          }
        };
        const first = render();
        expect(render()).toBe(first);
        // Ports may collide; everything else here is valid.
        const collide = /: the install cannot be written:\n(- [\w.]+ is \d+, the same as [\w.]+: .*\n?)+$/.test(first);
        if (!collide) {
          expect(first).not.toMatch(/undefined|NaN|null|\[object/);
          expect(JSON.parse(first).length).toBeGreaterThan(8);
        }
        expect(stderr).toBe('');
      }),
      { seed: 3, numRuns: 60 },
    );
  });
});

function toText(objects: unknown): string {
  return `${JSON.stringify(objects, null, 2)}\n`;
}
