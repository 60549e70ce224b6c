import { describe, expect, it } from 'vitest';
import { collectFindings, parseManifests, World } from '../../src/core';
import { Manifest } from '../../src/core/manifest';
import { GatewayKind } from '../../src/kruise/gateway-kinds';
import { checkGatewayPermissions, type GatewayPermissionOptions } from '../../src/kruise/gateway-permissions';
import { gatewayGrant, installGrants } from '../../src/kruise/gateway-rbac';
import { kruiseInstall } from '../../src/kruise/install';
import { KruiseRolloutVersion } from '../../src/kruise/version';

const rollout = (routing: string) => `
apiVersion: rollouts.kruise.io/v1beta1
kind: Rollout
metadata: { name: web, namespace: shop }
spec:
  workloadRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  strategy:
    canary:
      steps: [{ traffic: 20%, replicas: 20% }]
      trafficRoutings:
        - { service: web, ${routing} }
`;

const custom = (apiVersion: string, kind: string) =>
  rollout(`customNetworkRefs: [{ apiVersion: ${apiVersion}, kind: ${kind}, name: web }]`);
const proxy = custom('projectcontour.io/v1', 'HTTPProxy');

const install = kruiseInstall({ crds: 'skip' }).map((object) => Manifest.of(object));
const account = {
  namespace: 'kruise-rollout',
  serviceAccountName: 'kruise-rollout-controller-manager',
  version: KruiseRolloutVersion.LATEST,
};
const contour = gatewayGrant([GatewayKind.CONTOUR_HTTP_PROXY], account).map((object) => Manifest.of(object));

function check(yaml: string, others: readonly Manifest[] = [], options: GatewayPermissionOptions = {}) {
  const { manifests, findings } = parseManifests(yaml, 'test.yaml');
  expect(findings).toEqual([]);
  return collectFindings(checkGatewayPermissions(World.of([...manifests, ...others]), options));
}

const short = (findings: ReturnType<typeof check>) => findings.map(({ severity, rule }) => `${severity} ${rule}`);

describe('document 003, copied unchanged', () => {
  // The example of the document, without the dots for further rules.
  const yaml = `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: kruise-rollout-istio-role
  namespace: kruise-rollout
rules:
  - apiGroups:
    - networking.istio.io
    resources:
    - destinationrules
    - virtualservices
    verbs:
    - get
    - list
    - patch
    - update
    - watch
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: kruise-rollout-istio-rolebinding
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: kruise-rollout-istio-role
subjects:
- kind: ServiceAccount
  name: controller-manager
  namespace: kruise-rollout
`;

  it('is wrong in three ways: the account, the namespace of the binding, and that it is a Role', () => {
    const findings = check(yaml);
    expect(findings.map(({ rule, message }) => ({ rule, message }))).toEqual([
      {
        rule: 'kruise-gateway-role-namespaced',
        message:
          'the RoleBinding grants DestinationRule.networking.istio.io, VirtualService.networking.istio.io in the ' +
          'namespace "default" only',
      },
      {
        rule: 'kruise-role-binding-namespace',
        message: 'the RoleBinding is in the namespace "default", which has no Role "kruise-rollout-istio-role"',
      },
      {
        rule: 'kruise-role-subject-unknown',
        message:
          'the RoleBinding names the ServiceAccount "controller-manager", but the controller runs as ' +
          '"kruise-rollout-controller-manager" in the namespace "kruise-rollout"',
      },
    ]);
    expect(findings.every(({ severity }) => severity === 'error')).toBe(true);
    const [namespaced] = findings.filter(({ rule }) => rule === 'kruise-gateway-role-namespaced');
    expect(namespaced!.fix).toContain(
      'remove Role and RoleBinding: the ClusterRole of the install already grants these kinds (v0.6.2)',
    );
  });

  it('is wrong even with the right account in the right namespace', () => {
    const mended = yaml
      .replace('name: controller-manager', 'name: kruise-rollout-controller-manager')
      .replace(
        'name: kruise-rollout-istio-rolebinding',
        'name: kruise-rollout-istio-rolebinding\n  namespace: kruise-rollout',
      );
    expect(short(check(mended))).toEqual(['error kruise-gateway-role-namespaced']);
  });
});

describe('a kind that a Rollout references', () => {
  it('has to be granted if the install is known', () => {
    const [finding, ...others] = check(proxy, install);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      rule: 'kruise-gateway-not-granted',
      severity: 'error',
      path: 'spec.strategy.canary.trafficRoutings[0].customNetworkRefs[0].kind',
      source: { line: 11 },
    });
    expect(finding!.fix).toContain('new GatewayRoleBinding(…, { kinds: [GatewayKind.CONTOUR_HTTP_PROXY] })');
    expect(check(proxy, [...install, ...contour])).toEqual([]);
  });

  it('is only a warning if the install is not among the manifests', () => {
    expect(short(check(proxy))).toEqual(['warning kruise-gateway-not-granted']);
    expect(check(proxy, contour)).toEqual([]);
    const known = { ...account, grantedKinds: installGrants(account.version) };
    expect(short(check(proxy, [], { install: known }))).toEqual(['error kruise-gateway-not-granted']);
    const granted = { ...known, grantedKinds: ['HTTPProxy.projectcontour.io'] };
    expect(check(proxy, [], { install: granted })).toEqual([]);
  });

  it.each([
    ['Istio', custom('networking.istio.io/v1beta1', 'VirtualService')],
    ['an Ingress in place', custom('networking.k8s.io/v1', 'Ingress')],
    ['a canary Ingress', rollout('ingress: { name: web }')],
    ['a route of the Gateway API', rollout('gateway: { httpRouteName: web }')],
  ])('is granted by every install: %s', (_, yaml) => {
    expect(check(yaml, install)).toEqual([]);
    expect(check(yaml)).toEqual([]);
  });

  it('may be missing from an install', () => {
    const permissions = { ingresses: false, gatewayApi: false, istio: false };
    const less = kruiseInstall({ crds: 'skip', permissions }).map((object) => Manifest.of(object));
    const yamls = [
      custom('networking.istio.io/v1', 'VirtualService'),
      rollout('ingress: { name: web }'),
      rollout('gateway: { httpRouteName: web }'),
    ];
    for (const yaml of yamls) expect(short(check(yaml, less))).toEqual(['error kruise-gateway-not-granted']);
  });

  it('may be granted in part', () => {
    const role = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: kruise-rollout-httpproxies.projectcontour.io }
rules:
  - { apiGroups: [projectcontour.io], resources: [httpproxies], verbs: [get, update] }
  - { apiGroups: [projectcontour.io], resources: [httpproxies], verbs: [list], resourceNames: [web] }
`;
    const [finding] = check(`${proxy}---${role}`, [...install, contour[1]!]);
    expect(finding!.message).toContain('may not list, watch httpproxies of the group "projectcontour.io"');
  });

  it.each([
    ['a wildcard', '{ kind: ServiceAccount, name: kruise-rollout-controller-manager, namespace: kruise-rollout }'],
    [
      'the user of the account',
      "{ kind: User, name: 'system:serviceaccount:kruise-rollout:kruise-rollout-controller-manager' }",
    ],
    ['all accounts of the namespace', "{ kind: Group, name: 'system:serviceaccounts:kruise-rollout' }"],
  ])('may be granted by %s', (_, subject) => {
    const yaml = `${proxy}---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: everything }
rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: everything }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: everything }
subjects: [${subject}]
`;
    expect(check(yaml, install)).toEqual([]);
  });

  it.each(['cluster-admin', 'a-role-of-another-repository'])(
    'may be granted by a role that is not here: %s',
    (name) => {
      const yaml = `${proxy}---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: more }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ${name} }
subjects: [{ kind: ServiceAccount, name: kruise-rollout-controller-manager, namespace: kruise-rollout }]
`;
      expect(check(yaml, install)).toEqual([]);
    },
  );

  it('is found by its CRD if the library does not know it', () => {
    const yaml = `${custom('example.com/v1', 'Policy')}---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: policies.example.com }
spec: { group: example.com, scope: Namespaced, names: { kind: Policy, plural: policies }, versions: [] }
`;
    expect(check(yaml, install)[0]!.message).toContain('may not get, list, update, watch policies of the group');
    const kind = GatewayKind.of({ kind: 'Policy', plural: 'policies', group: 'example.com' });
    const grant = gatewayGrant([kind], account).map((object) => Manifest.of(object));
    expect(check(yaml, [...install, ...grant])).toEqual([]);
  });

  it('with an unknown plural is granted by any rule of its group', () => {
    const yaml = custom('example.com/v1', 'Policy');
    expect(check(yaml, install)[0]!.message).toContain('the plural of Policy of the group "example.com"');
    const kind = GatewayKind.of({ kind: 'Policy', plural: 'policies', group: 'example.com' });
    const grant = gatewayGrant([kind], account).map((object) => Manifest.of(object));
    expect(check(yaml, [...install, ...grant])).toEqual([]);
  });

  it('is also checked for a TrafficRouting', () => {
    const yaml = `
apiVersion: rollouts.kruise.io/v1alpha1
kind: TrafficRouting
metadata: { name: web, namespace: shop }
spec:
  objectRef:
    - service: web
      customNetworkRefs: [{ apiVersion: projectcontour.io/v1, kind: HTTPProxy, name: web }]
  strategy: { weight: 20 }
`;
    expect(short(check(yaml, install))).toEqual(['error kruise-gateway-not-granted']);
  });
});

describe('a binding', () => {
  it('in the namespace of the Rollout is not enough', () => {
    const yaml = `${proxy}---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: contour, namespace: shop }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: kruise-rollout-httpproxies.projectcontour.io }
subjects: [{ kind: ServiceAccount, name: kruise-rollout-controller-manager, namespace: kruise-rollout }]
`;
    expect(short(check(yaml, [...install, contour[0]!]))).toEqual([
      'error kruise-gateway-not-granted',
      'error kruise-gateway-role-namespaced',
    ]);
  });

  it('for other accounts and other resources is ignored', () => {
    const yaml = `
apiVersion: v1
kind: ServiceAccount
metadata: { name: backup, namespace: kruise-rollout }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: backup, namespace: kruise-rollout }
rules: [{ apiGroups: [networking.istio.io], resources: ['*'], verbs: ['*'] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: backup, namespace: kruise-rollout }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: backup }
subjects: [{ kind: ServiceAccount, name: backup, namespace: kruise-rollout }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: secrets, namespace: shop }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: secrets }
subjects: [{ kind: ServiceAccount, name: web, namespace: shop }]
`;
    expect(check(yaml, install)).toEqual([]);
  });
});
