import { describe, expect, it, test } from 'vitest';
import { kruiseInstall } from '../../../src/kruise/install';
import type { KruiseInstallOptions } from '../../../src/kruise/install/options';
import { installProblems } from '../../../src/kruise/install/problems';
import { KruiseRolloutVersion } from '../../../src/kruise/version';

const LABEL = { key: 'team', operator: 'In' } as const;

describe('the options of an install', () => {
  test.each<[string, KruiseInstallOptions]>([
    ['nothing', {}],
    ['an image of a registry with a port', { image: { repository: 'registry:5000/kruise', tag: 'v0.6.2' } }],
    ['a digest', { image: { digest: `sha256:${'a'.repeat(64)}` } }],
    ['all bounds of numbers', { logLevel: 0, partitionPercentLimit: 1, webhookPort: 1024, healthPort: 65535 }],
    ['the other bounds', { partitionPercentLimit: 100, replicas: 1 }],
    ['flags', { extraArgs: ['--rollout-workers=10', '-x', '--long'] }],
    ['variables', { extraEnv: [{ name: 'HTTP_PROXY', value: 'http://proxy' }] }],
    ['labels', { labels: { team: 'a' }, podLabels: { team: 'b' } }],
    [
      'selectors',
      {
        objectSelector: [
          { ...LABEL, values: ['a'] },
          { key: 'x', operator: 'Exists' },
        ],
      },
    ],
    [
      'other selectors',
      {
        objectSelector: [
          { key: 'x', operator: 'DoesNotExist' },
          { ...LABEL, operator: 'NotIn', values: ['a'] },
        ],
      },
    ],
    [
      'CIDRs',
      { networkPolicy: { apiServerCidrs: ['10.0.0.0/32', '::/128', '10.0.0.0/0'], apiServerPorts: [1, 65535] } },
    ],
    ['metrics for some', { metrics: {}, networkPolicy: { metricsFrom: [{ podSelector: {} }] } }],
    ['a budget', { replicas: 2, podDisruptionBudget: { minAvailable: 1 } }],
  ])('may be %s', (_, options) => {
    expect(installProblems(options)).toEqual([]);
  });

  test.each<[KruiseInstallOptions, string]>([
    [{ namespace: 'Kruise' }, 'namespace is "Kruise": must be'],
    [{ namespace: `a${'b'.repeat(63)}` }, 'namespace is'],
    [{ replicas: 0 }, 'replicas is 0: must be a whole number from 1 on; while no controller runs, nobody can update'],
    [{ replicas: 1.5 }, 'replicas is 1.5'],
    [{ image: { repository: 'kruise:v1' } }, 'image.repository is "kruise:v1": must be an image without tag'],
    [{ image: { repository: 'kruise@sha256' } }, 'image.repository is "kruise@sha256"'],
    [{ image: { repository: '' } }, 'image.repository is ""'],
    [{ image: { tag: 'no tag' } }, 'image.tag is "no tag": must be'],
    [{ image: { digest: 'sha256:1' } }, 'image.digest is "sha256:1": must be'],
    [{ featureGates: { AdvancedDeploymen: true } as never }, 'featureGates.AdvancedDeploymen does not exist in v0.6.2'],
    [{ logLevel: -1 }, 'logLevel is -1: must be a whole number of at least 0'],
    [{ logLevel: 1.5 }, 'logLevel is 1.5'],
    [{ partitionPercentLimit: 0 }, 'partitionPercentLimit is 0: must be a whole number from 1 to 100'],
    [{ partitionPercentLimit: 101 }, 'partitionPercentLimit is 101'],
    [{ partitionPercentLimit: 2.5 }, 'partitionPercentLimit is 2.5'],
    [
      { partitionPercentLimit: 50, version: KruiseRolloutVersion.V0_5_0 },
      'partitionPercentLimit is set: v0.5.0 does not',
    ],
    [{ webhookPort: 80 }, 'webhookPort is 80: must be a whole number from 1024 to 65535'],
    [{ healthPort: 65536 }, 'healthPort is 65536'],
    [{ metrics: { port: 1023 } }, 'metrics.port is 1023'],
    [{ webhookPort: 9000, healthPort: 9000 }, 'healthPort is 9000, the same as webhookPort: set another port'],
    [{ metrics: { port: 9000 }, healthPort: 9000 }, 'metrics.port is 9000, the same as healthPort'],
    [{ extraArgs: ['rollout-workers=10'] }, 'extraArgs has "rollout-workers=10": must be a flag such as'],
    [
      { extraArgs: ['--leader-elect=false'] },
      'extraArgs has "--leader-elect=false", which the install sets itself: leave it out',
    ],
    [{ extraArgs: ['-v=9'] }, 'the install sets itself: set logLevel instead'],
    [{ extraArgs: ['--health-probe-bind-address=:1'] }, 'set healthPort instead'],
    [{ extraArgs: ['--metrics-bind-address=:1'] }, 'set metrics instead'],
    [{ extraArgs: ['--feature-gates=A=true'] }, 'set featureGates instead'],
    [{ extraArgs: ['--partition-percent-limit=5'] }, 'set partitionPercentLimit instead'],
    [
      { extraEnv: [{ name: 'POD_NAMESPACE', value: 'a' }] },
      'extraEnv has POD_NAMESPACE, which names and ports of the install depend on: set namespace',
    ],
    [{ extraEnv: [{ name: 'WEBHOOK_PORT', value: '1' }] }, 'set webhookPort instead'],
    ...['SECRET_NAME', 'SERVICE_NAME', 'WEBHOOK_CERT_DIR', 'WEBHOOK_CERT_WRITER', 'WEBHOOK_HOST'].map(
      (name): [KruiseInstallOptions, string] => [{ extraEnv: [{ name, value: 'a' }] }, 'depend on: leave it out'],
    ),
    [
      {
        extraEnv: [
          { name: 'A', value: '1' },
          { name: 'A', value: '2' },
        ],
      },
      'extraEnv has A twice: keep one of them',
    ],
    [{ labels: { 'control-plane': 'a' } }, 'labels has "control-plane", which Services use'],
    [{ podLabels: { 'control-plane': 'a' } }, 'podLabels has "control-plane"'],
    [{ objectSelector: [LABEL] }, 'objectSelector[0] has the operator In: it needs values'],
    [{ objectSelector: [{ ...LABEL, values: [] }] }, 'objectSelector[0] has the operator In: it needs values'],
    [
      {
        objectSelector: [
          { key: 'a', operator: 'Exists' },
          { key: 'x', operator: 'NotIn' },
        ],
      },
      'objectSelector[1] has the operator NotIn: it needs values',
    ],
    [
      { objectSelector: [{ key: 'x', operator: 'Exists', values: ['a'] }] },
      'has the operator Exists: remove its values',
    ],
    [{ objectSelector: [{ key: '', operator: 'Exists' }] }, 'objectSelector[0].key is empty: name a label'],
    [
      { objectSelector: [{ key: 'x', operator: 'Is' as never }] },
      'operator is "Is": must be In, NotIn, Exists, DoesNotExist',
    ],
    ...['10.0.0.0/33', '10.0.0.0', '::/129', '10.0.0.0/a', '10.0.0.0/8/8', 'host/8', '10.0.0.0/'].map(
      (cidr): [KruiseInstallOptions, string] => [
        { networkPolicy: { apiServerCidrs: [cidr] } },
        `networkPolicy.apiServerCidrs has "${cidr}": must be a CIDR`,
      ],
    ),
    ...[[], [0], [65536], [1.5]].map((apiServerPorts): [KruiseInstallOptions, string] => [
      { networkPolicy: { apiServerPorts } },
      `networkPolicy.apiServerPorts is [${apiServerPorts.join(', ')}]: must be ports from 1 to 65535`,
    ]),
    [
      { networkPolicy: { metricsFrom: [{ podSelector: {} }] } },
      'networkPolicy.metricsFrom is set, but the controller serves no metrics',
    ],
    [{ metrics: {}, networkPolicy: { metricsFrom: [] } }, 'networkPolicy.metricsFrom is empty: add a peer'],
    [{ podDisruptionBudget: {} }, 'podDisruptionBudget needs exactly one of'],
    [{ podDisruptionBudget: { minAvailable: 1, maxUnavailable: 1 } }, 'podDisruptionBudget needs exactly one of'],
    [{ replicas: 1, podDisruptionBudget: { minAvailable: 1 } }, 'minAvailable is 1 with 1 replicas: no node'],
    [{ replicas: 3, podDisruptionBudget: { minAvailable: '67%' } }, 'minAvailable is 67% with 3 replicas'],
    [{ replicas: 3, podDisruptionBudget: { maxUnavailable: 0 } }, 'maxUnavailable is 0 with 3 replicas'],
    [{ podDisruptionBudget: { maxUnavailable: '1000%' } }, 'must be a whole number, or a percentage'],
    [{ podDisruptionBudget: { maxUnavailable: -1 } }, 'must be a whole number, or a percentage'],
  ])('may not be %j', (options, problem) => {
    const problems = installProblems(options);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
  });

  it('have each of their problems', () => {
    expect(installProblems({ replicas: 0, logLevel: -1, namespace: '' })).toHaveLength(3);
  });
});

describe('the network policy of an install', () => {
  const specOf = (options: KruiseInstallOptions) =>
    kruiseInstall(options).find(({ kind }) => kind === 'NetworkPolicy') as { readonly spec: object } | undefined;
  const dns = {
    ports: [
      { port: 53, protocol: 'UDP' },
      { port: 53, protocol: 'TCP' },
    ],
  };
  const ports = (...some: number[]) => some.map((port) => ({ port, protocol: 'TCP' }));

  it('is only written if it is asked for', () => {
    expect(specOf({})).toBeUndefined();
  });

  it('lets everybody reach the webhook, and the controller the API server and DNS', () => {
    expect(specOf({ networkPolicy: {}, metrics: undefined, webhookPort: 9876 })?.spec).toMatchObject({
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ ports: ports(9876) }],
      egress: [{ ports: ports(443, 6443) }, dns],
    });
  });

  it('lets those reach it that are named', () => {
    const from = [{ ipBlock: { cidr: '10.0.0.0/16' } }];
    const metricsFrom = [{ podSelector: { matchLabels: { app: 'prometheus' } } }];
    const policy = { apiServerCidrs: ['10.0.0.0/16'], apiServerPorts: [6443], metricsFrom };
    expect(specOf({ networkPolicy: policy, metrics: { port: 8081 }, webhookPort: 9876 })?.spec).toMatchObject({
      ingress: [
        { from, ports: ports(9876) },
        { from: metricsFrom, ports: ports(8081) },
      ],
      egress: [{ to: from, ports: ports(6443) }, dns],
    });
    const open = specOf({ networkPolicy: {}, metrics: { port: 8081 } })?.spec as { readonly ingress: object[] };
    expect(open.ingress[1]).toEqual({ from: [{ namespaceSelector: {} }], ports: ports(8081) });
  });
});
