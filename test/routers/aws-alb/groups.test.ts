import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../src/routers/aws-alb';
import { errorOf, groupOf, groupsOf, ingress, SERVICES, worldOf } from './stack';

const ingressClass = (name: string, controller: string, spec = {}, annotations = {}) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IngressClass',
  metadata: { name, annotations },
  spec: { controller, ...spec },
});

const params = (name: string, spec: object) => ({
  apiVersion: 'elbv2.k8s.aws/v1beta1',
  kind: 'IngressClassParams',
  metadata: { name },
  spec,
});

const withParams = (name: string) => ({
  parameters: { apiGroup: 'elbv2.k8s.aws', kind: 'IngressClassParams', name },
});

const ALB = 'ingress.k8s.aws/alb';

function ungroupedOf(...objects: readonly object[]): readonly string[] {
  return buildModel(worldOf([...SERVICES, ...objects])).ungrouped.map(({ key }) => key);
}

describe('which Ingresses a load balancer serves', () => {
  it('assumes that the class of the Helm chart exists, and no other', () => {
    expect(groupsOf([ingress('a')]).map(({ name }) => name)).toEqual(['shop/a']);
    expect(groupsOf([ingress('a')], { installedClasses: [] })).toEqual([]);
    expect(ungroupedOf(ingress('a', { className: 'nginx' }), ingress('b', { className: null }))).toEqual([
      'shop/a',
      'shop/b',
    ]);
  });

  it('compares the annotation exactly, and prefers it to the field', () => {
    const byAnnotation = (name: string, value: string) =>
      ingress(name, { annotations: { 'kubernetes.io/ingress.class': value } });
    expect(ungroupedOf(byAnnotation('a', 'alb'), byAnnotation('b', 'ALB'), byAnnotation('c', 'nginx'))).toEqual([
      'shop/b',
      'shop/c',
    ]);
  });

  it('looks at the controller of a declared class', () => {
    expect(ungroupedOf(ingressClass('alb', 'k8s.io/ingress-nginx'), ingress('a'))).toEqual(['shop/a']);
  });

  it('gives Ingresses without a class to the one default class', () => {
    const isDefault = { 'ingressclass.kubernetes.io/is-default-class': 'true' };
    const objects = [ingressClass('x', ALB, {}, isDefault), ingress('a', { className: null })];
    expect(ungroupedOf(...objects)).toEqual([]);
    expect(ungroupedOf(...objects, ingressClass('y', ALB, {}, isDefault))).toEqual(['shop/a']);
  });

  it('prefers the group of the IngressClassParams to the annotation, even an invalid one', () => {
    const objects = [ingressClass('shared', ALB, withParams('p')), params('p', { group: { name: 'team' } })];
    const named = (name: string, group: string) =>
      ingress(name, { className: 'shared', annotations: { 'group.name': group } });
    expect(groupOf(...objects, named('a', 'mine'), named('b', 'Bad_Name')).name).toBe('team');
    // The annotation kubernetes.io/ingress.class has no parameters.
    const old = ingress('c', { annotations: { 'group.name': 'mine', 'kubernetes.io/ingress.class': 'alb' } });
    expect(groupOf(...objects, old).name).toBe('mine');
  });

  it('serves nothing of a class whose parameters are missing or of another kind', () => {
    expect(ungroupedOf(ingressClass('alb', ALB, withParams('p')), ingress('a'))).toEqual(['shop/a']);
    const other = { parameters: { apiGroup: 'x', kind: 'IngressClassParams', name: 'p' } };
    expect(ungroupedOf(ingressClass('alb', ALB, other), params('p', {}), ingress('a'))).toEqual(['shop/a']);
  });

  it('honours the namespace selector, with the label that every namespace has', () => {
    const classOf = (namespaceSelector: object) => [
      ingressClass('alb', ALB, withParams('p')),
      params('p', { namespaceSelector }),
    ];
    const byName = { matchLabels: { 'kubernetes.io/metadata.name': 'shop' } };
    expect(ungroupedOf(...classOf(byName), ingress('a'), ingress('b', { namespace: 'x' }))).toEqual(['x/b']);
    const byTeam = { matchExpressions: [{ key: 'team', operator: 'In', values: ['a', 'b'] }] };
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { team: 'b' } } };
    expect(ungroupedOf(...classOf(byTeam), ingress('a'))).toEqual(['shop/a']);
    expect(ungroupedOf(...classOf(byTeam), namespace, ingress('a'))).toEqual([]);
  });

  it.each<[object, readonly string[]]>([
    [{ matchExpressions: [{ key: 'team', operator: 'In', values: ['a'] }] }, ['a']],
    [{ matchExpressions: [{ key: 'team', operator: 'NotIn', values: ['a'] }] }, ['b', 'none']],
    [{ matchExpressions: [{ key: 'team', operator: 'Exists' }] }, ['a', 'b']],
    [{ matchExpressions: [{ key: 'team', operator: 'DoesNotExist' }] }, ['none']],
    [{ matchExpressions: [{ key: 'team', operator: 'Other' }] }, []],
    [{ matchExpressions: [{ operator: 'DoesNotExist' }] }, ['a', 'b', 'none']],
    [{ matchLabels: { team: 'b' } }, ['b']],
    [{ matchLabels: { team: 'b', other: 'x' } }, []],
    [{ matchLabels: { team: 'b' }, matchExpressions: [{ key: 'team', operator: 'NotIn', values: ['b'] }] }, []],
    [{}, ['a', 'b', 'none']],
  ])('has the namespaces of the selector %j: %j', (namespaceSelector, expected) => {
    const namespaces = ['a', 'b', 'none'].map((name) => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels: name === 'none' ? {} : { team: name } },
    }));
    const ingresses = namespaces.map(({ metadata }) => ingress('web', { namespace: metadata.name }));
    const objects = [ingressClass('alb', ALB, withParams('p')), params('p', { namespaceSelector })];
    expect(groupsOf([...objects, ...namespaces, ...ingresses]).map(({ name }) => name)).toEqual(
      expected.map((name) => `${name}/web`),
    );
  });
});

describe('groups', () => {
  it('puts an Ingress with an invalid group name in no group', () => {
    const named = (name: string, group: string) => ingress(name, { annotations: { 'group.name': group } });
    const names = ['Ok', 'a_b', '-a', 'a-', '.a', '', 'a b', 'x'.repeat(64)];
    const objects = names.map((group, index) => named(`i${index}`, group));
    expect(groupsOf(objects)).toEqual([]);
    expect(ungroupedOf(...objects)).toHaveLength(names.length);
    expect(
      groupsOf(['a.b', 'a..b', '9', 'x'.repeat(63)].map((group, index) => named(`i${index}`, group))),
    ).toHaveLength(4);
  });

  it('orders members by group.order, then by namespace and name as one text', () => {
    const member = (namespace: string, name: string, order?: string) =>
      ingress(name, {
        namespace,
        annotations: { 'group.name': 'g', ...(order === undefined ? {} : { 'group.order': order }) },
      });
    const group = groupOf(
      member('a', 'z'),
      member('a-b', 'c'),
      member('a', 'web-canary'),
      member('a', 'web'),
      member('z', 'late', '+5'),
      member('z', 'early', '-5'),
      member('z', 'zero', '0'),
    );
    expect(group.members.map(({ key }) => key)).toEqual([
      'z/early',
      'a-b/c',
      'a/web',
      'a/web-canary',
      'a/z',
      'z/zero',
      'z/late',
    ]);
  });

  it.each(['1001', '-1001', 'abc', '', '1.5', ' 5', '2147483648', '0x10'])(
    'freezes the group for the order %j',
    (order) => {
      const group = groupOf(
        ingress('a', { annotations: { 'group.name': 'g' } }),
        ingress('b', { annotations: { 'group.name': 'g', 'group.order': order } }),
      );
      expect(group.failure).toMatchObject({
        errorClass: 'group-order',
        path: ['metadata', 'annotations', expect.any(String)],
      });
      expect(group.failure?.ingress?.key).toBe('shop/b');
      expect(group).toMatchObject({ isOrdered: false, listeners: [] });
    },
  );

  it.each(['-1000', '1000', '007'])('accepts the order %j', (order) => {
    expect(errorOf(ingress('a', { annotations: { 'group.order': order } }))).toBeUndefined();
  });

  it('freezes only the group with the mistake', () => {
    const bad = ingress('bad', {
      annotations: { 'group.name': 'g', 'actions.web': '{' },
      paths: [{ port: 'use-annotation' }],
    });
    const neighbour = ingress('neighbour', { annotations: { 'group.name': 'g' } });
    const groups = groupsOf([bad, neighbour, ingress('other')]);
    expect(groups.map(({ name, failure, members }) => [name, failure?.errorClass, members.length])).toEqual([
      ['g', 'json', 2],
      ['shop/other', undefined, 1],
    ]);
  });
});

describe('the port of a health check', () => {
  it.each([
    ['traffic-port', 'ip', undefined],
    ['8080', 'ip', undefined],
    ['http', 'ip', undefined],
    ['metrics', 'ip', "cannot use named healthCheckPort for IP TargetType when service's targetPort is a named port"],
    ['none', 'ip', 'failed to resolve healthCheckPort: unable to find port none'],
  ])('%s of targets by %s: %j', (port, targetType, expected) => {
    const { failure } = groupOf(ingress('a', { annotations: { 'healthcheck-port': port, 'target-type': targetType } }));
    if (expected === undefined) return expect(failure).toBeUndefined();
    expect(failure).toMatchObject({ errorClass: 'target-group-setting', message: expect.stringContaining(expected) });
  });
});

describe('settings that a group shares', () => {
  const pair = (a: Record<string, string>, b: Record<string, string>) => [
    ingress('a', { annotations: { 'group.name': 'g', ...a } }),
    ingress('b', { annotations: { 'group.name': 'g', ...b } }),
  ];

  it.each([
    ['scheme', 'internal', 'internet-facing', 'conflicting scheme: map[internal:{} internet-facing:{}]'],
    ['load-balancer-name', 'one', 'two', 'conflicting load balancer name: map[one:{} two:{}]'],
    ['tags', 'team=a', 'team=b', 'conflicting tag team: a | b'],
    ['ip-address-type', 'ipv4', 'dualstack', 'conflicting IPAddressType: map[dualstack:{} ipv4:{}]'],
    ['subnets', 'a,b', 'a,c', 'conflicting subnet'],
    ['security-groups', 'a,b', 'b,a', 'conflicting securityGroups: [a b] | [b a]'],
    ['load-balancer-attributes', 'x=1', 'x=2', 'conflicting load balancer attributes x: 1 | 2'],
  ])('must not differ: %s', (suffix, a, b, message) => {
    const { failure } = groupOf(...pair({ [suffix]: a }, { [suffix]: b }));
    expect(failure?.errorClass).toBe('group-setting-conflict');
    expect(failure?.message).toContain(message);
    expect(errorOf(...pair({ [suffix]: a }, {}))).toBeUndefined();
    expect(errorOf(...pair({ [suffix]: a }, { [suffix]: a }))).toBeUndefined();
  });

  it('may differ in the order of subnets and in tags', () => {
    expect(errorOf(...pair({ subnets: 'a,b', tags: 'x=1' }, { subnets: 'b,a', tags: 'y=2' }))).toBeUndefined();
  });

  it('come from the IngressClassParams if these set them', () => {
    const objects = [
      ingressClass('alb', ALB, withParams('p')),
      params('p', { scheme: 'internal', tags: [{ key: 'team', value: 'c' }] }),
    ];
    const members = pair({ scheme: 'internal', tags: 'team=a' }, { scheme: 'internet-facing', tags: 'team=b' });
    expect(errorOf(...objects, ...members)).toBeUndefined();
  });

  it.each([
    [{ scheme: 'public' }, 'unknown scheme: public'],
    [{ 'load-balancer-name': 'x'.repeat(33) }, 'longer than 32'],
    [{ tags: 'team' }, 'stringMap'],
  ])('must be known: %j', (annotations, message) => {
    const { failure } = groupOf(ingress('a', { annotations }));
    expect(failure).toMatchObject({ errorClass: 'group-setting', message: expect.stringContaining(message) });
  });
});
