import { describe, expect, it } from 'vitest';
import { Manifest } from '../../../../src/core';
import { AwsLoadBalancerControllerVersion } from '../../../../src/routers/aws-alb/version';
import { ingress, service, withAction } from '../stack';
import { findingsIn } from './findings';

const targets = (...groups: object[]) => ({ type: 'forward', forwardConfig: { targetGroups: groups } });
const to = (serviceName: string, weight?: number, more: object = {}) => ({
  serviceName,
  servicePort: 80,
  ...(weight === undefined ? {} : { weight }),
  ...more,
});
describe('findings in paths and names', () => {
  it.each<[string, object, string[]]>([
    [
      'a wildcard',
      { paths: [{ path: '/x*' }, { path: '/y?', pathType: 'Exact' }] },
      [
        "alb-path-wildcard at i spec.rules[0].http.paths[0].path: prefix path shouldn't contain wildcards: /x*",
        "alb-path-wildcard at i spec.rules[0].http.paths[1].path: exact path shouldn't contain wildcards: /y?",
      ],
    ],
    [
      'the root, as it is written',
      { paths: [{ pathType: 'ImplementationSpecific' }, { path: '/x', pathType: 'ImplementationSpecific' }] },
      ['alb-literal-root-path at i spec.rules[0].http.paths[0]: the path / has the type ImplementationSpecific'],
    ],
    [
      'the root without a type',
      { paths: [{ pathType: null }] },
      [
        'alb-literal-root-path at i spec.rules[0].http.paths[0]: the path / has the type ImplementationSpecific (none is given)',
      ],
    ],
    ['the root as an exact path', { paths: [{ pathType: 'Exact' }] }, []],
    [
      'the root as an expression',
      { paths: [{ pathType: 'ImplementationSpecific' }], annotations: { 'use-regex-path-match': 'true' } },
      [],
    ],
    [
      'the root beside a flag that cannot be read',
      { paths: [{ pathType: 'ImplementationSpecific' }], annotations: { 'use-regex-path-match': 'x' } },
      [
        'alb-group-frozen at i metadata.annotations["…/use-regex-path-match"]: ingress: shop/i: failed to parse bool annotation, …/use-regex-path-match: "x"',
      ],
    ],
    [
      'a key of 63',
      { paths: [{ service: 's'.repeat(52) }], annotations: { [`conditions.${'s'.repeat(52)}`]: '[]' } },
      [],
    ],
    [
      'a key of 64',
      { paths: [{ service: 's'.repeat(53) }], annotations: { [`conditions.${'s'.repeat(53)}`]: '[]' } },
      [
        'alb-annotation-key-too-long at i metadata.annotations["…/conditions.sssssssssssssssssssssssssssssssssssssssssssssssssssss"]: the annotation …/conditions.sssssssssssssssssssssssssssssssssssssssssssssssssssss has 64 characters after the slash; 63 are allowed',
      ],
    ],
    ['a long key of another prefix', { annotations: { [`x.io/${'k'.repeat(64)}`]: 'a' } }, []],
    [
      'a transform that cannot be read',
      { annotations: { 'transforms.web': '[{}]' } },
      ['alb-group-frozen at i metadata.annotations["…/transforms.web"]: ingress: shop/i: unknown transform type: '],
    ],
    [
      'a transform that cannot be read, beside a warning',
      { annotations: { 'transforms.web': '[{}]' }, paths: [{ pathType: 'ImplementationSpecific' }] },
      [
        'alb-literal-root-path at i spec.rules[0].http.paths[0]: the path / has the type ImplementationSpecific',
        'alb-group-frozen at i metadata.annotations["…/transforms.web"]: ingress: shop/i: unknown transform type: ',
      ],
    ],
    [
      'a type of path that is unknown',
      { paths: [{ pathType: 'Regex' }] },
      ['alb-group-frozen at i spec.rules[0].http.paths[0].pathType: unknown pathType for path /'],
    ],
  ])('%s', (_, options, expected) => {
    const names = [52, 53].map((length) => service('s'.repeat(length)));
    expect(findingsIn([ingress('i', options), ...names])).toEqual(expected);
  });

  it.each<[string, string, string[]]>([
    [
      '2.13.4',
      'transforms.web',
      [
        'alb-annotation-version at i metadata.annotations["…/transforms.web"]: the AWS Load Balancer Controller v2.13.4 does not read the annotation …/transforms.web, which v2.14.1 is the first to read',
      ],
    ],
    ['2.14.1', 'transforms.web', []],
    [
      '2.14.1',
      'use-regex-path-match',
      [
        'alb-annotation-version at i metadata.annotations["…/use-regex-path-match"]: the AWS Load Balancer Controller v2.14.1 does not read the annotation …/use-regex-path-match, which v2.15.0 is the first to read',
      ],
    ],
    [
      '2.14.1',
      'jwt-validation',
      [
        'alb-annotation-version at i metadata.annotations["…/jwt-validation"]: the AWS Load Balancer Controller v2.14.1 does not read the annotation …/jwt-validation, which v2.15.0 is the first to read',
      ],
    ],
    ['2.15.0', 'jwt-validation', []],
    ['2.15.0', 'use-regex-path-match', []],
    ['2.13.4', 'jwt-validation-more', []],
    ['2.13.4', 'my-transforms.web', []],
    ['2.13.4', 'x.io/jwt-validation', []],
  ])('of %s and %s', (version, annotation, expected) => {
    const value = annotation.includes('transforms') ? '[]' : 'true';
    expect(
      findingsIn([ingress('i', { annotations: { [annotation]: value } })], {
        version: AwsLoadBalancerControllerVersion.of(version),
      }),
    ).toEqual(expected);
  });

  it('the quotas of rules and of target groups', () => {
    const two = [
      ingress('a', {
        annotations: { 'group.name': 'g', 'listen-ports': '[{"HTTP":80},{"HTTP":81}]' },
        paths: [{ path: '/a' }],
      }),
      ingress('b', { annotations: { 'group.name': 'g' }, paths: [{ path: '/x' }, { path: '/y', port: 'http' }] }),
    ];
    expect(findingsIn(two, { maxRules: 4, maxTargetGroups: 3 })).toEqual([]);
    expect(findingsIn(two, { maxRules: 3, maxTargetGroups: 2 })).toEqual([
      'alb-rule-quota at b as a whole: the load balancer "g" gets 4 rules; its quota is 3',
      'alb-target-group-quota at b as a whole: the load balancer "g" gets 3 target groups; its quota is 2',
    ]);
    expect(
      findingsIn([withAction({ type: 'redirect', redirectConfig: { host: 'x', statusCode: 'HTTP_301' } })], {
        maxTargetGroups: 0,
      }),
    ).toEqual([]);
    expect(
      findingsIn([withAction(targets({ targetGroupName: 'n', weight: 1 }, { targetGroupARN: 'a', weight: 2 }))], {
        maxTargetGroups: 1,
      }),
    ).toEqual([
      'alb-target-group-quota at i as a whole: the load balancer "shop/i" gets 2 target groups; its quota is 1',
    ]);
    expect(
      findingsIn([withAction(targets({ targetGroupName: 'n', weight: 1 }, { targetGroupName: 'n', weight: 2 }))], {
        maxTargetGroups: 1,
      }).map((line) => line.split(' ')[0]),
    ).toEqual(['alb-action-duplicate-target']);
  });

  it('a group that fails for a Service that is missing is not reported again, and one that is external neither', () => {
    const mixed = withAction(targets(to('gone', 1), to('web', 1)));
    expect(
      findingsIn([mixed], { external: [{ apiVersion: 'v1', kind: 'Service', namespace: 'shop', name: 'gone' }] }),
    ).toEqual([]);
  });
});

describe('findings in groups', () => {
  const member = (name: string, annotations: Readonly<Record<string, string>> = {}, more: object = {}) =>
    ingress(name, { annotations: { 'group.name': 'g', ...annotations }, paths: [{ path: `/${name}` }], ...more });
  const withDefault = { spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } } };

  it.each<[string, readonly object[], string[]]>([
    [
      'a name',
      [member('a', { 'group.name': 'A_b' })],
      ['alb-group-name at a metadata.annotations["…/group.name"]: the group name "A_b" is invalid'],
    ],
    [
      'an empty name',
      [member('a', { 'group.name': '' })],
      ['alb-group-name at a metadata.annotations["…/group.name"]: the group name "" is invalid'],
    ],
    ['a name of 63', [member('a', { 'group.name': 'g'.repeat(63) })], []],
    [
      'a name of 64',
      [member('a', { 'group.name': 'g'.repeat(64) })],
      [
        'alb-group-name at a metadata.annotations["…/group.name"]: the group name "gggggggggggggggggggggggggggggggggggggggggggggggggggggggggggggggg" is invalid',
      ],
    ],
    ['an order of 1000', [member('a', { 'group.order': '1000' })], []],
    [
      'an order of 1001',
      [member('a', { 'group.order': '1001' })],
      ['alb-group-order at a metadata.annotations["…/group.order"]: …/group.order is "1001"'],
    ],
    ['an order of -1000', [member('a', { 'group.order': '-1000' })], []],
    [
      'an order of -1001',
      [member('a', { 'group.order': '-1001' })],
      ['alb-group-order at a metadata.annotations["…/group.order"]: …/group.order is "-1001"'],
    ],
    [
      'an order that is no number',
      [member('a', { 'group.order': 'x' })],
      ['alb-group-order at a metadata.annotations["…/group.order"]: …/group.order is "x"'],
    ],
    [
      'two schemes',
      [member('a', { scheme: 'internal' }), member('b', { scheme: 'internet-facing' })],
      [
        'alb-group-conflict at b metadata.annotations["…/scheme"]: conflicting scheme: map[internal:{} internet-facing:{}]',
      ],
    ],
    [
      'a scheme',
      [member('a', { scheme: 'x' })],
      ['alb-group-setting at a metadata.annotations["…/scheme"]: unknown scheme: x'],
    ],
    [
      'two ACLs',
      [
        member('a', { 'wafv2-acl-arn': 'x' }),
        member('b'),
        member('c', { 'wafv2-acl-arn': 'y' }),
        member('d', { 'wafv2-acl-arn': 'x' }),
      ],
      [
        'alb-group-conflict at c metadata.annotations["…/wafv2-acl-arn"]: …/wafv2-acl-arn is "y" here and "x" in shop/a | related: shop/a is in the same group (a)',
      ],
    ],
    [
      'two classic ACLs',
      [member('a', { 'waf-acl-id': 'x' }), member('b', { 'waf-acl-id': 'y' })],
      [
        'alb-group-conflict at b metadata.annotations["…/waf-acl-id"]: …/waf-acl-id is "y" here and "x" in shop/a | related: shop/a is in the same group (a)',
      ],
    ],
    [
      'two shields',
      [member('a', { 'shield-advanced-protection': 'true' }), member('b', { 'shield-advanced-protection': 'false' })],
      [
        'alb-group-conflict at b metadata.annotations["…/shield-advanced-protection"]: …/shield-advanced-protection is "false" here and "true" in shop/a | related: shop/a is in the same group (a)',
      ],
    ],
    [
      'ports',
      [member('a', { 'listen-ports': '[]' })],
      [
        'alb-listen-ports at a metadata.annotations["…/listen-ports"]: ingress: shop/a: empty listen-ports configuration: `[]`',
      ],
    ],
    [
      'ranges',
      [member('a', { 'inbound-cidrs': 'x' })],
      [
        'alb-group-setting at a metadata.annotations["…/inbound-cidrs"]: ingress: shop/a: invalid …/inbound-cidrs: x is no CIDR',
      ],
    ],
    [
      'tags of the second member',
      [member('a'), member('b', { tags: 'x' })],
      ['alb-group-setting at b metadata.annotations["…/tags"]: failed to parse stringMap annotation, …/tags: "x"'],
    ],
    [
      'a redirect',
      [member('a', { 'ssl-redirect': '443' })],
      [
        'alb-ssl-redirect at a metadata.annotations["…/ssl-redirect"]: listener does not exist for SSLRedirect port: 443',
      ],
    ],
    [
      'default backends of one port',
      [member('a', {}, withDefault), member('b', {}, withDefault)],
      [
        'alb-default-backend-conflict at b spec.defaultBackend: the Ingress and shop/a both have a default backend for port 80 | related: shop/a is in the same group (a)',
      ],
    ],
    [
      'default backends of two ports',
      [member('a', {}, withDefault), member('b', { 'listen-ports': '[{"HTTP":81}]' }, withDefault)],
      [],
    ],
    [
      'default backends beside ports that cannot be read',
      [member('a', {}, withDefault), member('b', { 'listen-ports': '[' }, withDefault)],
      [
        'alb-listen-ports at b metadata.annotations["…/listen-ports"]: ingress: shop/b: failed to parse json annotation, …/listen-ports: [: is no JSON: unexpected end of JSON input',
      ],
    ],
    [
      'a member without rules',
      [
        member('a', { 'ssl-redirect': '443', 'listen-ports': '[{"HTTP":80},{"HTTPS":443}]' }),
        member('b', { 'listen-ports': '[{"HTTP":80}]' }),
        member('c'),
      ],
      [
        'alb-rules-redirected at b metadata.annotations["…/listen-ports"]: the Ingress listens on HTTP only, and its group redirects HTTP to HTTPS',
        'alb-rules-redirected at c metadata: the Ingress listens on HTTP only, and its group redirects HTTP to HTTPS',
      ],
    ],
    [
      'a member without rules and without its port',
      [
        member('a', { 'ssl-redirect': '443', 'listen-ports': '[{"HTTP":80},{"HTTPS":443}]' }),
        member('b', {}, { paths: [{ path: '/b', port: 81 }] }),
      ],
      ['alb-rules-redirected at b metadata: the Ingress listens on HTTP only, and its group redirects HTTP to HTTPS'],
    ],
    [
      'a redirect that cannot be read',
      [member('a', { 'ssl-redirect': 'x', 'listen-ports': '[{"HTTP":80},{"HTTPS":443}]' }), member('b')],
      [
        'alb-ssl-redirect at a metadata.annotations["…/ssl-redirect"]: ingress: shop/a: failed to parse int32 annotation, …/ssl-redirect: "x"',
      ],
    ],
  ])('%s', (_, objects, expected) => expect(findingsIn(objects)).toEqual(expected));

  it('a name in IngressClassParams', () => {
    const params = (name: unknown) => [
      {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'IngressClass',
        metadata: { name: 'mine' },
        spec: {
          controller: 'ingress.k8s.aws/alb',
          parameters: { apiGroup: 'elbv2.k8s.aws', kind: 'IngressClassParams', name: 'p' },
        },
      },
      {
        apiVersion: 'elbv2.k8s.aws/v1beta1',
        kind: 'IngressClassParams',
        metadata: { name: 'p' },
        spec: { group: { name } },
      },
    ];
    expect(findingsIn([ingress('a', { className: 'mine' }), ...params('A_b')])).toEqual([
      'alb-group-name at a spec.ingressClassName: the group name "A_b" of its IngressClassParams is invalid',
    ]);
    expect(findingsIn([ingress('a', { className: 'mine' }), ...params(undefined)])).toEqual([
      'alb-group-name at a spec.ingressClassName: the group name "" of its IngressClassParams is invalid',
    ]);
    expect(findingsIn([ingress('a', { className: 'mine' }), ...params('ab')])).toEqual([]);
  });

  it('are none in Ingresses of others', () => {
    const other = member('a', { scheme: 'x' });
    expect(findingsIn([ingress('a', { className: 'nginx', annotations: { scheme: 'x' } })])).toEqual([]);
    expect([
      findingsIn([other]).length,
      findingsIn([other], { notOurs: [Manifest.of(other as never)] }).length,
    ]).toEqual([1, 0]);
  });
});
