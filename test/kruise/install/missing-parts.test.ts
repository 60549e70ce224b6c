/** An install of which one part is missing, or names another: what is found, where, and which object would have to exist. */
import { describe, expect, test } from 'vitest';
import { collectFindings, parseManifests, World } from '../../../src/core';
import { checkKruiseInstall } from '../../../src/kruise/install/check';
import { installYaml } from '../../../src/kruise/install/check/examples';

function found(yaml: string): unknown[][] {
  const { manifests, findings } = parseManifests(yaml, 'install.yaml');
  expect(findings).toEqual([]);
  return collectFindings(checkKruiseInstall(World.of(manifests))).map(
    ({ severity, rule, object, path, message, absent }) => [
      `${severity} ${rule}`,
      `${object?.kind} ${path}`,
      message,
      absent?.map(({ apiVersion, kind, namespace, name }) => [apiVersion, kind, namespace, name].join(' ')),
    ],
  );
}

/** The install without the documents of a kind, and, if it is given, of a name. */
const without = (kind: string, name = '') =>
  installYaml('rollouts')
    .split('---\n')
    .filter((document) => !(document.includes(`\nkind: ${kind}\n`) && document.includes(`name: ${name}`)))
    .join('---\n');

const MANAGER = 'kruise-rollout-controller-manager';
const ACCOUNT = 'error kruise-service-account';
const AT_ACCOUNT = 'Deployment spec.template.spec.serviceAccountName';
const HOOKS = 'admissionregistration.k8s.io/v1';
const RBAC = 'rbac.authorization.k8s.io/v1';
const CRD = 'apiextensions.k8s.io/v1 CustomResourceDefinition ';
const CRDS = ['batchreleases', 'rollouthistories', 'rollouts', 'trafficroutings'].map(
  (plural) => `${plural}.rollouts.kruise.io`,
);

const unbound = (account: string) => [
  ACCOUNT,
  AT_ACCOUNT,
  `no ClusterRoleBinding names the ServiceAccount "${account}" of the namespace "rollouts"`,
  [`${RBAC} ClusterRoleBinding  `],
];

const hook = (kind: string, name: string) => [
  'error kruise-webhook-configuration',
  'Deployment undefined',
  `there is no ${kind} "${name}"`,
  [`${HOOKS} ${kind}  ${name}`],
];

describe('an install', () => {
  test.each<[string, string, unknown[]]>([
    [
      'Service',
      '',
      [
        'error kruise-webhook-service',
        'Deployment undefined',
        'there is no Service "kruise-rollout-webhook-service" in the namespace "rollouts"',
        ['v1 Service rollouts kruise-rollout-webhook-service'],
      ],
    ],
    [
      'MutatingWebhookConfiguration',
      '',
      hook('MutatingWebhookConfiguration', 'kruise-rollout-mutating-webhook-configuration'),
    ],
    [
      'ValidatingWebhookConfiguration',
      '',
      hook('ValidatingWebhookConfiguration', 'kruise-rollout-validating-webhook-configuration'),
    ],
    [
      'ServiceAccount',
      '',
      [
        ACCOUNT,
        AT_ACCOUNT,
        `the ServiceAccount "${MANAGER}" of the namespace "rollouts" does not exist`,
        [`v1 ServiceAccount rollouts ${MANAGER}`],
      ],
    ],
    [
      'ClusterRole',
      '',
      [
        ACCOUNT,
        'ClusterRoleBinding roleRef.name',
        'the ClusterRoleBinding "kruise-rollout-manager-rolebinding" names the ClusterRole "kruise-rollout-manager-role", which does not exist',
        [`${RBAC} ClusterRole  kruise-rollout-manager-role`],
      ],
    ],
    ['ClusterRoleBinding', '', unbound(MANAGER)],
    [
      'CustomResourceDefinition',
      '',
      [
        'warning kruise-crd-missing',
        'Deployment undefined',
        `the install does not include the CRDs ${CRDS.join(', ')}`,
        CRDS.map((name) => `${CRD} ${name}`),
      ],
    ],
    ...CRDS.map((name): [string, string, unknown[]] => [
      'CustomResourceDefinition',
      name,
      [
        'warning kruise-crd-missing',
        'Deployment undefined',
        `the install does not include the CRD ${name}`,
        [`${CRD} ${name}`],
      ],
    ]),
  ])('without the %s %s', (kind, name, expected) => {
    expect(found(without(kind, name))).toEqual([expected]);
  });

  test('is not checked without its Deployment', () => {
    expect(found(without('Deployment'))).toEqual([]);
  });

  test.each([
    [
      'an account of another namespace',
      `name: ${MANAGER}, namespace: rollouts }]`,
      `name: ${MANAGER}, namespace: shop }]`,
      MANAGER,
    ],
    ['a user', 'kind: ServiceAccount, name', 'kind: User, name', MANAGER],
    [
      'another account than the default one',
      `serviceAccountName: ${MANAGER}`,
      'serviceAccountName: default',
      'default',
    ],
  ])('with a binding of %s', (_, from, to, account) => {
    const yaml = installYaml('rollouts');
    expect(yaml).toContain(from);
    expect(found(yaml.replace(from, to))).toEqual([unbound(account)]);
  });
});
