/** The defaults of an install, what each option changes of them, and the webhooks of each release. */
import { describe, expect, it } from 'vitest';
import { crdsElsewhere, kruiseInstall } from '../../../src/kruise/install';
import { crdNames } from '../../../src/kruise/install/names';
import type { KruiseInstallOptions } from '../../../src/kruise/install/options';
import { settingsOf } from '../../../src/kruise/install/settings';
import { servedPaths, WEBHOOK_PATHS, webhookObjects } from '../../../src/kruise/install/webhooks';
import { KruiseRolloutVersion } from '../../../src/kruise/version';

const { V0_3_0, V0_4_4, V0_5_5, V0_6_2 } = KruiseRolloutVersion;

describe('the settings of an install', () => {
  it('have these defaults', () => {
    expect(settingsOf({})).toMatchObject({
      version: V0_6_2,
      namespace: 'kruise-rollout',
      createNamespace: true,
      namespaceLabels: {},
      crds: 'keep',
      replicas: 2,
      image: 'openkruise/kruise-rollout:v0.6.2',
      imagePullPolicy: 'IfNotPresent',
      resources: { limits: { cpu: '500m', memory: '1Gi' }, requests: { cpu: '100m', memory: '256Mi' } },
      featureGates: { AdvancedDeployment: true },
      partitionPercentLimit: undefined,
      logLevel: 4,
      extraArgs: [],
      extraEnv: [],
      webhookPort: 9876,
      healthPort: 8081,
      metrics: undefined,
      metricsBindAddress: '127.0.0.1:8080',
      networkPolicy: undefined,
      objectSelector: [],
      serviceAccountAnnotations: {},
      permissions: {},
      scriptsChecksum: undefined,
    });
  });

  it.each<[options: KruiseInstallOptions, expected: object]>([
    [{ version: V0_5_5 }, { image: 'openkruise/kruise-rollout:v0.5.5' }],
    [{ version: V0_5_5, image: { tag: 'v1' } }, { image: 'openkruise/kruise-rollout:v1' }],
    [{ image: { repository: 'a/b', digest: 'sha256:1' } }, { image: 'a/b:v0.6.2@sha256:1' }],
    [
      { createNamespace: false, replicas: 1, logLevel: 0 },
      { createNamespace: false, replicas: 1, logLevel: 0 },
    ],
    [{ featureGates: { RolloutHistory: true } }, { featureGates: { AdvancedDeployment: true, RolloutHistory: true } }],
    [{ featureGates: { AdvancedDeployment: false } }, { featureGates: { AdvancedDeployment: false } }],
    [{ featureGates: { AdvancedDeployment: undefined } as never }, { featureGates: { AdvancedDeployment: true } }],
    [{ metrics: {} }, { metrics: { port: 8080 }, metricsBindAddress: '0.0.0.0:8080' }],
    [{ metrics: { port: 9000 } }, { metrics: { port: 9000 }, metricsBindAddress: '0.0.0.0:9000' }],
    [{ webhookPort: 8080 }, { metricsBindAddress: '127.0.0.1:8082' }],
    [{ healthPort: 8080 }, { metricsBindAddress: '127.0.0.1:8082' }],
    [{ healthPort: 8080, webhookPort: 8082 }, { metricsBindAddress: '127.0.0.1:8083' }],
    [{ healthPort: 8082 }, { metricsBindAddress: '127.0.0.1:8080' }],
  ])('of %j are others', (options, expected) => {
    const settings = settingsOf(options) as unknown as Readonly<Record<string, unknown>>;
    for (const [name, value] of Object.entries(expected)) expect(settings[name], name).toStrictEqual(value);
  });

  it('have the checksum of scripts', () => {
    expect(settingsOf({}, 'abc').scriptsChecksum).toBe('abc');
  });
});

describe('the objects of an install', () => {
  type Made = {
    readonly kind: string;
    readonly metadata: Record<string, unknown>;
    readonly spec: Record<string, unknown>;
  };
  const made = (options: KruiseInstallOptions, checksum?: string) =>
    kruiseInstall({ crds: 'skip', ...options }, checksum) as unknown as readonly Made[];
  const find = (kind: string, ...args: Parameters<typeof made>) => made(...args).find((each) => each.kind === kind);
  const container = (...args: Parameters<typeof made>) => {
    const { template } = find('Deployment', ...args)!.spec as {
      template: {
        metadata: { annotations?: object };
        spec: { containers: readonly { args: string[]; env: object[]; ports: object[] }[] };
      };
    };
    return { ...template.spec.containers[0]!, annotations: template.metadata.annotations };
  };

  it('are these, in this order', () => {
    expect(made({}).map(({ kind }) => kind)).toEqual([
      ...['Namespace', 'ServiceAccount', 'Role', 'RoleBinding', 'Role', 'RoleBinding', 'ClusterRole'],
      ...['ClusterRoleBinding', 'Service', 'MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'],
      ...['Deployment', 'PodDisruptionBudget'],
    ]);
    expect(made({ createNamespace: false })[0]!.kind).toBe('ServiceAccount');
    expect(made({ podDisruptionBudget: false }).at(-1)!.kind).toBe('Deployment');
    expect(made({ replicas: 1 }).at(-1)!.kind).toBe('Deployment');
    expect(
      made({ networkPolicy: {}, metrics: { serviceMonitor: {} } })
        .slice(-3)
        .map(({ kind }) => kind),
    ).toEqual([...['NetworkPolicy', 'Service', 'ServiceMonitor']]);
  });

  it('have a namespace with restricted pods, and more labels', () => {
    const own = { 'control-plane': 'kruise-rollout-controller-manager' };
    expect(find('Namespace', {})!.metadata).toStrictEqual({
      name: 'kruise-rollout',
      labels: { ...own, 'pod-security.kubernetes.io/enforce': 'restricted' },
    });
    const namespaceLabels = { team: 'a', 'pod-security.kubernetes.io/enforce': 'baseline' };
    expect(find('Namespace', { namespace: 'b', namespaceLabels })!.metadata).toStrictEqual({
      name: 'b',
      labels: { ...own, ...namespaceLabels },
    });
  });

  it('have a process with these flags, in this order', () => {
    const gates = { RolloutHistory: true, AdvancedDeployment: false, AppendPodSelector: true };
    expect(container({}).args).toEqual([
      '--leader-elect',
      '--health-probe-bind-address=:8081',
      '--metrics-bind-address=127.0.0.1:8080',
      '--v=4',
      '--feature-gates=AdvancedDeployment=true',
    ]);
    expect(
      container({ featureGates: gates, partitionPercentLimit: 70, extraArgs: ['--a', '--b'] }).args.slice(4),
    ).toEqual([
      '--feature-gates=AdvancedDeployment=false,AppendPodSelector=true,RolloutHistory=true',
      '--partition-percent-limit=70',
      '--a',
      '--b',
    ]);
  });

  it('have a process with these variables and ports', () => {
    const namespace = { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } };
    expect(container({}).env).toStrictEqual([namespace, { name: 'WEBHOOK_PORT', value: '9876' }]);
    const extraEnv = [{ name: 'A', value: 'b' }];
    expect(container({ webhookPort: 1, extraEnv }).env).toStrictEqual([
      namespace,
      { name: 'WEBHOOK_PORT', value: '1' },
      ...extraEnv,
    ]);
    const port = (name: string, containerPort: number) => ({ name, containerPort, protocol: 'TCP' });
    expect(container({}).ports).toStrictEqual([port('webhook-server', 9876), port('health', 8081)]);
    expect(container({ metrics: {} }).ports).toHaveLength(3);
  });

  it('have annotations of the pods, and the checksum of scripts', () => {
    expect(container({}).annotations).toBeUndefined();
    expect(container({}, 'abc').annotations).toStrictEqual({ 'rollout-constructs.io/routing-scripts-checksum': 'abc' });
    expect(container({ podAnnotations: { a: 'b' } }).annotations).toStrictEqual({ a: 'b' });
  });

  it('have CRDs, or need them from elsewhere', () => {
    const names = ['batchreleases', 'rollouthistories', 'rollouts', 'trafficroutings'].map(
      (name) => `${name}.rollouts.kruise.io`,
    );
    expect(crdNames(V0_6_2.facts)).toEqual(names);
    expect(crdNames(V0_3_0.facts)).toEqual(names.slice(0, 3));
    const elsewhere = (options: KruiseInstallOptions) => crdsElsewhere(options);
    expect(elsewhere({ crds: 'skip' })).toStrictEqual(
      names.map((name) => ({ kind: 'CustomResourceDefinition', name })),
    );
    expect(elsewhere({ crds: 'skip', version: V0_3_0 })).toHaveLength(3);
    expect([elsewhere({}), elsewhere({ crds: 'keep' }), elsewhere({ crds: 'remove' })]).toEqual([[], [], []]);
  });
});

describe('the webhooks of a release', () => {
  const MUTATING = {
    unified: '/mutate-unified-workload',
    deployment: '/mutate-apps-v1-deployment',
    cloneSet: '/mutate-apps-kruise-io-v1alpha1-cloneset',
    statefulSet: '/mutate-apps-v1-statefulset',
    advancedStatefulSet: '/mutate-apps-kruise-io-statefulset',
    daemonSet: '/mutate-apps-kruise-io-v1alpha1-daemonset',
  };
  const { unified, deployment, cloneSet, statefulSet, advancedStatefulSet, daemonSet } = MUTATING;
  const VALIDATING = '/validate-rollouts-kruise-io-rollout';

  it.each<[version: KruiseRolloutVersion, paths: readonly string[]]>([
    [V0_3_0, [unified, deployment, cloneSet, statefulSet, advancedStatefulSet]],
    [V0_5_5, [unified, deployment, cloneSet, statefulSet, advancedStatefulSet, daemonSet]],
    [V0_6_2, [unified, deployment, cloneSet, daemonSet]],
  ])('%s are these', (version, paths) => {
    expect([...servedPaths(version.facts)]).toEqual([...paths, VALIDATING]);
  });

  it('are known by the paths of all releases', () => {
    expect([...WEBHOOK_PATHS.mutating]).toEqual(Object.values(MUTATING));
    expect([...WEBHOOK_PATHS.validating]).toEqual([VALIDATING]);
  });

  type Hook = {
    readonly name: string;
    readonly rules: readonly object[];
    readonly objectSelector?: { matchExpressions: readonly object[] };
  };
  const hooks = (version: KruiseRolloutVersion, objectSelector: readonly object[] = []) =>
    webhookObjects({ facts: version.facts, namespace: 'a', objectSelector: objectSelector as never })
      .slice(1)
      .flatMap((object) => (object as unknown as { webhooks: readonly Hook[] }).webhooks);
  const LABELLED = { key: 'rollouts.kruise.io/workload-type', operator: 'Exists' };
  const NOT_ITSELF = { key: 'control-plane', operator: 'NotIn', values: ['kruise-rollout-controller-manager'] };

  it('see these objects', () => {
    const [first, second, ...others] = hooks(V0_6_2);
    expect(first).toStrictEqual({
      name: 'munifiedworload.kb.io',
      admissionReviewVersions: ['v1', 'v1beta1'],
      clientConfig: { service: { name: 'kruise-rollout-webhook-service', namespace: 'a', path: unified } },
      failurePolicy: 'Fail',
      rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources: ['*'] }],
      sideEffects: 'None',
      objectSelector: { matchExpressions: [LABELLED] },
    });
    expect([second!.name, second!.objectSelector]).toEqual([
      'mdeployment.kb.io',
      { matchExpressions: [NOT_ITSELF, LABELLED] },
    ]);
    expect(others.map(({ name }) => name)).toEqual(['mcloneset.kb.io', 'mdaemonset.kb.io', 'vrollout.kb.io']);
    expect(others.at(-1)).not.toHaveProperty('objectSelector');
  });

  it('see every workload in a release that labels none', () => {
    const selectors = hooks(V0_3_0).map(({ objectSelector }) => objectSelector?.matchExpressions);
    expect(selectors).toEqual([[LABELLED], [NOT_ITSELF], [], [], [], undefined]);
    const more = { key: 'team', operator: 'Exists' };
    expect(hooks(V0_3_0, [more]).map(({ objectSelector }) => objectSelector?.matchExpressions.at(-1))).toEqual([
      ...[more, more, more, more, more, undefined],
    ]);
  });

  it('are for these kinds', () => {
    const rule = (group: string, versions: readonly string[], operations: readonly string[], resource: string) => [
      { apiGroups: [group], apiVersions: versions, operations, resources: [resource] },
    ];
    const both = ['CREATE', 'UPDATE'];
    expect(
      hooks(V0_5_5)
        .slice(1)
        .map(({ name, rules }) => [name, rules]),
    ).toEqual([
      ['mdeployment.kb.io', rule('apps', ['v1'], ['UPDATE'], 'deployments')],
      ['mcloneset.kb.io', rule('apps.kruise.io', ['v1alpha1'], ['UPDATE'], 'clonesets')],
      ['mstatefulset.kb.io', rule('apps', ['v1'], ['UPDATE'], 'statefulsets')],
      ['madvancedstatefulset.kb.io', rule('apps.kruise.io', ['v1alpha1', 'v1beta1'], both, 'statefulsets')],
      ['mdaemonset.kb.io', rule('apps.kruise.io', ['v1alpha1'], ['UPDATE'], 'daemonsets')],
      ['vrollout.kb.io', rule('rollouts.kruise.io', ['v1alpha1', 'v1beta1'], both, 'rollouts')],
    ]);
    expect(hooks(V0_4_4).at(-1)!.rules).toEqual(rule('rollouts.kruise.io', ['v1alpha1'], both, 'rollouts'));
  });
});
