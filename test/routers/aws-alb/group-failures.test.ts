/** The first mistake of a group: its class, the words of the controller, the Ingress and the field. */
import { describe, expect, it } from 'vitest';
import { frozen, ingress } from './stack';

const grouped = (name: string, annotations: Readonly<Record<string, string>>, more: object = {}) =>
  ingress(name, { annotations: { 'group.name': 'g', ...annotations }, ...more });

describe('a mistake in the listeners', () => {
  it.each<[string, readonly object[], string[]]>([
    [
      'ports that are no JSON',
      [grouped('a', { 'listen-ports': '[' })],
      [
        'listen-ports at a metadata.annotations["…/listen-ports"]: ingress: shop/a: failed to parse json annotation, …/listen-ports: [: is no JSON: unexpected end of JSON input',
      ],
    ],
    [
      'ports that are no list',
      [grouped('a', { 'listen-ports': '{"HTTP":80}' })],
      [
        'listen-ports at a metadata.annotations["…/listen-ports"]: ingress: shop/a: failed to parse json annotation, …/listen-ports: {"HTTP":80}: must be a list, not an object',
      ],
    ],
    [
      'no port',
      [grouped('a', { 'listen-ports': '[]' })],
      [
        'listen-ports at a metadata.annotations["…/listen-ports"]: ingress: shop/a: empty listen-ports configuration: `[]`',
      ],
    ],
    [
      'port 0',
      [grouped('a', { 'listen-ports': '[{"HTTP":0}]' })],
      [
        'listen-ports at a metadata.annotations["…/listen-ports"]: ingress: shop/a: listen port must be within [1, 65535]: 0',
      ],
    ],
    [
      'port 65536',
      [grouped('a', { 'listen-ports': '[{"HTTP":65536}]' })],
      [
        'listen-ports at a metadata.annotations["…/listen-ports"]: ingress: shop/a: listen port must be within [1, 65535]: 65536',
      ],
    ],
    [
      'a protocol that nobody knows',
      [grouped('a', { 'listen-ports': '[{"HTTP":80},{"TCP":81}]' })],
      [
        'listen-ports at a metadata.annotations["…/listen-ports"]: ingress: shop/a: listen protocol must be within [HTTP, HTTPS]: TCP',
      ],
    ],
    [
      'two protocols of one port',
      [grouped('a', {}), grouped('b', {}), grouped('c', { 'listen-ports': '[{"HTTPS":80}]' })],
      [
        'listener-conflict at c metadata.annotations["…/listen-ports"]: failed to merge listenPort config for port: 80: conflicting protocol, shop/a: HTTP | shop/c: HTTPS',
      ],
    ],
    [
      'two ranges of one port',
      [
        grouped('a', { 'inbound-cidrs': '10.0.0.0/8, 11.0.0.0/8' }),
        grouped('b', {}),
        grouped('c', { 'inbound-cidrs': '10.0.0.0/8' }),
      ],
      [
        'listener-conflict at c metadata.annotations["…/inbound-cidrs"]: failed to merge listenPort config for port: 80: conflicting inbound-cidrs, shop/a: 10.0.0.0/8, 11.0.0.0/8 | shop/c: 10.0.0.0/8',
      ],
    ],
    [
      'two prefix lists of one port',
      [
        grouped('a', { 'security-group-prefix-lists': 'pl-2' }),
        grouped('b', { 'security-group-prefix-lists': 'pl-1' }),
      ],
      [
        'listener-conflict at b metadata.annotations["…/security-group-prefix-lists"]: failed to merge listenPort config for port: 80: conflicting security-group-prefix-lists, shop/a: pl-2 | shop/b: pl-1',
      ],
    ],
    [
      'two policies of one port',
      [
        grouped('a', { 'ssl-policy': 'x', 'certificate-arn': 'c' }),
        grouped('b', { 'ssl-policy': 'y', 'certificate-arn': 'c' }),
      ],
      [
        'listener-conflict at b metadata.annotations["…/ssl-policy"]: failed to merge listenPort config for port: 443: conflicting ssl-policy, shop/a: x | shop/b: y',
      ],
    ],
    [
      'a range that is none',
      [grouped('a', { 'inbound-cidrs': '10.0.0.0/8, 11.0.0.0' })],
      [
        'group-setting at a metadata.annotations["…/inbound-cidrs"]: ingress: shop/a: invalid …/inbound-cidrs: 11.0.0.0 is no CIDR',
      ],
    ],
    [
      'a redirect to a port that is no number',
      [grouped('a', { 'ssl-redirect': 'x' })],
      [
        'ssl-redirect at a metadata.annotations["…/ssl-redirect"]: ingress: shop/a: failed to parse int32 annotation, …/ssl-redirect: "x"',
      ],
    ],
    [
      'a redirect to no listener',
      [grouped('a', { 'ssl-redirect': '443' })],
      ['ssl-redirect at a metadata.annotations["…/ssl-redirect"]: listener does not exist for SSLRedirect port: 443'],
    ],
    [
      'a redirect to HTTP',
      [grouped('a', { 'ssl-redirect': '80' })],
      ['ssl-redirect at a metadata.annotations["…/ssl-redirect"]: listener protocol non-SSL for SSLRedirect port: 80'],
    ],
    [
      'two redirects',
      [
        grouped('a', { 'ssl-redirect': '9443', 'listen-ports': '[{"HTTPS":443},{"HTTPS":9443}]' }),
        grouped('b', { 'ssl-redirect': '443' }),
      ],
      ['ssl-redirect at b metadata.annotations["…/ssl-redirect"]: conflicting sslRedirect port: [443 9443]'],
    ],
    [
      'two default backends',
      [
        grouped('a', {}, { spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } } }),
        grouped('b', {}, { spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } } }),
      ],
      ['default-backend-conflict at b spec.defaultBackend: multiple ingress defined default backend: [shop/a shop/b]'],
    ],
    [
      'nothing for the same ranges in another order',
      [
        grouped('a', { 'inbound-cidrs': '10.0.0.0/8, 11.0.0.0/8' }),
        grouped('b', { 'inbound-cidrs': '11.0.0.0/8,10.0.0.0/8,10.0.0.0/8' }),
      ],
      [],
    ],
    [
      'nothing for two policies of HTTP',
      [grouped('a', { 'ssl-policy': 'x' }), grouped('b', { 'ssl-policy': 'y' })],
      [],
    ],
    ['nothing for ports 1 and 65535', [grouped('a', { 'listen-ports': '[{"HTTP":1},{"HTTPS":65535}]' })], []],
  ])('%s', (_, objects, expected) => expect(frozen(...objects)).toEqual(expected));
});

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
      ['group-setting-conflict at b metadata.annotations["…/subnets"]: conflicting subnet specifications'],
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
      [
        'group-setting at a metadata.annotations["…/inbound-cidrs"]: ingress: shop/a: invalid …/inbound-cidrs: x is no CIDR',
      ],
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
      ['ssl-redirect at a metadata.annotations["…/ssl-redirect"]: listener does not exist for SSLRedirect port: 443'],
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
