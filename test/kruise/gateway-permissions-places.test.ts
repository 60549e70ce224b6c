/** What is said of permissions for gateways, in full: messages, fixes, and what would have to exist. */
import { describe, expect, it } from 'vitest';
import { collectFindings, Manifest, World } from '../../src/core';
import { GatewayKind } from '../../src/kruise/gateway-kinds';
import {
  checkGatewayPermissions,
  type GatewayPermissionOptions,
  gatewayPermissionRules,
} from '../../src/kruise/gateway-permissions';
import { gatewayGrant, gatewayVerbs, installGrants, missingGrants } from '../../src/kruise/gateway-rbac';
import { kruiseInstall } from '../../src/kruise/install';
import { KruiseRolloutVersion } from '../../src/kruise/version';
import { object, rollout } from './rules/stack';

const { NEXT, V0_4_4, V0_6_2 } = KruiseRolloutVersion;
const RBAC = 'rbac.authorization.k8s.io/v1';
const ACCOUNT = 'kruise-rollout-controller-manager';
const OWN = { kind: 'ServiceAccount', name: ACCOUNT, namespace: 'kruise-rollout' };

const role = (kind: string, name: string, rules: readonly object[], namespace?: string) => ({
  apiVersion: RBAC,
  kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  rules,
});
const binding = (kind: string, roleRef: object, subjects: readonly object[], namespace?: string, name = 'binding') => ({
  apiVersion: RBAC,
  kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
  roleRef,
  subjects,
});
const rule = (group: string, resource: string, ...verbs: readonly string[]) => ({
  apiGroups: [group],
  resources: [resource],
  verbs: verbs.length === 0 ? ['get', 'list', 'update', 'watch'] : verbs,
});
const routed = (route: object) => rollout({ route: { service: 'web', ...route } });
const custom = (apiVersion: string, kind: string) => routed({ customNetworkRefs: [{ apiVersion, kind, name: 'web' }] });
const install = (permissions: object = {}) => kruiseInstall({ crds: 'skip', permissions });

/** `severity rule Kind path: message | fix | because | related | absent Kind namespace/name` */
const found = (objects: readonly object[], options: GatewayPermissionOptions = {}) =>
  collectFindings(checkGatewayPermissions(World.of(objects.map((each) => Manifest.of(each))), options)).map(
    ({ severity, rule: id, object: of, path, message, fix, because, related, absent }) => {
      const own = gatewayPermissionRules[id as keyof typeof gatewayPermissionRules];
      return [
        `${severity} ${id} ${of?.kind}${path === undefined ? '' : ` ${path}`}: ${message}`,
        ...(fix === own.fix ? [] : [fix]),
        ...(because === own.because ? [] : [`because ${because}`]),
        ...(related === undefined ? [] : [related.message]),
        ...(absent ?? []).map(({ kind, namespace, name }) => `absent ${kind} ${namespace}/${name}`),
      ].join(' | ');
    },
  );

const ROUTE = 'spec.strategy.canary.trafficRoutings[0]';
const mayNot = (what: string, at: string, severity = 'error') =>
  `${severity} kruise-gateway-not-granted Rollout ${ROUTE}.${at}: the ServiceAccount "${ACCOUNT}" of the namespace "kruise-rollout" may not ${what}`;
const grant = (verbs: string, kind: string, constant?: string) =>
  `grant ${verbs} on ${kind} by a ClusterRole and a ClusterRoleBinding${constant === undefined ? '' : `: new GatewayRoleBinding(…, { kinds: [GatewayKind.${constant}] })`}`;
const ALL = 'get, list, update, watch';

describe('a kind that a Rollout names', () => {
  it.each<[what: string, objects: readonly object[], options: GatewayPermissionOptions, expected: readonly string[]]>([
    [
      'is not granted by the install',
      [custom('projectcontour.io/v1', 'HTTPProxy'), ...install()],
      {},
      [
        `${mayNot(`${ALL} httpproxies of the group "projectcontour.io"`, 'customNetworkRefs[0].kind')} | ${grant(ALL, 'httpproxies.projectcontour.io', 'CONTOUR_HTTP_PROXY')}`,
      ],
    ],
    [
      'is not granted by anything that is known',
      [custom('projectcontour.io/v1', 'HTTPProxy')],
      {},
      [
        `${mayNot(`${ALL} httpproxies of the group "projectcontour.io", according to these manifests`, 'customNetworkRefs[0].kind', 'warning')} | ${grant(ALL, 'httpproxies.projectcontour.io', 'CONTOUR_HTTP_PROXY')}`,
      ],
    ],
    [
      'is not watched by a later release',
      [custom('projectcontour.io/v1', 'HTTPProxy')],
      { version: NEXT },
      [
        `${mayNot('get, update httpproxies of the group "projectcontour.io", according to these manifests', 'customNetworkRefs[0].kind', 'warning')} | ${grant('get, update', 'httpproxies.projectcontour.io', 'CONTOUR_HTTP_PROXY')} | because without the permission the controller cannot change the object`,
      ],
    ],
    [
      'is one that nobody knows',
      [custom('example.com/v1', 'Policy'), ...install()],
      {},
      [
        `${mayNot(`${ALL} the plural of Policy of the group "example.com"`, 'customNetworkRefs[0].kind')} | ${grant(ALL, 'Policy')}`,
      ],
    ],
    [
      'is an Ingress, which this install may not change',
      [routed({ ingress: { name: 'web' } }), ...install({ ingresses: false })],
      {},
      [
        `${mayNot('create, delete, get, list, patch, watch ingresses of the group "networking.k8s.io"', 'ingress')} | ${grant('create, delete, get, list, patch, watch', 'ingresses.networking.k8s.io', 'INGRESS')}`,
      ],
    ],
    [
      'is an HTTPRoute, which this install may not change',
      [routed({ gateway: { httpRouteName: 'web' } }), ...install({ gatewayApi: false })],
      {},
      [
        `${mayNot(`${ALL} httproutes of the group "gateway.networking.k8s.io"`, 'gateway')} | ${grant(ALL, 'httproutes.gateway.networking.k8s.io', 'GATEWAY_API_HTTP_ROUTE')}`,
      ],
    ],
    ['has no kind', [custom('projectcontour.io/v1', ''), custom('', 'HTTPProxy'), ...install()], {}, []],
    [
      'is granted elsewhere',
      [custom('projectcontour.io/v1', 'HTTPProxy')],
      { install: { namespace: 'a', serviceAccountName: 'b', grantedKinds: ['HTTPProxy.projectcontour.io'] } },
      [],
    ],
    [
      'is not granted elsewhere',
      [custom('projectcontour.io/v1', 'HTTPProxy')],
      { install: { namespace: 'a', serviceAccountName: 'b', grantedKinds: [] } },
      [
        `${mayNot(`${ALL} httpproxies of the group "projectcontour.io"`, 'customNetworkRefs[0].kind').replace(ACCOUNT, 'b').replace('"kruise-rollout"', '"a"')} | ${grant(ALL, 'httpproxies.projectcontour.io', 'CONTOUR_HTTP_PROXY')}`,
      ],
    ],
  ])('%s', (_, objects, options, expected) => {
    expect(found(objects, options)).toEqual(expected);
  });

  it('may be granted by a role for all kinds of all groups, which is taken for the one of the install', () => {
    const everything = role('ClusterRole', 'all', [{ apiGroups: ['*'], resources: ['pods'], verbs: ['get'] }]);
    const bound = binding('ClusterRoleBinding', { kind: 'ClusterRole', name: 'all' }, [OWN]);
    expect(found([custom('projectcontour.io/v1', 'HTTPProxy'), everything, bound])[0]).toMatch(/^error /);
    const other = role('ClusterRole', 'all', [rule('', 'pods')]);
    expect(found([custom('projectcontour.io/v1', 'HTTPProxy'), other, bound])[0]).toMatch(/^warning /);
  });
});

describe('a binding for the controller', () => {
  const CONTOUR = [rule('projectcontour.io', 'httpproxies')];
  const toRole = { kind: 'Role', name: 'contour' };
  const inNamespace = (where: string, kinds = 'HTTPProxy.projectcontour.io') =>
    `error kruise-gateway-role-namespaced RoleBinding: the RoleBinding grants ${kinds} in ${where} only`;

  it.each<[what: string, objects: readonly object[], expected: readonly string[]]>([
    [
      'of a Role in its own namespace',
      [role('Role', 'contour', CONTOUR, 'kruise-rollout'), binding('RoleBinding', toRole, [OWN], 'kruise-rollout')],
      [inNamespace('the namespace of the controller')],
    ],
    [
      'of a Role in another namespace',
      [role('Role', 'contour', CONTOUR, 'shop'), binding('RoleBinding', toRole, [OWN], 'shop')],
      [inNamespace('the namespace "shop"')],
    ],
    [
      'of a ClusterRole in a namespace',
      [
        role('ClusterRole', 'contour', CONTOUR),
        binding('RoleBinding', { kind: 'ClusterRole', name: 'contour' }, [OWN], 'shop'),
      ],
      [inNamespace('the namespace "shop"')],
    ],
    [
      'of kinds that the install grants everywhere',
      [
        role('Role', 'contour', [rule('networking.istio.io', 'virtualservices')], 'shop'),
        binding('RoleBinding', toRole, [OWN], 'shop'),
      ],
      [
        `${inNamespace('the namespace "shop"', 'VirtualService.networking.istio.io')} | remove Role and RoleBinding: the ClusterRole of the install already grants these kinds (v0.6.2)`,
      ],
    ],
    [
      'of kinds of which the install grants one',
      [
        role('Role', 'contour', [...CONTOUR, rule('networking.istio.io', 'virtualservices')], 'shop'),
        binding('RoleBinding', toRole, [OWN], 'shop'),
      ],
      [inNamespace('the namespace "shop"', 'HTTPProxy.projectcontour.io, VirtualService.networking.istio.io')],
    ],
    [
      'of kinds that are no gateways',
      [role('Role', 'contour', [rule('', 'pods')], 'shop'), binding('RoleBinding', toRole, [OWN], 'shop')],
      [],
    ],
    [
      'of a gateway that may only be read',
      [
        role('Role', 'contour', [rule('projectcontour.io', 'httpproxies', 'get')], 'shop'),
        binding('RoleBinding', toRole, [OWN], 'shop'),
      ],
      [],
    ],
    [
      'of a Role that is in another namespace',
      [role('Role', 'contour', CONTOUR, 'kruise-rollout'), binding('RoleBinding', toRole, [OWN], 'shop')],
      [
        inNamespace('the namespace "shop"'),
        'error kruise-role-binding-namespace RoleBinding roleRef.name: the RoleBinding is in the namespace "shop", which has no Role "contour" | the Role "contour" is in the namespace "kruise-rollout" | absent Role shop/contour',
      ],
    ],
    [
      'of another account, for gateways',
      [
        role('ClusterRole', 'contour', CONTOUR),
        binding('ClusterRoleBinding', { kind: 'ClusterRole', name: 'contour' }, [{ ...OWN, name: 'manager' }]),
      ],
      [
        `error kruise-role-subject-unknown ClusterRoleBinding subjects[0].name: the ClusterRoleBinding names the ServiceAccount "manager", but the controller runs as "${ACCOUNT}" in the namespace "kruise-rollout" | name "${ACCOUNT}" | absent ServiceAccount kruise-rollout/manager`,
      ],
    ],
    [
      'of the account of the documents, for anything',
      [
        role('ClusterRole', 'pods', [rule('', 'pods')]),
        binding('ClusterRoleBinding', { kind: 'ClusterRole', name: 'pods' }, [
          { kind: 'User', name: 'x' },
          { ...OWN, name: 'controller-manager' },
        ]),
      ],
      [
        `error kruise-role-subject-unknown ClusterRoleBinding subjects[1].name: the ClusterRoleBinding names the ServiceAccount "controller-manager", but the controller runs as "${ACCOUNT}" in the namespace "kruise-rollout" | name "${ACCOUNT}" | absent ServiceAccount kruise-rollout/controller-manager`,
      ],
    ],
    [
      'of another account that exists',
      [
        object('v1', 'ServiceAccount', {}, { name: 'manager', namespace: 'kruise-rollout' }),
        role('ClusterRole', 'contour', CONTOUR),
        binding('ClusterRoleBinding', { kind: 'ClusterRole', name: 'contour' }, [{ ...OWN, name: 'manager' }]),
      ],
      [],
    ],
    [
      'of another account, for other kinds',
      [
        role('ClusterRole', 'pods', [rule('', 'pods')]),
        binding('ClusterRoleBinding', { kind: 'ClusterRole', name: 'pods' }, [{ ...OWN, name: 'manager' }]),
      ],
      [],
    ],
    [
      'of an account of another namespace',
      [
        role('ClusterRole', 'contour', CONTOUR),
        binding('ClusterRoleBinding', { kind: 'ClusterRole', name: 'contour' }, [
          { ...OWN, namespace: 'shop', name: 'manager' },
        ]),
      ],
      [],
    ],
  ])('%s', (_, objects, expected) => {
    expect(found(objects)).toEqual(expected);
  });
});

describe('what an install has to be granted', () => {
  const { CONTOUR_HTTP_PROXY, INGRESS, ISTIO_DESTINATION_RULE, ISTIO_VIRTUAL_SERVICE, GATEWAY_API_HTTP_ROUTE } =
    GatewayKind;
  const grantee = { namespace: 'rollouts', serviceAccountName: 'manager', version: V0_6_2 };

  it('is what it does not have', () => {
    expect(missingGrants([CONTOUR_HTTP_PROXY, INGRESS], [INGRESS.groupKind])).toStrictEqual({
      kinds: [CONTOUR_HTTP_PROXY],
      alreadyGranted: [INGRESS],
    });
    expect(() => missingGrants([], [])).toThrow(
      'kinds is empty: name the kinds that Rollouts have in customNetworkRefs',
    );
  });

  it('depends on the release and its permissions', () => {
    const [route, ingress] = [GATEWAY_API_HTTP_ROUTE.groupKind, INGRESS.groupKind];
    const istio = [ISTIO_DESTINATION_RULE.groupKind, ISTIO_VIRTUAL_SERVICE.groupKind];
    expect(installGrants(V0_6_2)).toEqual([route, ingress, ...istio]);
    expect(installGrants(V0_4_4)).toEqual([route, ingress]);
    expect(installGrants(V0_6_2, { gatewayApi: false })).toEqual([ingress, ...istio]);
    expect(installGrants(V0_6_2, { ingresses: false })).toEqual([route, ...istio]);
    expect(installGrants(V0_6_2, { istio: false })).toEqual([route, ingress]);
    expect(gatewayVerbs()).toEqual(['get', 'list', 'update', 'watch']);
    expect(gatewayVerbs(V0_6_2)).toEqual(['get', 'list', 'update', 'watch']);
    expect(gatewayVerbs(NEXT)).toEqual(['get', 'update']);
  });

  it('is one rule for each group, in a role of the kinds', () => {
    const kinds = [ISTIO_VIRTUAL_SERVICE, CONTOUR_HTTP_PROXY, ISTIO_DESTINATION_RULE, ISTIO_VIRTUAL_SERVICE];
    const [made, bound, ...others] = gatewayGrant(kinds, grantee);
    const name =
      'kruise-rollout-destinationrules.networking.istio.io-httpproxies.projectcontour.io-virtualservices.networking.istio.io';
    expect(others).toEqual([]);
    expect(made).toMatchObject({ kind: 'ClusterRole', metadata: { name } });
    expect((made as { readonly rules?: object }).rules).toStrictEqual([
      { apiGroups: ['networking.istio.io'], resources: ['destinationrules', 'virtualservices'], verbs: gatewayVerbs() },
      { apiGroups: ['projectcontour.io'], resources: ['httpproxies'], verbs: gatewayVerbs() },
    ]);
    expect(bound).toMatchObject({
      kind: 'ClusterRoleBinding',
      roleRef: { kind: 'ClusterRole', name },
      subjects: [{ kind: 'ServiceAccount', name: 'manager', namespace: 'rollouts' }],
    });
    expect(gatewayGrant([], grantee)).toEqual([]);
    expect(gatewayGrant([INGRESS], grantee, 'own')[0]).toMatchObject({ metadata: { name: 'own' } });
  });
});

describe('the kind of a gateway', () => {
  it.each([
    [{ kind: 'HTTPProxy', plural: 'httpproxies', group: 'projectcontour.io' }, undefined],
    [{ kind: 'A', plural: 'a', group: 'a' }, undefined],
    [{ kind: 'a', plural: 'a', group: 'a.b' }, 'gateway kind "a" is not a valid kind: write it like "HTTPProxy"'],
    [{ kind: 'A-B', plural: 'a', group: 'a.b' }, 'gateway kind "A-B" is not a valid kind'],
    [{ kind: ' A', plural: 'a', group: 'a.b' }, 'gateway kind " A" is not a valid kind'],
    [
      { kind: 'A', plural: 'As', group: 'a.b' },
      'plural "As" of gateway kind A is not a valid plural: write it as in the CRD, for example "httpproxies"',
    ],
    [{ kind: 'A', plural: '1s', group: 'a.b' }, 'plural "1s" of gateway kind A'],
    [{ kind: 'A', plural: '', group: 'a.b' }, 'plural "" of gateway kind A'],
    [
      { kind: 'A', plural: 'as', group: 'a.b/v1' },
      'group "a.b/v1" of gateway kind A is not an API group: write it without its version',
    ],
    [{ kind: 'A', plural: 'as', group: '-a' }, 'group "-a" of gateway kind A'],
    [{ kind: 'A', plural: 'as', group: 'a-' }, 'group "a-" of gateway kind A'],
    [{ kind: 'A', plural: 'as', group: '' }, 'group "" of gateway kind A'],
  ])('%j: %s', (options, problem) => {
    if (problem === undefined) {
      const made = GatewayKind.of(options);
      expect({ kind: made.kind, plural: made.plural, group: made.group }).toEqual(options);
      expect([made.groupKind, String(made)]).toEqual([
        `${options.kind}.${options.group}`,
        `${options.kind}.${options.group}`,
      ]);
    } else {
      expect(() => GatewayKind.of(options)).toThrow(problem);
    }
  });

  it('is known by its name', () => {
    expect(GatewayKind.ALL.map(String).sort()).toEqual(
      [
        'ApisixRoute.apisix.apache.org',
        'DestinationRule.networking.istio.io',
        'HTTPProxy.projectcontour.io',
        'HTTPRoute.gateway.networking.k8s.io',
        'Ingress.networking.k8s.io',
        'IngressRoute.traefik.containo.us',
        'IngressRoute.traefik.io',
        'MeshHTTPRoute.kuma.io',
        'TrafficRoute.kuma.io',
        'TraefikService.traefik.containo.us',
        'TraefikService.traefik.io',
        'VirtualService.networking.istio.io',
      ].sort(),
    );
    expect(GatewayKind.find('HTTPProxy.projectcontour.io')).toBe(GatewayKind.CONTOUR_HTTP_PROXY);
    expect(GatewayKind.find('HTTPProxy')).toBeUndefined();
  });
});
