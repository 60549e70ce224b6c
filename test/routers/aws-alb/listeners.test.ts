import { describe, expect, it } from 'vitest';
import { errorOf, groupOf, groupsOf, ingress } from './stack';

const CERTIFICATE = 'arn:aws:acm:eu-west-1:123456789012:certificate/1';

const portsOf = (...objects: readonly object[]) =>
  groupOf(...objects).listeners.map(({ port, protocol, rules }) => [port, protocol, rules.length]);

const member = (name: string, annotations: Record<string, string>) =>
  ingress(name, { annotations: { 'group.name': 'g', ...annotations } });

/** The class of the Ingresses, with parameters. */
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

describe('listen ports', () => {
  it('are 80 without certificates and 443 with them', () => {
    expect(portsOf(ingress('a'))).toEqual([[80, 'HTTP', 1]]);
    expect(portsOf(ingress('a', { annotations: { 'certificate-arn': CERTIFICATE } }))).toEqual([[443, 'HTTPS', 1]]);
    expect(portsOf(ingress('a', { annotations: { 'certificate-arn': ' , ' } }))).toEqual([[80, 'HTTP', 1]]);
  });

  it('are sorted by number, and the later entry of a port wins', () => {
    const json = '[{"HTTPS":8443},{"HTTP":80,"HTTPS":443},{"HTTPS":80}]';
    expect(portsOf(ingress('a', { annotations: { 'listen-ports': json } }))).toEqual([
      [80, 'HTTPS', 1],
      [443, 'HTTPS', 1],
      [8443, 'HTTPS', 1],
    ]);
  });

  it('have the rules of the members that name them', () => {
    const objects = [
      member('a', { 'listen-ports': '[{"HTTP":80},{"HTTP":81}]' }),
      member('b', { 'listen-ports': '[{"HTTP":81}]' }),
    ];
    expect(portsOf(...objects)).toEqual([
      [80, 'HTTP', 1],
      [81, 'HTTP', 2],
    ]);
  });

  it.each([
    '[]',
    '{"HTTP":80}',
    '[{"HTTP":0}]',
    '[{"HTTP":65536}]',
    '[{"http":80}]',
    '[{"HTTP":"80"}]',
    '',
    '[{"HTTP":null}]',
  ])('must not be %j', (json) =>
    expect(errorOf(ingress('a', { annotations: { 'listen-ports': json } }))).toBe('listen-ports'),
  );

  it('may be none: a load balancer without listeners', () => {
    expect(groupOf(ingress('a', { annotations: { 'listen-ports': '[{}]' } }))).toMatchObject({
      failure: undefined,
      listeners: [],
    });
  });

  it('have one protocol, one set of CIDRs and one policy', () => {
    const https = { 'listen-ports': '[{"HTTPS":80}]' };
    expect(errorOf(member('a', {}), member('b', https))).toBe('listener-conflict');
    expect(
      errorOf(member('a', { 'inbound-cidrs': '10.0.0.0/8' }), member('b', { 'inbound-cidrs': '11.0.0.0/8' })),
    ).toBe('listener-conflict');
    expect(errorOf(member('a', { ...https, 'ssl-policy': 'x' }), member('b', { ...https, 'ssl-policy': 'y' }))).toBe(
      'listener-conflict',
    );
    expect(
      errorOf(
        member('a', { 'inbound-cidrs': '10.0.0.0/8, ::/0' }),
        member('b', { 'inbound-cidrs': '::/0,10.0.0.0/8' }),
      ),
    ).toBe(undefined);
    expect(errorOf(member('a', { 'inbound-cidrs': '10.0.0.0' }))).toBe('group-setting');
  });

  it.each([
    [{}, 'group-setting'],
    [{ inboundCIDRs: [] }, 'group-setting'],
    [{ inboundCIDRs: ['10.0.0.0/8'] }, undefined],
  ])('have the CIDRs of IngressClassParams with %j before those of the annotation', (spec, expected) => {
    expect(errorOf(...classWith(spec), ingress('a', { annotations: { 'inbound-cidrs': '10.0.0.0' } }))).toBe(expected);
  });
});

describe('the prefix lists of a listener', () => {
  const lists = (name: string, value: string) => member(name, { 'security-group-prefix-lists': value });

  it.each([
    ['pl-1', 'pl-1', undefined],
    ['pl-1, pl-2', 'pl-2,pl-1', undefined],
    ['pl-1', 'pl-2', 'listener-conflict'],
    ['pl-1', 'pl-1,pl-2', 'listener-conflict'],
  ])('of two members are %s and %s: %s', (one, other, expected) => {
    expect(errorOf(lists('a', one), lists('b', other))).toBe(expected);
    expect(errorOf(lists('a', one), member('b', {}))).toBe(undefined);
  });

  it('come from IngressClassParams before the annotation', () => {
    const members = [lists('a', 'pl-1'), lists('b', 'pl-2')];
    expect(errorOf(...classWith({ prefixListsIDs: ['pl-3'] }), ...members)).toBe(undefined);
    expect(errorOf(...classWith({ prefixListsIDs: [] }), ...members)).toBe('listener-conflict');
  });
});

describe('ssl-redirect', () => {
  const both = { 'listen-ports': '[{"HTTP":80},{"HTTPS":443}]', 'certificate-arn': CERTIFICATE };

  it('redirects all HTTP requests to HTTPS, whatever mistakes the rules have', () => {
    const [http, https] = groupOf(ingress('a', { annotations: { ...both, 'ssl-redirect': '443' } })).listeners;
    expect(http).toMatchObject({
      rules: [],
      defaultActions: [{ type: 'redirect', redirect: { port: '443', protocol: 'HTTPS', statusCode: 'HTTP_301' } }],
    });
    expect(https!.rules).toHaveLength(1);
  });

  it('applies to the whole group', () => {
    const [http] = groupOf(member('a', both), member('b', { ...both, 'ssl-redirect': '443' })).listeners;
    expect(http!.rules).toEqual([]);
  });

  it.each([
    [{ 'ssl-redirect': '443' }],
    [{ 'listen-ports': '[{"HTTP":80},{"HTTP":443}]', 'ssl-redirect': '443' }],
    [{ ...both, 'ssl-redirect': 'true' }],
  ])('must name an HTTPS port: %j', (annotations) => {
    expect(errorOf(ingress('a', { annotations }))).toBe('ssl-redirect');
  });

  it('must be one port', () => {
    const ports = { 'listen-ports': '[{"HTTPS":443},{"HTTPS":8443}]' };
    const { failure } = groupOf(
      member('a', { ...ports, 'ssl-redirect': '8443' }),
      member('b', { ...ports, 'ssl-redirect': '443' }),
    );
    expect(failure?.message).toBe('conflicting sslRedirect port: [443 8443]');
  });

  it('is disabled by a port in the IngressClassParams that is not a number', () => {
    const objects = (sslRedirectPort: string) => [
      ...classWith({ sslRedirectPort }),
      ingress('a', { annotations: both }),
    ];
    expect(groupOf(...objects('443')).listeners[0]!.rules).toEqual([]);
    expect(groupOf(...objects('https')).listeners[0]!.rules).toHaveLength(1);
  });
});

describe('the default backend', () => {
  const spec = { defaultBackend: { service: { name: 'web', port: { number: 80 } } } };

  it('answers 404 if no member has one', () => {
    expect(groupOf(ingress('a')).listeners[0]).toMatchObject({
      defaultActions: [{ type: 'fixed-response', fixedResponse: { statusCode: '404', contentType: 'text/plain' } }],
      defaultIngress: undefined,
    });
  });

  it('comes from the member that has one', () => {
    const listener = groupOf(member('a', {}), ingress('b', { annotations: { 'group.name': 'g' }, spec })).listeners[0]!;
    expect(listener.defaultActions).toMatchObject([{ type: 'forward', targetGroups: [{ service: 'web', port: 80 }] }]);
    expect(listener.defaultIngress?.key).toBe('shop/b');
  });

  it('must be one per port', () => {
    const withDefault = (name: string, port: number) =>
      ingress(name, { annotations: { 'group.name': 'g', 'listen-ports': `[{"HTTP":${port}}]` }, spec });
    expect(groupOf(withDefault('a', 80), withDefault('b', 80)).failure).toMatchObject({
      errorClass: 'default-backend-conflict',
      message: 'multiple ingress defined default backend: [shop/a shop/b]',
    });
    expect(errorOf(withDefault('a', 80), withDefault('b', 81))).toBeUndefined();
  });

  it('names the Ingress with the mistake, although the controller does not', () => {
    const missing = { defaultBackend: { service: { name: 'web', port: { number: 1 } } } };
    const { failure } = groupOf(ingress('a', { spec: missing }));
    expect(failure?.message).toBe('unable to find port 1 on service shop/web');
    expect(failure?.ingress?.key).toBe('shop/a');
  });
});

describe('the first mistake is the one that is reported', () => {
  const wrong = { 'group.order': 'x', 'listen-ports': '[]', scheme: 'x', 'ssl-redirect': 'x', 'actions.web': '{' };
  const expected = ['group-order', 'listen-ports', 'group-setting', 'ssl-redirect', 'default-backend-conflict', 'json'];

  it('load the group, listen ports, settings, ssl-redirect, default backend, rules', () => {
    const left: Record<string, string> = { ...wrong };
    let spec: object | undefined = { defaultBackend: { service: { name: 'web', port: { number: 80 } } } };
    const seen: (string | undefined)[] = [];
    for (const mistake of ['group.order', 'listen-ports', 'scheme', 'ssl-redirect', 'default', 'actions.web']) {
      const members = ['a', 'b'].map((name) =>
        ingress(name, {
          annotations: { 'group.name': 'g', ...left },
          paths: [{ port: 'use-annotation' }],
          ...(spec && { spec }),
        }),
      );
      seen.push(groupsOf(members)[0]!.failure?.errorClass);
      delete left[mistake];
      if (mistake === 'default') spec = undefined;
    }
    expect(seen).toEqual(expected);
  });
});
