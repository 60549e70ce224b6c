import { describe, expect, it } from 'vitest';
import { ingress, PREFIX, service, withAction } from '../stack';
import { findingsIn } from './findings';

const targets = (...groups: object[]) => ({ type: 'forward', forwardConfig: { targetGroups: groups } });
const to = (serviceName: string, weight?: number, more: object = {}) => ({
  serviceName,
  servicePort: 80,
  ...(weight === undefined ? {} : { weight }),
  ...more,
});
const sticky = (config: object) => ({
  type: 'forward',
  forwardConfig: { targetGroups: [to('web')], targetGroupStickinessConfig: config },
});
const many = (count: number) =>
  targets(...Array.from({ length: count }, (_, index) => ({ targetGroupName: `g${index}`, weight: 1 })));

describe('findings in actions', () => {
  it.each<[string, unknown, string[]]>([
    [
      'an action that cannot be read',
      '{',
      [
        'alb-action-invalid at i metadata.annotations["…/actions.web"]: failed to parse json annotation, …/actions.web: {: is no JSON: unexpected end of JSON input',
      ],
    ],
    [
      'an action of an unknown type',
      { type: 'x' },
      ['alb-action-invalid at i metadata.annotations["…/actions.web"]: unknown action type: x'],
    ],
    [
      'no target',
      targets(),
      [
        'alb-action-target-groups at i metadata.annotations["…/actions.web"]: the action "web" forwards to 0 target groups',
      ],
    ],
    [
      'six targets',
      many(6),
      [
        'alb-action-target-groups at i metadata.annotations["…/actions.web"]: the action "web" forwards to 6 target groups',
      ],
    ],
    ['five targets', many(5), []],
    [
      'a Service that is named twice',
      targets(to('web', 1), to('web', 2)),
      [
        'alb-action-duplicate-target at i metadata.annotations["…/actions.web"]: the action "web" names port 80 of the Service "web" twice',
      ],
    ],
    [
      'a port that is named twice in two ways',
      targets(to('web', 1), to('web', 2, { servicePort: '80' })),
      [
        'alb-action-duplicate-target at i metadata.annotations["…/actions.web"]: the action "web" names port 80 of the Service "web" twice',
      ],
    ],
    ['two ports of a Service', targets(to('web', 1), to('web', 2, { servicePort: 9090 })), []],
    [
      'an ARN that is named twice',
      targets({ targetGroupARN: 'arn', weight: 1 }, { targetGroupARN: 'arn', weight: 1 }),
      [
        'alb-action-duplicate-target at i metadata.annotations["…/actions.web"]: the action "web" names the target group arn twice',
      ],
    ],
    [
      'a target group that is named twice',
      targets({ targetGroupName: 'n', weight: 1 }, { targetGroupName: 'n', weight: 1 }),
      [
        'alb-action-duplicate-target at i metadata.annotations["…/actions.web"]: the action "web" names the target group "n" twice',
      ],
    ],
    [
      'weights below and above',
      targets(to('web', -1), to('web-canary', 1000)),
      [
        'alb-action-weight at i metadata.annotations["…/actions.web"]: the action "web" has the weight -1',
        'alb-action-weight at i metadata.annotations["…/actions.web"]: the action "web" has the weight 1000',
      ],
    ],
    ['weights at the limits', targets(to('web', 0), to('web-canary', 999)), []],
    [
      'no weight above 0',
      targets(to('web', 0), to('web-canary', 0)),
      ['alb-action-weight at i metadata.annotations["…/actions.web"]: the action "web" has no weight above 0'],
    ],
    [
      'one target of the weight 0',
      targets(to('web', 0)),
      ['alb-action-weight at i metadata.annotations["…/actions.web"]: the action "web" has no weight above 0'],
    ],
    [
      'stickiness without a duration',
      sticky({ enabled: true }),
      [
        'alb-action-stickiness at i metadata.annotations["…/actions.web"]: the action "web" is sticky without durationSeconds',
      ],
    ],
    ['stickiness that is off, without a duration', sticky({ enabled: false }), []],
    [
      'a duration of 0',
      sticky({ enabled: true, durationSeconds: 0 }),
      ['alb-action-stickiness at i metadata.annotations["…/actions.web"]: the action "web" has the durationSeconds 0'],
    ],
    ['a duration of 1', sticky({ enabled: true, durationSeconds: 1 }), []],
    ['a duration of a week', sticky({ enabled: true, durationSeconds: 604800 }), []],
    [
      'a duration of more than a week',
      sticky({ durationSeconds: 604801 }),
      [
        'alb-action-stickiness at i metadata.annotations["…/actions.web"]: the action "web" has the durationSeconds 604801',
      ],
    ],
    ['a redirect', { type: 'redirect', redirectConfig: { host: 'x', statusCode: 'HTTP_301' } }, []],
  ])('%s', (_, action, expected) => expect(findingsIn([withAction(action)])).toEqual(expected));

  const action = JSON.stringify(targets(to('web')));

  it.each<[string, object, string[]]>([
    [
      'a backend without its action',
      ingress('i', { paths: [{ service: 'gone', port: 'use-annotation' }] }),
      [
        'alb-action-missing at i spec.rules[0].http.paths[0].backend: the backend "gone" uses the annotation …/actions.gone, which does not exist',
      ],
    ],
    [
      'a backend without its action, beside one of a similar name',
      ingress('i', {
        annotations: { 'actions.gome': action },
        paths: [
          { service: 'gone', port: 'use-annotation' },
          { path: '/x', service: 'gome', port: 'use-annotation' },
        ],
      }),
      [
        'alb-action-missing at i spec.rules[0].http.paths[0].backend: the backend "gone" uses the annotation …/actions.gone, which does not exist | fix: did you mean actions.gome? The name after "actions." is that of the backend',
      ],
    ],
    [
      'an action beside a port',
      ingress('i', { annotations: { 'actions.web': action } }),
      [
        'alb-action-ignored at i spec.rules[0].http.paths[0].backend: the backend "web" names the port 80, so …/actions.web is ignored',
      ],
    ],
    [
      'an action beside a port and a path that uses it',
      ingress('i', { annotations: { 'actions.web': action }, paths: [{}, { path: '/x', port: 'use-annotation' }] }),
      [],
    ],
    [
      'annotations of no backend',
      ingress('i', { annotations: { 'actions.wbe': action, 'conditions.other': '[]', 'transforms.wep': '[]' } }),
      [
        'alb-annotation-unused at i metadata.annotations["…/actions.wbe"]: no backend is called "wbe", so …/actions.wbe is never read | fix: did you mean actions.web? If not, remove the annotation',
        'alb-annotation-unused at i metadata.annotations["…/conditions.other"]: no backend is called "other", so …/conditions.other is never read',
        'alb-annotation-unused at i metadata.annotations["…/transforms.wep"]: no backend is called "wep", so …/transforms.wep is never read | fix: did you mean transforms.web? If not, remove the annotation',
      ],
    ],
    [
      'an action that two paths use, once',
      ingress('i', {
        annotations: { 'actions.web': '{' },
        paths: [{ port: 'use-annotation' }, { path: '/x', port: 'use-annotation' }],
      }),
      [
        'alb-action-invalid at i metadata.annotations["…/actions.web"]: failed to parse json annotation, …/actions.web: {: is no JSON: unexpected end of JSON input',
      ],
    ],
    [
      'two actions',
      ingress('i', {
        annotations: { 'actions.a': '{}', 'actions.b': '{}' },
        paths: [
          { service: 'a', port: 'use-annotation' },
          { path: '/x', service: 'b', port: 'use-annotation' },
        ],
      }),
      [
        'alb-action-invalid at i metadata.annotations["…/actions.a"]: unknown action type: ',
        'alb-action-invalid at i metadata.annotations["…/actions.b"]: unknown action type: ',
      ],
    ],
    [
      'an action beside a port of another name',
      ingress('i', { annotations: { 'actions.web': action }, paths: [{ port: 'http' }] }),
      [
        'alb-action-ignored at i spec.rules[0].http.paths[0].backend: the backend "web" names the port http, so …/actions.web is ignored',
      ],
    ],
    [
      'a backend that is no Service',
      ingress('i', { spec: { defaultBackend: { resource: {} } } }),
      ['alb-resource-backend at i spec.defaultBackend: the backend names no Service'],
    ],
    [
      'a default backend without its action',
      ingress('i', { spec: { defaultBackend: { service: { name: 'd', port: { name: 'use-annotation' } } } } }),
      [
        'alb-action-missing at i spec.defaultBackend: the backend "d" uses the annotation …/actions.d, which does not exist',
      ],
    ],
  ])('%s', (_, object, expected) => expect(findingsIn([object])).toEqual(expected));

  it.each<[string, object, boolean]>([
    ['its root Service', { stableService: 'x', trafficRouting: { alb: { ingress: 'i', rootService: 'root' } } }, true],
    ['its stable Service', { stableService: 'root', trafficRouting: { alb: { ingress: 'i' } } }, true],
    [
      'its stable Service beside an empty root',
      { stableService: 'root', trafficRouting: { alb: { ingress: 'i', rootService: '' } } },
      true,
    ],
    [
      'a managed route',
      { trafficRouting: { alb: { ingress: 'i' }, managedRoutes: [{ name: 'x' }, { name: 'root' }] } },
      true,
    ],
    ['several Ingresses', { stableService: 'root', trafficRouting: { alb: { ingresses: ['h', 'i'] } } }, true],
    ['another Ingress', { stableService: 'root', trafficRouting: { alb: { ingress: 'h' } } }, false],
    ['another Service', { stableService: 'x', trafficRouting: { alb: { ingress: 'i' } } }, false],
  ])('a backend of a Rollout of Argo, by %s, is known: %j', (_, canary, isKnown) => {
    const rollout = {
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Rollout',
      metadata: { name: 'r', namespace: 'shop' },
      spec: { strategy: { canary } },
    };
    const found = findingsIn([ingress('i', { paths: [{ service: 'root', port: 'use-annotation' }] }), rollout]);
    expect(found.map((line) => line.split(' ')[0])).toEqual(isKnown ? [] : ['alb-action-missing']);
    const elsewhere = { ...rollout, metadata: { name: 'r', namespace: 'team' } };
    expect(
      findingsIn([ingress('i', { paths: [{ service: 'root', port: 'use-annotation' }] }), elsewhere]),
    ).toHaveLength(1);
  });
});

describe('findings in the Services behind', () => {
  it.each<[string, readonly object[], string[]]>([
    [
      'a Service that is missing',
      [ingress('i', { paths: [{ service: 'wbe' }] })],
      [
        'alb-service-missing at i spec.rules[0].http.paths[0].backend: there is no Service "wbe" in the namespace "shop" | fix: did you mean "web"? If not, add the Service or declare it as external | absent: Service shop/wbe',
      ],
    ],
    [
      'a Service that is missing, of another name',
      [ingress('i', { paths: [{ service: 'somethingelse' }] })],
      [
        'alb-service-missing at i spec.rules[0].http.paths[0].backend: there is no Service "somethingelse" in the namespace "shop" | absent: Service shop/somethingelse',
      ],
    ],
    [
      'a Service that is missing, twice',
      [ingress('i', { paths: [{ service: 'wbe' }, { path: '/x', service: 'wbe' }] })],
      [
        'alb-service-missing at i spec.rules[0].http.paths[0].backend: there is no Service "wbe" in the namespace "shop" | fix: did you mean "web"? If not, add the Service or declare it as external | absent: Service shop/wbe',
      ],
    ],
    [
      'a Service that is missing in an action',
      [withAction(targets(to('gone')))],
      [
        'alb-service-missing at i metadata.annotations["…/actions.web"]: there is no Service "gone" in the namespace "shop" | absent: Service shop/gone',
      ],
    ],
    [
      'a Service that is missing among two',
      [withAction(targets(to('gone', 1), to('web', 1)))],
      [
        'alb-service-missing at i metadata.annotations["…/actions.web"]: there is no Service "gone" in the namespace "shop" | because: one missing Service among several fails the whole group: the load balancer keeps its previous rules | absent: Service shop/gone',
      ],
    ],
    ['a Service of a namespace without Services', [ingress('i', { namespace: 'team' })], []],
    [
      'a port that is missing',
      [ingress('i', { paths: [{ port: 81 }] })],
      ['alb-service-port at i spec.rules[0].http.paths[0].backend: unable to find port 81 on service shop/web'],
    ],
    [
      'a port that is missing in an action',
      [withAction(targets({ ...to('web'), servicePort: 'grpc' }))],
      ['alb-service-port at i metadata.annotations["…/actions.web"]: unable to find port grpc on service shop/web'],
    ],
    [
      'instances without a node port',
      [ingress('i', { annotations: { 'target-type': 'instance' } })],
      [
        'alb-instance-service at i spec.rules[0].http.paths[0].backend: the Service "web" has no node port, which the target type needs',
      ],
    ],
    [
      'a setting of the Ingress',
      [ingress('i', { annotations: { 'healthcheck-interval-seconds': 'x' } })],
      [
        'alb-target-group-setting at i spec.rules[0].http.paths[0].backend: failed to parse int32 annotation, …/healthcheck-interval-seconds: "x" (Service "web")',
      ],
    ],
    [
      'a setting of the Service',
      [
        ingress('i', { paths: [{ service: 's' }] }),
        service('s', { annotations: { [`${PREFIX}/backend-protocol`]: 'x' } }),
      ],
      [
        'alb-target-group-setting at i spec.rules[0].http.paths[0].backend: backend-protocol must be within [HTTP, HTTPS]: x (Service "s")',
      ],
    ],
    [
      'IPv6 in a group that disagrees',
      [
        ingress('a', { annotations: { 'group.name': 'g', 'ip-address-type': 'dualstack' }, paths: [{ service: 's' }] }),
        ingress('b', { annotations: { 'group.name': 'g', 'ip-address-type': 'ipv4' } }),
        service('s', { spec: { ipFamilies: ['IPv6'] } }),
      ],
      [
        'alb-target-group-setting at a spec.rules[0].http.paths[0].backend: unsupported IPv6 configuration, lb not dual-stack (Service "s")',
        'alb-group-conflict at b metadata.annotations["…/ip-address-type"]: conflicting IPAddressType: map[dualstack:{} ipv4:{}]',
      ],
    ],
    [
      'a default backend',
      [ingress('i', { spec: { defaultBackend: { service: { name: 'web', port: { number: 81 } } } } })],
      ['alb-service-port at i spec.defaultBackend: unable to find port 81 on service shop/web'],
    ],
  ])('%s', (_, objects, expected) => expect(findingsIn(objects)).toEqual(expected));

  it('are none for a Service that is external', () => {
    const external = { external: [{ apiVersion: 'v1', kind: 'Service', namespace: 'shop', name: 'gone' }] };
    expect(findingsIn([ingress('i', { paths: [{ service: 'gone' }] })], external)).toEqual([]);
  });
});
