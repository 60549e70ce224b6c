/** The first mistake of a group: its class, the words of the controller, the Ingress and the field. */
import { describe, expect, it } from 'vitest';
import { frozen, ingress } from './stack';

const grouped = (name: string, annotations: Readonly<Record<string, string>>, more: object = {}) =>
  ingress(name, { annotations: { 'group.name': 'g', ...annotations }, ...more });

describe('a mistake in the settings of a group', () => {
  const pair = (suffix: string, one: string, other: string) => [
    grouped('a', { [suffix]: one }),
    grouped('b', { [suffix]: other }),
  ];

  it.each<[string, readonly object[], string[]]>([
    [
      'a scheme that nobody knows',
      [grouped('a', { scheme: 'public' })],
      ['group-setting at a metadata.annotations["…/scheme"]: unknown scheme: public'],
    ],
    [
      'a scheme of the second member that nobody knows',
      [grouped('a', {}), grouped('b', { scheme: 'public' })],
      ['group-setting at b metadata.annotations["…/scheme"]: unknown scheme: public'],
    ],
    [
      'a long name of the second member',
      [grouped('a', {}), grouped('b', { 'load-balancer-name': 'n'.repeat(33) })],
      [
        'group-setting at b metadata.annotations["…/load-balancer-name"]: load balancer name cannot be longer than 32 characters',
      ],
    ],
    [
      'two schemes',
      pair('scheme', 'internal', 'internet-facing'),
      [
        'group-setting-conflict at b metadata.annotations["…/scheme"]: conflicting scheme: map[internal:{} internet-facing:{}]',
      ],
    ],
    [
      'a type of addresses that nobody knows',
      [grouped('a', { 'ip-address-type': 'ipv6' })],
      ['group-setting at a metadata.annotations["…/ip-address-type"]: unknown IPAddressType: ipv6'],
    ],
    [
      'two types of addresses',
      pair('ip-address-type', 'ipv4', 'dualstack'),
      [
        'group-setting-conflict at b metadata.annotations["…/ip-address-type"]: conflicting IPAddressType: map[dualstack:{} ipv4:{}]',
      ],
    ],
    [
      'two lists of subnets',
      pair('subnets', 'a,b', 'a'),
      ['group-setting-conflict at b metadata.annotations["…/subnets"]: conflicting subnet specifications'],
    ],
    [
      'two lists of security groups',
      pair('security-groups', 'a, b', 'b,a'),
      [
        'group-setting-conflict at b metadata.annotations["…/security-groups"]: conflicting securityGroups: [a b] | [b a]',
      ],
    ],
    [
      'two pools',
      pair('customer-owned-ipv4-pool', 'a', 'b'),
      [
        'group-setting-conflict at b metadata.annotations["…/customer-owned-ipv4-pool"]: conflicting CustomerOwnedIPv4Pool: map[a:{} b:{}]',
      ],
    ],
    [
      'two values of an attribute',
      pair('load-balancer-attributes', 'a=1,b=2', 'a=1,b=3'),
      [
        'group-setting-conflict at b metadata.annotations["…/load-balancer-attributes"]: conflicting load balancer attributes b: 2 | 3',
      ],
    ],
    [
      'attributes that are none',
      [grouped('a', { 'load-balancer-attributes': 'a' })],
      [
        'group-setting at a metadata.annotations["…/load-balancer-attributes"]: failed to parse stringMap annotation, …/load-balancer-attributes: "a"',
      ],
    ],
    [
      'tags that are none in the second member',
      [grouped('a', {}), grouped('b', { tags: 'a' })],
      ['group-setting at b metadata.annotations["…/tags"]: failed to parse stringMap annotation, …/tags: "a"'],
    ],
    [
      'two values of a tag',
      pair('tags', 'a=1', 'a=2'),
      ['group-setting-conflict at b metadata.annotations["…/tags"]: conflicting tag a: 1 | 2'],
    ],
    [
      'tags that are none',
      [grouped('a', { tags: 'a' })],
      ['group-setting at a metadata.annotations["…/tags"]: failed to parse stringMap annotation, …/tags: "a"'],
    ],
    [
      'two names',
      pair('load-balancer-name', 'a', 'b'),
      [
        'group-setting-conflict at b metadata.annotations["…/load-balancer-name"]: conflicting load balancer name: map[a:{} b:{}]',
      ],
    ],
    [
      'a long name',
      [grouped('a', { 'load-balancer-name': 'n'.repeat(33) })],
      [
        'group-setting at a metadata.annotations["…/load-balancer-name"]: load balancer name cannot be longer than 32 characters',
      ],
    ],
    [
      'a name with long letters',
      [grouped('a', { 'load-balancer-name': 'ä'.repeat(17) })],
      [
        'group-setting at a metadata.annotations["…/load-balancer-name"]: load balancer name cannot be longer than 32 characters',
      ],
    ],
    [
      'an order that is no number',
      [grouped('a', { 'group.order': 'x' }), grouped('b', {})],
      [
        'group-order at a metadata.annotations["…/group.order"]: failed to load Ingress group order for ingress: shop/a: failed to parse int32 annotation, …/group.order: "x"',
      ],
    ],
    [
      'an order out of range',
      [grouped('a', {}), grouped('b', { 'group.order': '1001' })],
      [
        'group-order at b metadata.annotations["…/group.order"]: explicit Ingress group order must be within [-1000:1000], Ingress: shop/b, order: 1001',
      ],
    ],
    ['nothing for a name of 32', [grouped('a', { 'load-balancer-name': 'n'.repeat(32) })], []],
    ['nothing for the same subnets in another order', pair('subnets', 'a,b', 'b,a'), []],
    [
      'nothing for the same values',
      [...pair('scheme', 'internal', 'internal'), grouped('c', { tags: 'x=1' }), grouped('d', { tags: 'y=1' })],
      [],
    ],
    [
      'nothing for security groups of one member',
      [grouped('a', {}), grouped('b', { 'security-groups': 'x' }), grouped('c', {})],
      [],
    ],
  ])('%s', (_, objects, expected) => expect(frozen(...objects)).toEqual(expected));

  it.each<[string, object, object, Readonly<Record<string, string>>, Readonly<Record<string, string>>, string[]]>([
    [
      'subnets of parameters and of an annotation',
      { subnets: { ids: ['a'] } },
      {},
      {},
      { subnets: 'a' },
      ['group-setting-conflict at b metadata.annotations["…/subnets"]: conflicting subnet specifications'],
    ],
    [
      'subnets of two parameters',
      { subnets: { ids: ['a'] } },
      { subnets: { ids: ['b'] } },
      {},
      {},
      ['group-setting-conflict at b spec.ingressClassName: conflicting subnet specifications'],
    ],
    [
      'nothing for equal subnets of two parameters',
      { subnets: { ids: ['a'] } },
      { subnets: { ids: ['a'] } },
      {},
      {},
      [],
    ],
    [
      'nothing for subnets of parameters before those of the annotation',
      { subnets: { ids: ['a'] } },
      { subnets: { ids: ['a'] } },
      { subnets: 'x' },
      {},
      [],
    ],
    [
      'nothing for an attribute that the parameters of the first settle',
      { loadBalancerAttributes: [{ key: 'k', value: '9' }] },
      {},
      { 'load-balancer-attributes': 'k=1' },
      { 'load-balancer-attributes': 'k=2' },
      [],
    ],
    [
      'an attribute that the parameters of the second have',
      {},
      { loadBalancerAttributes: [{ key: 'k', value: '9' }] },
      { 'load-balancer-attributes': 'k=1' },
      { 'load-balancer-attributes': 'k=2' },
      [
        'group-setting-conflict at b metadata.annotations["…/load-balancer-attributes"]: conflicting load balancer attributes k: 1 | 2',
      ],
    ],
    [
      'a tag of the parameters',
      { tags: [{ key: 't', value: '1' }] },
      {},
      {},
      { tags: 't=2' },
      ['group-setting-conflict at b metadata.annotations["…/tags"]: conflicting tag t: 1 | 2'],
    ],
    [
      'nothing for a tag of the parameters before that of the annotation',
      { tags: [{ key: 't', value: '2' }] },
      {},
      { tags: 't=1' },
      { tags: 't=2' },
      [],
    ],
    [
      'a scheme of the parameters',
      { scheme: 'internal' },
      {},
      {},
      { scheme: 'internet-facing' },
      [
        'group-setting-conflict at b metadata.annotations["…/scheme"]: conflicting scheme: map[internal:{} internet-facing:{}]',
      ],
    ],
    [
      'nothing for a scheme of the parameters before that of the annotation',
      { scheme: 'internal' },
      { scheme: 'internal' },
      { scheme: 'x' },
      { scheme: 'y' },
      [],
    ],
    [
      'a target type of the parameters',
      { targetType: 'x' },
      {},
      {},
      {},
      ['target-type at a nowhere: ingress: shop/a: unknown targetType: x'],
    ],
    [
      'ranges of the parameters',
      { inboundCIDRs: ['x'] },
      {},
      {},
      {},
      ['group-setting at a spec.ingressClassName: ingress: shop/a: invalid …/inbound-cidrs: x is no CIDR'],
    ],
    [
      'a scheme of the second parameters',
      {},
      { scheme: 'internal' },
      { scheme: 'internet-facing' },
      {},
      ['group-setting-conflict at b spec.ingressClassName: conflicting scheme: map[internal:{} internet-facing:{}]'],
    ],
    [
      'a scheme of the parameters that nobody knows',
      {},
      { scheme: 'x' },
      {},
      { scheme: 'internal' },
      ['group-setting at b spec.ingressClassName: unknown scheme: x'],
    ],
    [
      'a name of the parameters that is long',
      {},
      { loadBalancerName: 'n'.repeat(33) },
      {},
      {},
      ['group-setting at b spec.ingressClassName: load balancer name cannot be longer than 32 characters'],
    ],
    [
      'tags of two parameters',
      { tags: [{ key: 't', value: '1' }] },
      { tags: [{ key: 't', value: '2' }] },
      {},
      {},
      ['group-setting-conflict at b spec.ingressClassName: conflicting tag t: 1 | 2'],
    ],
    [
      'ranges of two parameters',
      { inboundCIDRs: ['10.0.0.0/8'] },
      { inboundCIDRs: ['11.0.0.0/8'] },
      {},
      {},
      [
        'listener-conflict at b spec.ingressClassName: failed to merge listenPort config for port: 80: conflicting inbound-cidrs, shop/a: 10.0.0.0/8 | shop/b: 11.0.0.0/8',
      ],
    ],
    [
      'prefix lists of two parameters',
      { prefixListsIDs: ['a'] },
      { prefixListsIDs: ['b'] },
      {},
      {},
      [
        'listener-conflict at b spec.ingressClassName: failed to merge listenPort config for port: 80: conflicting security-group-prefix-lists, shop/a: a | shop/b: b',
      ],
    ],
    [
      'policies of two parameters',
      { sslPolicy: 'a' },
      { sslPolicy: 'b' },
      { 'certificate-arn': 'c' },
      { 'certificate-arn': 'c' },
      [
        'listener-conflict at b spec.ingressClassName: failed to merge listenPort config for port: 443: conflicting ssl-policy, shop/a: a | shop/b: b',
      ],
    ],
    [
      'redirects of parameters and of an annotation',
      { sslRedirectPort: '443' },
      {},
      { 'listen-ports': '[{"HTTPS":443},{"HTTPS":444}]' },
      { 'ssl-redirect': '444' },
      ['ssl-redirect at b metadata.annotations["…/ssl-redirect"]: conflicting sslRedirect port: [443 444]'],
    ],
    [
      'nothing for an empty list of ranges, then the annotation',
      { inboundCIDRs: [] },
      {},
      { 'inbound-cidrs': '10.0.0.0/8' },
      { 'inbound-cidrs': '10.0.0.0/8' },
      [],
    ],
    [
      'nothing for a redirect of the parameters that is no number',
      { sslRedirectPort: 'x' },
      {},
      {},
      { 'ssl-redirect': '1' },
      [],
    ],
    [
      'a redirect of the parameters to no listener',
      { sslRedirectPort: '443' },
      {},
      {},
      {},
      ['ssl-redirect at a spec.ingressClassName: listener does not exist for SSLRedirect port: 443'],
    ],
  ])('%s', (_, one, other, ofOne, ofOther, expected) => {
    const classOf = (name: string, spec: object) => [
      {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'IngressClass',
        metadata: { name },
        spec: {
          controller: 'ingress.k8s.aws/alb',
          parameters: { apiGroup: 'elbv2.k8s.aws', kind: 'IngressClassParams', name },
        },
      },
      { apiVersion: 'elbv2.k8s.aws/v1beta1', kind: 'IngressClassParams', metadata: { name }, spec },
    ];
    expect(
      frozen(
        grouped('a', ofOne, { className: 'one' }),
        grouped('b', ofOther, { className: 'two' }),
        ...classOf('one', one),
        ...classOf('two', other),
      ),
    ).toEqual(expected);
  });
});
