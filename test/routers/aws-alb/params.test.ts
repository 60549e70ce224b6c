/** What IngressClassParams and options set, before or instead of annotations. */
import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../src/routers/aws-alb';
import { AwsLoadBalancerControllerVersion } from '../../../src/routers/aws-alb/version';
import { findingsIn } from './checks/findings';
import { errorOf, frozen, groupOf, groupsOf, ingress, SERVICES, service, worldOf } from './stack';

const classWith = (spec: object): object[] => [
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    metadata: { name: 'alb' },
    spec: {
      controller: 'ingress.k8s.aws/alb',
      parameters: { apiGroup: 'elbv2.k8s.aws', kind: 'IngressClassParams', name: 'p' },
    },
  },
  { apiVersion: 'elbv2.k8s.aws/v1beta1', kind: 'IngressClassParams', metadata: { name: 'p' }, spec },
];

const grouped = (name: string, annotations: Readonly<Record<string, string>>) =>
  ingress(name, { annotations: { 'group.name': 'g', ...annotations } });

describe('parameters of the class', () => {
  it.each<[string, object, Readonly<Record<string, string>>, [number, string][]]>([
    ['certificates', { certificateArn: ['arn'] }, {}, [[443, 'HTTPS']]],
    ['no certificate', { certificateArn: [] }, {}, [[80, 'HTTP']]],
    ['a certificate that is no list', { certificateArn: 'arn' }, {}, [[80, 'HTTP']]],
    [
      'no certificate, beside one of the annotation',
      { certificateArn: [] },
      { 'certificate-arn': 'arn' },
      [[443, 'HTTPS']],
    ],
    [
      'certificates, beside ports of the annotation',
      { certificateArn: ['arn'] },
      { 'listen-ports': '[{"HTTP":81}]' },
      [[81, 'HTTP']],
    ],
  ])('with %s open ports', (_, spec, annotations, expected) => {
    const { listeners } = groupOf(...classWith(spec), ingress('i', { annotations }));
    expect(listeners.map(({ port, protocol }) => [port, protocol])).toEqual(expected);
  });

  it.each<[string, object, Readonly<Record<string, string>>, Readonly<Record<string, string>>, string | undefined]>([
    ['a policy', { sslPolicy: 'p' }, { 'ssl-policy': 'a' }, { 'ssl-policy': 'b' }, undefined],
    ['an empty policy', { sslPolicy: '' }, { 'ssl-policy': 'a' }, { 'ssl-policy': 'b' }, 'listener-conflict'],
    ['a scheme', { scheme: 'internal' }, { scheme: 'internal' }, { scheme: 'internet-facing' }, undefined],
    [
      'an empty scheme',
      { scheme: '' },
      { scheme: 'internal' },
      { scheme: 'internet-facing' },
      'group-setting-conflict',
    ],
    ['a type of addresses', { ipAddressType: 'dualstack' }, { 'ip-address-type': 'x' }, {}, undefined],
    ['an empty type of addresses', { ipAddressType: '' }, { 'ip-address-type': 'x' }, {}, 'group-setting'],
    ['a name', { loadBalancerName: 'n' }, { 'load-balancer-name': 'a' }, { 'load-balancer-name': 'b' }, undefined],
    [
      'an empty name',
      { loadBalancerName: '' },
      { 'load-balancer-name': 'a' },
      { 'load-balancer-name': 'b' },
      'group-setting-conflict',
    ],
    ['a long name', { loadBalancerName: 'n'.repeat(33) }, {}, {}, 'group-setting'],
    ['a target type', { targetType: 'ip' }, { 'target-type': 'x' }, {}, undefined],
    ['an empty target type', { targetType: '' }, { 'target-type': 'x' }, {}, 'target-type'],
    ['nothing', {}, { 'target-type': 'x' }, {}, 'target-type'],
    ['an empty port of the redirect', { sslRedirectPort: '' }, { 'ssl-redirect': 'x' }, {}, 'ssl-redirect'],
    [
      'prefix lists that are no texts',
      { prefixListsIDs: [1] },
      { 'security-group-prefix-lists': 'a' },
      { 'security-group-prefix-lists': 'b' },
      undefined,
    ],
  ])('with %s come before annotations', (_, spec, one, other, expected) => {
    const certified = { 'certificate-arn': 'arn' };
    expect(
      errorOf(...classWith(spec), grouped('a', { ...certified, ...one }), grouped('b', { ...certified, ...other })),
    ).toBe(expected);
  });

  it('with a type of addresses let IPv6 in', () => {
    const ipv6 = [ingress('i', { paths: [{ service: 's' }] }), service('s', { spec: { ipFamilies: ['IPv6'] } })];
    expect(frozen(...ipv6)).toHaveLength(1);
    expect(frozen(...ipv6, ...classWith({ ipAddressType: 'dualstack' }))).toEqual([]);
    expect(frozen(...ipv6, ...classWith({ ipAddressType: 'ipv4' }))).toHaveLength(1);
  });

  it('with a group name hold for every Ingress, with or without an annotation', () => {
    const named = (spec: object, annotations: Readonly<Record<string, string>> = {}) =>
      groupsOf([...classWith(spec), ingress('i', { annotations })]).map(({ name }) => name);
    expect([
      named({ group: { name: 'p' } }),
      named({ group: { name: 'p' } }, { 'group.name': 'a' }),
      named({ group: null }, { 'group.name': 'a' }),
      named({}, { 'group.name': 'a' }),
      named({}),
    ]).toEqual([['p'], ['p'], ['a'], ['a'], ['shop/i']]);
  });
});

describe('options of the controller', () => {
  const annotated = ingress('i', { className: null, annotations: { 'kubernetes.io/ingress.class': 'mine' } });
  const names = (objects: readonly object[], options: object) => groupsOf(objects, options).map(({ name }) => name);

  it('name its class', () => {
    expect([
      names([annotated], {}),
      names([annotated], { ingressClass: 'mine' }),
      names([annotated], { ingressClass: 'other' }),
    ]).toEqual([[], ['shop/i'], []]);
    expect(names([ingress('i')], { ingressClass: 'mine' })).toEqual(['shop/i']);
  });

  it('name the classes that are installed', () => {
    const other = ingress('i', { className: 'other' });
    expect([
      names([other], {}),
      names([other], { installedClasses: ['x', 'other'] }),
      names([ingress('i')], { installedClasses: ['other'] }),
    ]).toEqual([[], ['shop/i'], []]);
  });
});

it('of a release that rewrites nothing are no transforms, not even wrong ones', () => {
  const wrong = ingress('i', { annotations: { 'transforms.web': '[{}]' } });
  const right = ingress('i', {
    annotations: {
      'transforms.web': JSON.stringify([
        { type: 'url-rewrite', urlRewriteConfig: { rewrites: [{ regex: 'a', replace: 'b' }] } },
      ]),
    },
  });
  const transforms = (object: object, version: AwsLoadBalancerControllerVersion) =>
    groupsOf([object], { facts: version.facts }).map(
      ({ failure, listeners }) => failure?.errorClass ?? listeners[0]!.rules[0]!.transforms.length,
    );
  const { V2_13_4, V2_14_1 } = AwsLoadBalancerControllerVersion;
  expect([transforms(wrong, V2_13_4), transforms(right, V2_13_4)]).toEqual([[0], [0]]);
  expect([transforms(wrong, V2_14_1), transforms(right, V2_14_1)]).toEqual([['transform'], [1]]);
});

describe('an Ingress that is being deleted', () => {
  const alive = grouped('a', { scheme: 'x' }) as { readonly metadata: object };
  const gone = { ...alive, metadata: { ...alive.metadata, deletionTimestamp: '2024-01-01T00:00:00Z' } };

  it('has no load balancer, and nothing is found in it', () => {
    const { groups, ungrouped } = buildModel(worldOf([...SERVICES, gone]));
    expect([groups, ungrouped.map(({ key }) => key)]).toEqual([[], ['shop/a']]);
    expect([findingsIn([alive]).length, findingsIn([gone]).length]).toEqual([1, 0]);
  });

  it('leaves its group to the others', () => {
    expect(frozen(gone, grouped('b', { scheme: 'internal' }))).toEqual([]);
    expect(frozen(alive, grouped('b', { scheme: 'internal' }))).toHaveLength(1);
  });
});
