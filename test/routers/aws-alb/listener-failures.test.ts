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
