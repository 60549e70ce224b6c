/** Which role bindings apply to the controller, and what their rules allow. */
import { describe, expect, it } from 'vitest';
import { Manifest, World } from '../../src/core';
import { allows, bindingsOf, grantsTo, type Request, rulesOf, subjectsOf } from '../../src/kruise/grants';

const RBAC = 'rbac.authorization.k8s.io/v1';
const ACCOUNT = { namespace: 'rollouts', serviceAccountName: 'manager' };
const binding = (subjects: unknown, roleRef: object = { kind: 'ClusterRole', name: 'role' }, namespace?: string) => ({
  apiVersion: RBAC,
  kind: namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
  metadata: { name: 'binding', ...(namespace === undefined ? {} : { namespace }) },
  roleRef,
  subjects,
});
const role = (kind: string, more: object = {}, namespace?: string) => ({
  apiVersion: RBAC,
  kind,
  metadata: { name: 'role', ...(namespace === undefined ? {} : { namespace }) },
  ...more,
});
const worldOf = (...objects: readonly object[]) => World.of(objects.map((each) => Manifest.of(each)));

describe('a binding', () => {
  it.each<[subject: unknown, applies: boolean]>([
    [{ kind: 'ServiceAccount', name: 'manager', namespace: 'rollouts' }, true],
    [{ kind: 'ServiceAccount', name: 'manager', namespace: 'other' }, false],
    [{ kind: 'ServiceAccount', name: 'other', namespace: 'rollouts' }, false],
    [{ kind: 'ServiceAccount', name: 'manager' }, false],
    [{ kind: 'User', name: 'system:serviceaccount:rollouts:manager' }, true],
    [{ kind: 'User', name: 'system:serviceaccount:rollouts:other' }, false],
    [{ kind: 'User', name: 'manager', namespace: 'rollouts' }, false],
    [{ kind: 'Group', name: 'system:authenticated' }, true],
    [{ kind: 'Group', name: 'system:serviceaccounts' }, true],
    [{ kind: 'Group', name: 'system:serviceaccounts:rollouts' }, true],
    [{ kind: 'Group', name: 'system:serviceaccounts:other' }, false],
    [{ kind: 'Group', name: 'system:unauthenticated' }, false],
    [{ kind: 'Robot', name: 'system:authenticated' }, false],
    [{}, false],
    ['manager', false],
  ])('to %j applies: %s', (subject, applies) => {
    expect(grantsTo(worldOf(binding([{ kind: 'User', name: 'a' }, subject])), ACCOUNT)).toHaveLength(applies ? 1 : 0);
  });

  it('without subjects applies to nobody', () => {
    expect(grantsTo(worldOf(binding([])), ACCOUNT)).toEqual([]);
    expect(grantsTo(worldOf(binding(undefined)), ACCOUNT)).toEqual([]);
  });

  it('has subjects with their index', () => {
    const subjects = [{ kind: 'User', name: 'a' }, { kind: 'ServiceAccount', name: 'b', namespace: 'c' }, 5];
    expect(subjectsOf(Manifest.of(binding(subjects)))).toStrictEqual([
      { kind: 'User', name: 'a', namespace: '', index: 0 },
      { kind: 'ServiceAccount', name: 'b', namespace: 'c', index: 1 },
      { kind: '', name: '', namespace: '', index: 2 },
    ]);
  });

  const found = (...objects: readonly object[]) =>
    bindingsOf(worldOf(...objects)).map(({ manifest, role: found, ...rest }) => ({
      ...rest,
      manifest: manifest.kind,
      role: found?.kind,
    }));

  it('names a role of its kind, in its namespace', () => {
    const whole = { manifest: 'ClusterRoleBinding', namespace: '', roleKind: 'ClusterRole', roleName: 'role' };
    expect(found(binding([]), role('ClusterRole'))).toEqual([{ ...whole, role: 'ClusterRole', isForeign: false }]);
    expect(found(binding([]))).toEqual([{ ...whole, role: undefined, isForeign: false }]);
    const own = binding([], { kind: 'Role', name: 'role' }, 'shop');
    const local = { manifest: 'RoleBinding', namespace: 'shop', roleKind: 'Role', roleName: 'role' };
    expect(found(own, role('Role', {}, 'shop'))).toEqual([{ ...local, role: 'Role', isForeign: false }]);
    expect(found(own, role('Role', {}, 'other'))).toEqual([{ ...local, role: undefined, isForeign: false }]);
    expect(found(own, role('ClusterRole'))).toEqual([{ ...local, role: undefined, isForeign: false }]);
    const shared = binding([], { kind: 'ClusterRole', name: 'role' }, 'shop');
    expect(found(shared, role('ClusterRole'))).toEqual([
      { ...local, roleKind: 'ClusterRole', role: 'ClusterRole', isForeign: false },
    ]);
    expect(found(binding([], {}))).toEqual([
      { manifest: 'ClusterRoleBinding', namespace: '', roleKind: '', roleName: '', role: undefined, isForeign: false },
    ]);
  });

  it('comes after those of the whole cluster', () => {
    expect(found(binding([], {}, 'shop'), binding([])).map(({ manifest }) => manifest)).toEqual([
      'ClusterRoleBinding',
      'RoleBinding',
    ]);
  });

  it.each<[kind: string, name: string, isForeign: boolean]>([
    ['ClusterRole', 'admin', true],
    ['ClusterRole', 'cluster-admin', true],
    ['ClusterRole', 'edit', true],
    ['ClusterRole', 'view', true],
    ['ClusterRole', 'system:controller:a', true],
    ['ClusterRole', 'systematic', false],
    ['ClusterRole', 'my-system:a', false],
    ['ClusterRole', 'viewer', false],
    ['Role', 'admin', false],
    ['Role', 'system:a', false],
  ])('of a %s %s names a role of the cluster: %s', (kind, name, isForeign) => {
    expect(bindingsOf(worldOf(binding([], { kind, name })))[0]!.isForeign).toBe(isForeign);
  });

  it('of an aggregated role has rules that nobody knows', () => {
    const of = (more: object) => bindingsOf(worldOf(binding([]), role('ClusterRole', more)))[0]!.isForeign;
    expect(of({ aggregationRule: {} })).toBe(true);
    expect(of({ rules: [] })).toBe(false);
  });
});

describe('a rule', () => {
  it('is read with empty lists for what it does not have', () => {
    const rules = [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get'], resourceNames: ['web'] }, {}, 5];
    const empty = { apiGroups: [], resources: [], verbs: [], resourceNames: [] };
    expect(rulesOf(Manifest.of(role('ClusterRole', { rules })))).toStrictEqual([rules[0], empty, empty]);
    expect(rulesOf(Manifest.of(role('ClusterRole')))).toEqual([]);
    expect(rulesOf(undefined)).toEqual([]);
  });

  const GET: Request = { verb: 'get', group: 'apps', resource: 'deployments' };
  const RULE = { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list'], resourceNames: [] };
  it.each<[change: object, request: object, allowed: boolean]>([
    [{}, {}, true],
    [{}, { verb: 'list' }, true],
    [{}, { verb: 'update' }, false],
    [{}, { group: '' }, false],
    [{}, { resource: 'statefulsets' }, false],
    [{ verbs: ['*'] }, { verb: 'update' }, true],
    [{ apiGroups: ['*'] }, { group: '' }, true],
    [{ resources: ['*'] }, { resource: 'statefulsets' }, true],
    [{ verbs: [] }, {}, false],
    [{ apiGroups: [] }, {}, false],
    [{ resources: [] }, {}, false],
    [{}, { resource: undefined }, true],
    [{ resources: [] }, { resource: undefined }, false],
    [{ resourceNames: ['web'] }, {}, false],
    [{ resourceNames: ['web'] }, { name: 'web' }, true],
    [{ resourceNames: ['web'] }, { name: 'api' }, false],
    [{ resourceNames: ['*'] }, { name: 'api' }, false],
    [{}, { name: 'web' }, true],
  ])('with %j allows %j: %s', (change, request, allowed) => {
    expect(allows({ ...RULE, ...change }, { ...GET, ...request })).toBe(allowed);
  });
});
