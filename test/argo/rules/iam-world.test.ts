/** Roles, policies and associations of AWS that ACK and Crossplane manage. */
import { describe, expect, it } from 'vitest';
import { iamWorld } from '../../../src/argo/rules/iam-world';
import { type JsonObject, Manifest, World } from '../../../src/core';
import { formatPath } from '../../../src/core/path';

const POLICY = JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] });
const object = (apiVersion: string, kind: string, name: string, spec: object, more: object = {}) =>
  Manifest.of({ apiVersion, kind, metadata: { name, namespace: 'aws', ...more }, spec } as JsonObject);
const ack = (kind: string, name: string, spec: object, more?: object) =>
  object(`${kind === 'PodIdentityAssociation' ? 'eks' : 'iam'}.services.k8s.aws/v1alpha1`, kind, name, spec, more);
const crossplane = (kind: string, name: string, forProvider: object, more?: object) =>
  object(
    `${kind === 'PodIdentityAssociation' ? 'eks' : 'iam'}.aws.upbound.io/v1beta1`,
    kind,
    name,
    { forProvider },
    more,
  );

const read = (...objects: Manifest[]) => iamWorld(World.of(objects));
const rolesOf = (...objects: Manifest[]) =>
  read(...objects).roles.map(({ name, policies, trust, hasUnknownPolicies }) => ({
    name,
    policies: policies.map(({ manifest, path }) => `${manifest.kind} ${manifest.name} ${formatPath(path)}`),
    ...(trust && { trust: formatPath(trust.path) }),
    ...(hasUnknownPolicies && { hasUnknownPolicies }),
  }));

describe('a role of ACK', () => {
  const policy = (name: string, namespace = 'aws') => ack('Policy', name, { policyDocument: POLICY }, { namespace });
  const from = (name: string, namespace?: string) => ({ from: { name, ...(namespace && { namespace }) } });

  it('has the policies that it refers to, in its namespace or another, and those within it', () => {
    const spec = {
      name: 'in-aws',
      policyRefs: [from('two'), from('far', 'other')],
      inlinePolicies: { own: POLICY },
      assumeRolePolicyDocument: POLICY,
    };
    const role = ack('Role', 'role', spec);
    expect(rolesOf(policy('one'), policy('two'), policy('far', 'other'), policy('two', 'other'), role)).toEqual([
      {
        name: 'in-aws',
        policies: [
          'Policy two spec.policyDocument',
          'Policy far spec.policyDocument',
          'Role role spec.inlinePolicies.own',
        ],
        trust: 'spec.assumeRolePolicyDocument',
      },
    ]);
  });

  it('has policies that are not known', () => {
    expect(rolesOf(policy('one'), ack('Role', 'role', { policyRefs: [from('none')] }))).toEqual([
      { name: 'role', policies: [], hasUnknownPolicies: true },
    ]);
    expect(rolesOf(ack('Role', 'role', { policies: ['arn:aws:iam::aws:policy/x'] }))).toEqual([
      { name: 'role', policies: [], hasUnknownPolicies: true },
    ]);
    expect(rolesOf(ack('Role', 'role', {}))).toEqual([{ name: 'role', policies: [] }]);
  });
});

describe('a role of Crossplane', () => {
  const policy = (name: string) => crossplane('Policy', name, { policy: POLICY });
  const attach = (name: string, role: object, ref: string) =>
    crossplane('RolePolicyAttachment', name, { ...role, policyArnRef: { name: ref } });
  const EXTERNAL = { annotations: { 'crossplane.io/external-name': 'in-aws' } };

  it('has the policies that are attached to it, by its name here or in AWS, and those of its own', () => {
    const found = rolesOf(
      policy('one'),
      policy('two'),
      policy('three'),
      crossplane('Role', 'role', { assumeRolePolicy: POLICY }, EXTERNAL),
      attach('a', { roleRef: { name: 'role' } }, 'two'),
      attach('b', { role: 'in-aws' }, 'three'),
      attach('c', { roleRef: { name: 'other' } }, 'one'),
      attach('d', { role: 'role' }, 'one'),
      crossplane('RolePolicy', 'two', { roleRef: { name: 'role' }, policy: POLICY }),
      crossplane('RolePolicy', 'far', { roleRef: { name: 'other' }, policy: POLICY }),
    );
    expect(found).toEqual([
      {
        name: 'in-aws',
        policies: [
          'Policy two spec.forProvider.policy',
          'Policy three spec.forProvider.policy',
          'RolePolicy two spec.forProvider.policy',
        ],
        trust: 'spec.forProvider.assumeRolePolicy',
      },
    ]);
  });

  it.each<[string, Manifest[]]>([
    ['an attachment of a policy that is elsewhere', [attach('a', { roleRef: { name: 'role' } }, 'none')]],
    ['an attachment to roles by their labels', [crossplane('RolePolicyAttachment', 'a', { roleSelector: {} })]],
  ])('has policies that are not known, with %s', (_, more) => {
    expect(rolesOf(crossplane('Role', 'role', {}), ...more)).toEqual([
      { name: 'role', policies: [], hasUnknownPolicies: true },
    ]);
  });

  it('has policies that are not known, of AWS or within it', () => {
    for (const spec of [{ managedPolicyArns: ['arn:x'] }, { inlinePolicy: [{ name: 'x' }] }])
      expect(rolesOf(crossplane('Role', 'role', spec))[0]).toMatchObject({ hasUnknownPolicies: true });
    expect(rolesOf(crossplane('Role', 'role', {}))).toEqual([{ name: 'role', policies: [] }]);
  });

  it('is that of either API of Crossplane', () => {
    const namespaced = object('iam.aws.m.upbound.io/v1beta1', 'Role', 'second', { forProvider: {} });
    expect(rolesOf(crossplane('Role', 'first', {}), namespaced).map(({ name }) => name)).toEqual(['first', 'second']);
  });
});

describe('an association', () => {
  const associationsOf = (...objects: Manifest[]) =>
    read(...objects).associations.map(({ path, serviceAccount, clusterName, hasSessionTags, role }) => ({
      path: formatPath(path),
      account: `${serviceAccount.namespace}/${serviceAccount.name}`,
      clusterName,
      hasSessionTags,
      role: role?.manifest.group,
    }));
  const spec = { namespace: 'argo', serviceAccount: 'rollouts', clusterName: 'shop' };
  const both = [ack('Role', 'role', { name: 'in-aws' }), crossplane('Role', 'role', {})];

  it('is for a ServiceAccount in a cluster, with the role that it names', () => {
    expect(
      associationsOf(...both, ack('PodIdentityAssociation', 'a', { ...spec, roleRef: { from: { name: 'role' } } })),
    ).toEqual([
      {
        path: 'spec.serviceAccount',
        account: 'argo/rollouts',
        clusterName: 'shop',
        hasSessionTags: true,
        role: 'iam.services.k8s.aws',
      },
    ]);
    const named = { ...spec, clusterName: '', disableSessionTags: true, roleArnRef: { name: 'role' } };
    expect(associationsOf(...both, crossplane('PodIdentityAssociation', 'a', named))).toEqual([
      {
        path: 'spec.forProvider.serviceAccount',
        account: 'argo/rollouts',
        clusterName: undefined,
        hasSessionTags: false,
        role: 'iam.aws.upbound.io',
      },
    ]);
  });

  it('may name its role by an ARN, and one that is elsewhere', () => {
    const of = (more: object) =>
      associationsOf(...both, ack('PodIdentityAssociation', 'a', { ...spec, ...more }))[0]!.role;
    expect(of({ roleARN: 'arn:aws:iam::111122223333:role/team/in-aws' })).toBe('iam.services.k8s.aws');
    expect(of({ roleARN: 'arn:aws:iam::111122223333:role/none' })).toBeUndefined();
    expect(
      of({ roleRef: { from: { name: 'none' } }, roleARN: 'arn:aws:iam::111122223333:role/in-aws' }),
    ).toBeUndefined();
  });
});

describe('all policies', () => {
  it('are read once, with trust policies', () => {
    const { written } = read(
      ack('Policy', 'one', { policyDocument: POLICY }),
      ack('Role', 'role', {
        policyRefs: [{ from: { name: 'one' } }],
        assumeRolePolicyDocument: '{',
        inlinePolicies: { x: POLICY },
      }),
      crossplane('Policy', 'two', { policy: POLICY }),
      crossplane('Policy', 'odd', { policy: 5 }),
    );
    expect(
      written.map(({ manifest, path, read: one }) => `${manifest.name} ${formatPath(path)} ${'problem' in one}`),
    ).toEqual([
      'one spec.policyDocument false',
      'two spec.forProvider.policy false',
      'role spec.assumeRolePolicyDocument true',
      'role spec.inlinePolicies.x false',
    ]);
  });
});
