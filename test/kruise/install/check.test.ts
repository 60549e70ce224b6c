import { describe, expect, it } from 'vitest';
import { collectFindings, parseManifests, World } from '../../../src/core';
import { edit } from '../../../src/core/example';
import { Manifest } from '../../../src/core/manifest';
import { kruiseInstall } from '../../../src/kruise/install';
import { checkKruiseInstall, type KruiseInstallCheckOptions } from '../../../src/kruise/install/check';
import { installYaml } from '../../../src/kruise/install/check/examples';
import { crdNames } from '../../../src/kruise/install/names';
import { KruiseRolloutVersion } from '../../../src/kruise/version';

const CRDS = crdNames(KruiseRolloutVersion.LATEST.facts).map((name) => ({ kind: 'CustomResourceDefinition', name }));

type Change = readonly [from: string, to: string];

function check(yaml: string, options: KruiseInstallCheckOptions = {}) {
  const { manifests, findings } = parseManifests(yaml, 'test.yaml');
  expect(findings).toEqual([]);
  return collectFindings(checkKruiseInstall(World.of(manifests), options));
}

const checkInstall = (...changes: readonly Change[]) => check(edit(installYaml(), ...changes));
const short = (findings: ReturnType<typeof check>) => findings.map(({ severity, rule }) => `${severity} ${rule}`);
const messages = (findings: ReturnType<typeof check>) => findings.map(({ message }) => message);

describe('a correct install', () => {
  it('written by hand, in any namespace', () => {
    expect(check(installYaml())).toEqual([]);
    expect(check(installYaml('rollouts'))).toEqual([]);
  });

  it.each(
    KruiseRolloutVersion.ALL.filter(({ facts }) => facts.storedApiVersion === 'v1beta1').map(
      (v) => [String(v), v] as const,
    ),
  )('written by this library: %s', (_, version) => {
    const objects = kruiseInstall({ version, webhookPort: 10250, metrics: { serviceMonitor: {} }, namespace: 'a' });
    expect(checkKruiseInstall(World.of(objects.map((object) => Manifest.of(object))))).toEqual([]);
  });

  it('is not required in manifests without an install', () => {
    expect(check('apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec: {}\n')).toEqual([]);
  });
});

describe('the effects of values of the Helm chart', () => {
  it('rollout.webhook.port changes the Service, but not the process', () => {
    const findings = checkInstall(
      ['containerPort: 9876', 'containerPort: 8443'],
      ['targetPort: webhook-server', 'targetPort: 8443'],
    );
    expect(messages(findings)).toEqual([
      'the Service "kruise-rollout-webhook-service" sends to port 8443, but the controller listens on 9876',
    ]);
    expect(findings[0]).toMatchObject({
      severity: 'error',
      path: 'spec.ports[0].targetPort',
      source: { file: 'test.yaml' },
    });
    expect(findings[0]!.fix).toContain('WEBHOOK_PORT to "8443"');
  });

  it('rollout.fullname renames the account that the pods use, but not the account itself', () => {
    expect(
      messages(checkInstall(['serviceAccountName: kruise-rollout-controller-manager', 'serviceAccountName: rollouts'])),
    ).toEqual(['the ServiceAccount "rollouts" of the namespace "kruise-rollout" does not exist']);
  });

  it('nameOverride renames the ClusterRole in the binding, but not the ClusterRole itself', () => {
    const findings = checkInstall([
      'kind: ClusterRole, name: kruise-rollout-manager-role',
      'kind: ClusterRole, name: rollouts-manager-role',
    ]);
    expect(messages(findings)).toEqual([
      'the ClusterRoleBinding "kruise-rollout-manager-rolebinding" names the ClusterRole "rollouts-manager-role", which does not exist',
    ]);
  });

  it('the webhooks of StatefulSets are served up to 0.5 and not from 0.6', () => {
    const changes: Change[] = [['path: /mutate-unified-workload', 'path: /mutate-apps-v1-statefulset']];
    expect(short(checkInstall(...changes))).toEqual(['note kruise-webhook-not-served']);
    expect(checkInstall(...changes, [':v0.6.2', ':v0.5.0'])).toEqual([]);
  });
});

describe('the process', () => {
  const withPodNamespace = '{ name: POD_NAMESPACE, valueFrom: { fieldRef: { fieldPath: metadata.namespace } } }';

  it.each([
    ['not set, in the namespace that the process assumes', 'kruise-rollout', '{ name: OTHER }', []],
    ['empty, in another namespace', 'rollouts', '{ name: POD_NAMESPACE }', ['error kruise-pod-namespace']],
    ['of another namespace', 'rollouts', '{ name: POD_NAMESPACE, value: shop }', ['error kruise-pod-namespace']],
    ['of its own namespace', 'rollouts', '{ name: POD_NAMESPACE, value: rollouts }', []],
    [
      'from a ConfigMap, of which nothing is known',
      'rollouts',
      '{ name: POD_NAMESPACE, valueFrom: { configMapKeyRef: { name: a, key: b } } }',
      [],
    ],
    ['from another variable', 'rollouts', "{ name: POD_NAMESPACE, value: '$(NAMESPACE)' }", []],
  ])('gets its namespace: %s', (_, namespace, variable, expected) => {
    expect(short(check(edit(installYaml(namespace), [withPodNamespace, variable])))).toEqual(expected);
  });

  it.each([
    ['--feature-gates=AdvancedDeployments=true', 'kruise-feature-gate-unknown', 'did you mean "AdvancedDeployment"?'],
    [
      '--feature-gates=KeepWorkloadPausedOnRolloutDeletion=true',
      'kruise-feature-gate-unknown',
      'remove the feature gate',
    ],
    ['--rollout-worker=3', 'kruise-flag-unknown', 'did you mean --rollout-workers?'],
  ])('is started with %s', (flag, rule, fix) => {
    const [finding, ...others] = checkInstall(['--v=4', flag]);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ rule, severity: 'error', path: 'spec.template.spec.containers[0].args[2]' });
    expect(finding!.fix).toContain(fix);
  });

  it('has flags added in 0.6, and flags with the value in a separate argument', () => {
    expect(checkInstall(['--v=4', '--partition-percent-limit=80'])).toEqual([]);
    expect(short(checkInstall(['--v=4', '--partition-percent-limit=80'], [':v0.6.2', ':v0.5.0']))).toEqual([
      'error kruise-flag-unknown',
    ]);
    expect(checkInstall(['- --v=4', '- --v\n            - "4"'])).toEqual([]);
  });

  it('of an uncertain release gives a warning only', () => {
    expect(short(checkInstall(['AdvancedDeployment=true', 'Other=true'], [':v0.6.2', ':v0.6.9']))).toEqual([
      'warning kruise-feature-gate-unknown',
    ]);
    const yaml = edit(installYaml(), ['AdvancedDeployment=true', 'Other=true'], [':v0.6.2', ':v0.6.9']);
    expect(short(check(yaml, { version: KruiseRolloutVersion.V0_6_2 }))).toEqual(['error kruise-feature-gate-unknown']);
  });

  it('elects a leader, unless there is one replica', () => {
    expect(short(checkInstall(['--leader-elect', '--leader-elect=false']))).toEqual(['error kruise-leader-election']);
    expect(checkInstall(['--leader-elect', '--leader-elect=false'], ['replicas: 2', 'replicas: 1'])).toEqual([]);
  });
});

describe('the webhooks', () => {
  it.each<[string, Change[], string]>([
    [
      'a selector of nobody',
      [['{ control-plane: kruise-rollout-controller-manager }\n  ports', '{ app: kruise-rollout }\n  ports']],
      'does not select the pods of kruise-rollout-controller-manager',
    ],
    ['another port', [['port: 443', 'port: 8443']], 'has no port 443'],
  ])('are behind a Service with %s', (_, changes, message) => {
    const [finding, ...others] = checkInstall(...changes);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ rule: 'kruise-webhook-service', severity: 'error' });
    expect(finding!.message).toContain(message);
  });

  it('may have a Service of another name, if the process is configured for it', () => {
    const rename: Change = [
      '{ name: kruise-rollout-webhook-service, namespace: kruise-rollout }\nspec',
      '{ name: hooks, namespace: kruise-rollout }\nspec',
    ];
    expect(short(checkInstall(rename))).toEqual(['error kruise-webhook-service']);
    expect(
      checkInstall(rename, [
        '          env:\n',
        '          env:\n            - { name: SERVICE_NAME, value: hooks }\n',
      ]),
    ).toEqual([]);
  });

  it('may lead to a container whose port has another name', () => {
    expect(messages(checkInstall(['name: webhook-server', 'name: webhooks']))).toEqual([
      'the Service "kruise-rollout-webhook-service" sends to port "webhook-server", which the container does not have, but the controller listens on 9876',
    ]);
  });

  it('that are missing give a warning if only a Deployment is known', () => {
    const [deployment] = installYaml().split('---\n');
    const findings = check(deployment!, { external: CRDS });
    expect(short(findings)).toEqual([
      'warning kruise-webhook-configuration',
      'warning kruise-webhook-configuration',
      'warning kruise-webhook-service',
      'warning kruise-service-account',
    ]);
  });
});

describe('metrics', () => {
  const monitor = (selector: string, namespaces = '') => `apiVersion: monitoring.coreos.com/v1
kind: PodMonitor
metadata: { name: rollouts, namespace: monitoring }
spec: { selector: { matchLabels: { ${selector} } }${namespaces} }
`;
  const pods = 'control-plane: kruise-rollout-controller-manager';

  it.each([
    ['a PodMonitor', `---\n${monitor(pods, ', namespaceSelector: { any: true }')}`, 'PodMonitor "rollouts"'],
    [
      'a Service by its port’s name',
      `---\napiVersion: v1\nkind: Service\nmetadata: { name: m, namespace: kruise-rollout }\nspec: { selector: { ${pods} }, ports: [{ name: metrics, port: 80 }] }\n`,
      'Service "m"',
    ],
  ])('are read by %s', (_, yaml, reader) => {
    const [finding, ...others] = check(`${installYaml()}${yaml}`);
    expect(others).toEqual([]);
    expect(finding!.message).toBe(
      `${reader} is for metrics, but kruise-rollout-controller-manager serves metrics at 127.0.0.1:8080 only`,
    );
    expect(finding!.related).toMatchObject({ source: { file: 'test.yaml' } });
  });

  it('are read by the annotation of the pods, and not served at all', () => {
    const findings = checkInstall(
      [
        'metadata: { labels: { control-plane: kruise-rollout-controller-manager } }',
        'metadata: { labels: { control-plane: kruise-rollout-controller-manager }, annotations: { prometheus.io/scrape: "true" } }',
      ],
      ['127.0.0.1:8080', '0'],
    );
    expect(short(findings)).toEqual(['error kruise-metrics-unreachable']);
  });

  it.each([
    ['in another namespace', monitor(pods)],
    ['of other pods', monitor('app: web', ', namespaceSelector: { any: true }')],
  ])('are not selected by a PodMonitor %s', (_, yaml) => {
    expect(check(`${installYaml()}---\n${yaml}`)).toEqual([]);
  });
});

describe('the ConfigMap of routing scripts', () => {
  const map = (namespace: string) =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: kruise-rollout-configuration, namespace: ${namespace} }\ndata: {}\n`;

  it('belongs in the namespace that the process reads', () => {
    expect(short(check(`${installYaml('rollouts')}---\n${map('kruise-rollout')}`))).toEqual([
      'error kruise-config-map-namespace',
    ]);
    expect(check(`${installYaml('rollouts')}---\n${map('rollouts')}`)).toEqual([]);
  });

  it('gives a warning in another namespace if no install is known', () => {
    expect(short(check(map('rollouts')))).toEqual(['warning kruise-config-map-namespace']);
    expect(check(map('rollouts'), { namespace: 'rollouts' })).toEqual([]);
  });
});

describe('manifests of the wrong shape', () => {
  it.each([
    'spec: 5',
    'spec: { template: { spec: { containers: [5, { image: 7, args: [1], env: [2], ports: 3 }] } } }',
    'spec: { template: [] }',
  ])('are left to other checks: %s', (spec) => {
    const yaml = `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: kruise-rollout-controller-manager }\n${spec}\n`;
    expect(() => check(yaml)).not.toThrow();
  });
});
