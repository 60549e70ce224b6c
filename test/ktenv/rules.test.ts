import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkEnvironments } from '../../src/check';
import { collectFindings, type Finding, parseManifests, World } from '../../src/core';
import { checkKtEnv, type KtEnvCheckOptions, ktenvRules } from '../../src/ktenv/rules';
import {
  DEV,
  edit,
  NAMESPACE,
  OPERATOR,
  OPERATOR_BINDING,
  OPERATOR_ROLE,
  OPERATOR_STACK,
  PROJECT,
  SERVICE,
  STACK,
  VIRTUAL_ENVIRONMENT,
  yaml,
} from '../../src/ktenv/rules/examples';

const UPSTREAM = join(__dirname, '..', '..', '..', 'shared', 'upstream', 'ktenv');

/** What the examples are checked for; a release of Istio on which everything works where nothing is said here. */
const OPTIONS: Readonly<Record<string, KtEnvCheckOptions>> = {
  'ktenv-auto-inject-istio': { istioVersion: '1.19.0' },
  'ktenv-subset-duplicate': { istioVersion: '1.22' },
  'ktenv-subset-collision': { istioVersion: '1.22' },
};

const DEFAULT_OPTIONS: KtEnvCheckOptions = { istioVersion: '1.18' };

function findingsIn(text: string, options: KtEnvCheckOptions = DEFAULT_OPTIONS): Finding[] {
  const { manifests, findings } = parseManifests(text, 'example.yaml');
  expect(findings).toEqual([]);
  return collectFindings(checkKtEnv(World.of(manifests), options));
}

const idsIn = (text: string, options?: KtEnvCheckOptions) => [
  ...new Set(findingsIn(text, options).map((finding) => finding.rule)),
];

describe('the examples of the rules on KtEnv', () => {
  for (const rule of Object.values(ktenvRules)) {
    it(`${rule.id}: the failing one is found, and nothing else in it`, () => {
      const found = findingsIn(rule.failing.text, OPTIONS[rule.id]);
      expect([...new Set(found.map((finding) => finding.rule))]).toEqual([rule.id]);
      for (const finding of found) {
        expect(finding.severity).toBe(rule.severity);
        expect(finding.source?.line).toBeGreaterThan(0);
        expect(finding.object).toBeDefined();
      }
    });

    it(`${rule.id}: the corrected one is clean`, () => {
      const { manifests } = parseManifests(rule.corrected.text, 'example.yaml');
      // With what annotations accept: a note is answered by one.
      expect(checkEnvironments(World.of(manifests), OPTIONS[rule.id] ?? DEFAULT_OPTIONS).findings).toEqual([]);
    });
  }
});

describe('checkKtEnv', () => {
  const { failing } = ktenvRules['ktenv-auto-inject-istio'];

  it('warns if a finding depends on the release of Istio, and the release is not known', () => {
    const severities = findingsIn(failing.text, {}).map(({ rule, severity }) => [rule, severity]);
    expect(severities).toEqual([['ktenv-auto-inject-istio', 'warning']]);
  });

  it('accepts pods that ask for their sidecar themselves, unless the Namespace says no', () => {
    const ask = (one: string) =>
      edit(one, ['    metadata: { labels: {', '    metadata: { labels: { sidecar.istio.io/inject: "true",']);
    const namespace = (labels: string) =>
      edit(NAMESPACE, ['{ istio-injection: enabled, environment-tag-injection: enabled }', labels]);
    const own = [VIRTUAL_ENVIRONMENT, SERVICE, ask(DEV), ask(PROJECT)];
    expect(idsIn(yaml(namespace('{}'), ...own).text)).toEqual([]);
    expect(idsIn(yaml(namespace('{ istio-injection: disabled }'), ...own).text)).toEqual(['ktenv-namespace-labels']);
    const half = [VIRTUAL_ENVIRONMENT, SERVICE, ask(DEV), PROJECT];
    expect(idsIn(yaml(namespace('{}'), ...half).text)).toEqual(['ktenv-namespace-labels']);
  });

  it('rejects an invalid release of Istio', () => {
    expect(() => findingsIn(failing.text, { istioVersion: 'latest' })).toThrow(
      'the Istio version "latest" is not a version; write it as 1.24 or 1.24.3',
    );
  });

  it('accepts two workloads of one environment on releases of Istio that accept them', () => {
    expect(idsIn(ktenvRules['ktenv-subset-duplicate'].failing.text, { istioVersion: '1.21' })).toEqual([]);
  });

  it('finds native sidecars by the release of Istio', () => {
    const { corrected } = ktenvRules['ktenv-native-sidecar'];
    expect(idsIn(corrected.text, { istioVersion: '1.27' })).toEqual(['ktenv-native-sidecar']);
  });

  it('accepts an external operator', () => {
    const { failing: elsewhere } = ktenvRules['ktenv-operator-missing'];
    const external = [{ kind: 'Deployment', name: 'virtual-env-operator' }];
    expect(idsIn(elsewhere.text, { external })).toEqual([]);
  });

  it('reports an operator without a bound Role', () => {
    const text = ktenvRules['ktenv-operator-permissions'].corrected.text.replace('kind: RoleBinding', 'kind: Other');
    expect(findingsIn(text).map(({ message }) => message)).toEqual([
      'nothing binds a Role to the ServiceAccount "virtual-env-operator" of the operator in "shop"',
    ]);
  });

  describe('an operator', () => {
    /** The findings after an edit of one object of the install. */
    const edited = (object: string, from: string, to: string, options: KtEnvCheckOptions = DEFAULT_OPTIONS) =>
      findingsIn(
        yaml(...STACK, ...OPERATOR_STACK.map((one) => (one === object ? edit(one, [from, to]) : one))).text,
        options,
      );
    const OWN_FIELD = 'valueFrom: { fieldRef: { fieldPath: metadata.namespace } }';
    const NOTHING_BOUND = [
      'nothing binds a Role to the ServiceAccount "virtual-env-operator" of the operator in "shop"',
    ];

    it.each([
      ['shop', []],
      ['bank', ['ktenv-operator-namespace']],
      ['""', ['ktenv-operator-namespace']],
    ])('watches the namespace %s by name', (namespace, rules) => {
      expect(edited(OPERATOR, OWN_FIELD, `value: ${namespace}`).map(({ rule }) => rule)).toEqual(rules);
    });

    it.each([
      ['kind: ServiceAccount', 'kind: User'],
      ['name: virtual-env-operator }]', 'name: other }]'],
      ['name: virtual-env-operator }]', 'name: virtual-env-operator, namespace: bank }]'],
    ])('gets no permissions from a binding with %s changed to %s', (from, to) => {
      expect(edited(OPERATOR_BINDING, from, to).map(({ message }) => message)).toEqual(NOTHING_BOUND);
    });

    it('may have the permissions of a Role that is external', () => {
      const external = [{ kind: 'Role', name: 'of-the-platform' }];
      const [from, to] = ['kind: Role, name: virtual-env-operator', 'kind: Role, name: of-the-platform'];
      expect(edited(OPERATOR_BINDING, from, to, { ...DEFAULT_OPTIONS, external })).toEqual([]);
      expect(edited(OPERATOR_BINDING, from, to)).toHaveLength(1);
    });

    it.each([
      ['apiGroups: [apps]', 'apiGroups: [extensions]'],
      ['resources: [deployments, statefulsets]', 'resources: [daemonsets]'],
      ['verbs: [get, list, watch]', 'verbs: [update]'],
      ['resources: [deployments, statefulsets]', 'resources: [deployments, statefulsets], resourceNames: [web]'],
    ])('needs group, resource and verb in one rule: %s changed to %s', (from, to) => {
      expect(edited(OPERATOR_ROLE, from, to).map(({ message }) => message)).toEqual([
        'the ServiceAccount "virtual-env-operator" of the operator may not get, list, watch deployments.apps and get, list, watch statefulsets.apps',
      ]);
    });
  });

  it('warns of HTTP ports without routes next to a routed one', () => {
    const text = ktenvRules['ktenv-port-unrouted'].corrected.text.replace(
      '{ name: http, port: 80 }',
      '{ name: http, port: 80 }, { name: HTTP-admin, port: 81 }, { name: metrics, port: 82 }, { name: grpc, port: 83 }',
    );
    expect(findingsIn(text).map(({ severity, path }) => [severity, path])).toEqual([
      ['warning', 'spec.ports[1].name'],
      ['warning', 'spec.ports[3].name'],
    ]);
  });

  it('reports that the operator deletes a hand-written object if it has nothing to write', () => {
    const { failing: overwritten } = ktenvRules['ktenv-hand-written'];
    const alone = overwritten.text
      .split('---\n')
      .filter((one) => !one.includes('dev.proj1'))
      .join('---\n');
    expect(findingsIn(alone).map(({ rule, severity }) => [rule, severity])).toEqual([
      ['ktenv-hand-written', 'error'],
      ['ktenv-single-route', 'note'],
    ]);
  });

  it('accepts an external ServiceAccount', () => {
    const { failing: alone } = ktenvRules['ktenv-operator-account'];
    const external = [{ kind: 'ServiceAccount', name: 'virtual-env-operator' }];
    expect(idsIn(alone.text, { external })).toEqual([]);
  });

  it('only notes a Service without any environment, and names its pods', () => {
    const bank = [
      '{ apiVersion: v1, kind: Service, metadata: { name: bank, namespace: shop }, spec: { selector: { app: bank }, ports: [{ name: http, port: 80 }] } }',
      '{ apiVersion: apps/v1, kind: Deployment, metadata: { name: bank, namespace: shop }, spec: { template: { metadata: { labels: { app: bank } } } } }',
    ];
    const { corrected } = ktenvRules['ktenv-label-missing'];
    const found = findingsIn([corrected.text, ...bank].join('\n---\n'));
    expect(found.map(({ rule, severity, message }) => [rule, severity, message])).toEqual([
      [
        'ktenv-label-missing',
        'note',
        '"bank" gets no routes, because the pods of Deployment "bank" have no virtual-env',
      ],
    ]);
    expect(findingsIn([corrected.text, bank[0]!.replace('name: http', 'name: tcp'), bank[1]].join('\n---\n'))).toEqual(
      [],
    );
  });

  it('accepts unlabelled pods if every pod answers the default', () => {
    const { failing: labelled } = ktenvRules['ktenv-label-missing'];
    expect(idsIn(labelled.text.replace(', defaultSubset: dev', ''))).toEqual([]);
  });

  it.each([
    ['.*env=(@).*', true],
    ['env=(@)(;.*)?', false],
    ['env=(@).+', true],
    ['.*(@)', false],
    ['(@).*', true],
    ['.*env=(@)[^;]*', true],
    ['[a-z]{3}(@).*', false],
  ])('tries the pattern %s of an alias', (pattern, isAmbiguous) => {
    const { failing: ambiguous } = ktenvRules['ktenv-alias-ambiguous'];
    const found = findingsIn(ambiguous.text.replace('.*env=(@).*', () => pattern));
    expect(found.map(({ rule }) => rule)).toEqual(isAmbiguous ? ['ktenv-alias-ambiguous'] : []);
  });

  it('shows the header that two patterns match', () => {
    const [found] = findingsIn(ktenvRules['ktenv-alias-ambiguous'].failing.text);
    expect(found!.message).toBe(
      'the header baggage: env=dev.proj1.f1 means "dev.proj1.f1", and also matches the pattern for "dev.proj1"',
    );
    expect(found!.path).toBe('spec.envHeader.aliases[0].pattern');
  });

  it('reports header propagation only for more than one app', () => {
    const { failing: chain } = ktenvRules['ktenv-header-propagation'];
    const alone = chain.text.split('---\n').filter((one) => !one.includes('cart'));
    expect(idsIn(alone.join('---\n'))).toEqual([]);
  });

  it('checks the environments that each VirtualEnvironment declares for requests', () => {
    const { failing: requested } = ktenvRules['ktenv-environment-unknown'];
    const other = ktenvRules['ktenv-single-route'].corrected.text.replaceAll('namespace: shop', 'namespace: bank');
    const found = findingsIn([requested.text, other].join('---\n'));
    expect(found.map(({ rule, object }) => [rule, object?.namespace])).toEqual([['ktenv-environment-unknown', 'shop']]);
    // What the caller says holds for every namespace.
    expect(findingsIn(other, { environments: ['dev.proj1.f1'] })).toHaveLength(1);
  });

  it('finds nothing in a World without KtEnv', () => {
    expect(checkKtEnv(World.of([]))).toEqual([]);
  });

  it('survives objects of any shape', () => {
    const kinds = ['Service', 'Deployment', 'Secret', 'Namespace', 'MutatingWebhookConfiguration', 'EnvoyFilter'];
    const text = [
      '{ apiVersion: env.alibaba.com/v1alpha2, kind: VirtualEnvironment, metadata: { name: e }, spec: { envHeader: 3 } }',
      ...kinds.map(
        (kind) => `{ apiVersion: v1, kind: ${kind}, metadata: { name: x }, spec: [], data: 3, webhooks: {} }`,
      ),
    ].join('\n---\n');
    expect(idsIn(text)).toContain('field-invalid');
  });

  it.runIf(existsSync(UPSTREAM))('finds the published authority in upstream’s own webhook', () => {
    const text = ['crd.yaml', 'webhook.yaml'].map((name) => readFileSync(join(UPSTREAM, name), 'utf8')).join('\n---\n');
    expect(idsIn(text)).toEqual(['ktenv-public-certificate']);
  });

  it.runIf(existsSync(UPSTREAM))('takes upstream’s operator as it is', () => {
    const files = ['operator.yaml', 'service-account.yaml'].map((name) => readFileSync(join(UPSTREAM, name), 'utf8'));
    expect(idsIn(files.join('\n---\n'))).toEqual([]);
  });
});
