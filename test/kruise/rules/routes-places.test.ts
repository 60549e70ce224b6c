/** What is said of the Ingresses and HTTPRoutes of a release, in full, and the near misses. */
import { describe, expect, it } from 'vitest';
import { KruiseRolloutVersion as V } from '../../../src/kruise/version';
import { full } from './full';
import { configMap, deployment, httpRoute, ingress, object, rollout, service } from './stack';

type Row = readonly [what: string, args: Parameters<typeof full>, findings: readonly string[]];

const STACK = [deployment(), service(), ingress()];
const B = (name: string) => ({ path: '/', backend: { service: { name, port: { number: 80 } } } });
const REF = (kind: string, apiVersion: string, name = 'web') => ({ apiVersion, kind, name });
const BYROUTE = rollout({ route: { service: 'web', gateway: { httpRouteName: 'web' } } });

describe('the Ingress of a release', () => {
  it.each<Row>([
    [
      'an Ingress that leads elsewhere',
      [[rollout(), deployment(), service(), ingress('api')]],
      [
        'error kruise-ingress-without-path spec.strategy.canary.trafficRoutings[0].ingress.name: the Ingress "web" has no path to the Service "web"; its paths lead to "api" | the Ingress "web" is declared here (Ingress web)',
      ],
    ],
    [
      'an Ingress that leads elsewhere several times',
      [[rollout(), deployment(), service(), ingress('x', { rules: [{ http: { paths: [B('b'), B('a'), B('b')] } }] })]],
      [
        'error kruise-ingress-without-path spec.strategy.canary.trafficRoutings[0].ingress.name: the Ingress "web" has no path to the Service "web"; its paths lead to "a", "b" | the Ingress "web" is declared here (Ingress web)',
      ],
    ],
    [
      'an Ingress with a default backend alone',
      [
        [
          rollout(),
          deployment(),
          service(),
          ingress('web', { rules: [], defaultBackend: { service: { name: 'web' } } }),
        ],
      ],
      [
        'error kruise-ingress-without-path spec.strategy.canary.trafficRoutings[0].ingress.name: the Ingress "web" has no path to the Service "web"; it has only a default backend | the Ingress "web" is declared here (Ingress web)',
      ],
    ],
    [
      'an Ingress with a default backend and another path',
      [[rollout(), deployment(), service(), ingress('api', { defaultBackend: { service: { name: 'web' } } })]],
      [
        'error kruise-ingress-without-path spec.strategy.canary.trafficRoutings[0].ingress.name: the Ingress "web" has no path to the Service "web"; its paths lead to "api" | the Ingress "web" is declared here (Ingress web)',
      ],
    ],
    [
      'an Ingress without rules',
      [[rollout(), deployment(), service(), ingress('web', { rules: undefined })]],
      [
        'error kruise-ingress-without-path spec.strategy.canary.trafficRoutings[0].ingress.name: the Ingress "web" has no path to the Service "web"; it has no path | the Ingress "web" is declared here (Ingress web)',
      ],
    ],
    [
      'an Ingress that leads elsewhere, where the Service has another name',
      [[rollout(), deployment(), service({}, { name: 'api' }), ingress('api')]],
      [
        'error kruise-reference-missing spec.strategy.canary.trafficRoutings[0].service: there is no Service "web" in the namespace "shop" | absent Service web',
      ],
    ],
    [
      'an Ingress that leads elsewhere, where no Service is known',
      [[rollout(), deployment(), ingress('api')]],
      [
        'error kruise-ingress-without-path spec.strategy.canary.trafficRoutings[0].ingress.name: the Ingress "web" has no path to the Service "web"; its paths lead to "api" | the Ingress "web" is declared here (Ingress web)',
        'warning kruise-reference-missing spec.strategy.canary.trafficRoutings[0].service: there is no Service "web" in the namespace "shop" | absent Service web',
      ],
    ],
    [
      'an Ingress that leads elsewhere, where the Service is external',
      [
        [rollout(), deployment(), service({}, { name: 'api' }), ingress('api')],
        { external: [{ kind: 'Service', name: 'web' }] },
      ],
      [
        'error kruise-ingress-without-path spec.strategy.canary.trafficRoutings[0].ingress.name: the Ingress "web" has no path to the Service "web"; its paths lead to "api" | the Ingress "web" is declared here (Ingress web)',
      ],
    ],
    [
      'an Ingress that leads elsewhere, of a route without a Service',
      [[rollout({ route: { service: '', ingress: { name: 'web' } } }), deployment(), service(), ingress('api')]],
      [],
    ],
    [
      'a rule without http',
      [
        [
          rollout(),
          deployment(),
          service(),
          ingress('web', { rules: [{ host: 'a.example.com' }, { http: { paths: [B('web')] } }] }),
        ],
      ],
      [
        'error kruise-ingress-panics spec.rules[0]: rule 1 (host "a.example.com") has no http, and the Rollout "web" clones this Ingress',
      ],
    ],
    [
      'a rule without http and without a host',
      [[rollout(), deployment(), service(), ingress('web', { rules: [{ http: { paths: [B('web')] } }, {}] })]],
      [
        'error kruise-ingress-panics spec.rules[1]: rule 2 (host "*") has no http, and the Rollout "web" clones this Ingress',
      ],
    ],
    [
      'a rule whose http is a list',
      [[rollout(), deployment(), service(), ingress('web', { rules: [{ http: [] }] })]],
      [
        'error kruise-ingress-panics spec.rules[0]: rule 1 (host "*") has no http, and the Rollout "web" clones this Ingress',
      ],
    ],
    [
      'a path without a backend',
      [
        [
          rollout(),
          deployment(),
          service(),
          ingress('web', { rules: [{ http: { paths: [B('web'), { path: '/a' }] } }] }),
        ],
      ],
      [
        'error kruise-ingress-panics spec.rules[0].http.paths[1].backend: the backend of a path is not a Service, and the Rollout "web" clones this Ingress',
      ],
    ],
    [
      'two places that crash',
      [
        [
          rollout(),
          deployment(),
          service(),
          ingress('web', { rules: [{}, { http: { paths: [{ backend: { resource: {} } }] } }] }),
        ],
      ],
      [
        'error kruise-ingress-panics spec.rules[0]: rule 1 (host "*") has no http, and the Rollout "web" clones this Ingress',
        'error kruise-ingress-panics spec.rules[1].http.paths[0].backend: the backend of a path is not a Service, and the Rollout "web" clones this Ingress',
      ],
    ],
    [
      'a rule without http, of an Ingress that is edited in place',
      [
        [
          rollout({ route: { service: 'web', customNetworkRefs: [REF('Ingress', 'networking.k8s.io/v1')] } }),
          deployment(),
          service(),
          ingress('web', { rules: [{ http: { paths: [B('web')] } }, {}] }),
          configMap({ 'lua.traffic.routing.Ingress.networking.k8s.io': 'return obj.data' }),
        ],
      ],
      [
        'warning kruise-custom-spec-empty-value spec.rules[1]: spec.rules[1] is {}, which a script cannot return unchanged',
      ],
    ],
  ])('%s', (_, args, expected) => {
    expect(full(...args)).toEqual(expected);
  });
});

describe('another route to the Service', () => {
  it.each<Row>([
    [
      'another Ingress',
      [[rollout(), ...STACK, ingress('web', {}, { name: 'b' })]],
      [
        'warning kruise-route-unreferenced spec.strategy.canary.trafficRoutings[0]: the Ingress "b" also routes to the Service "web", but "web" does not name it | the Ingress "b" is declared here (Ingress b)',
      ],
    ],
    ['another Ingress to another Service', [[rollout(), ...STACK, ingress('api', {}, { name: 'b' })]], []],
    [
      'another Ingress in another namespace',
      [[rollout(), ...STACK, ingress('web', {}, { name: 'b', namespace: 'other' })]],
      [],
    ],
    [
      'another Ingress that is external',
      [[rollout(), ...STACK, ingress('web', {}, { name: 'b' })], { external: [{ kind: 'Ingress', name: 'b' }] }],
      [],
    ],
    [
      'an HTTPRoute beside the Ingress',
      [[rollout(), ...STACK, httpRoute({ name: 'web' })]],
      [
        'warning kruise-route-unreferenced spec.strategy.canary.trafficRoutings[0]: the HTTPRoute "web" also routes to the Service "web", but "web" does not name it | the HTTPRoute "web" is declared here (HTTPRoute web)',
      ],
    ],
    [
      'an HTTPRoute to the Service of another namespace',
      [[rollout(), ...STACK, httpRoute({ name: 'web', namespace: 'shop' })]],
      [],
    ],
    ['an HTTPRoute to another kind', [[rollout(), ...STACK, httpRoute({ name: 'web', kind: 'Other' })]], []],
    ['an HTTPRoute to another group', [[rollout(), ...STACK, httpRoute({ name: 'web', group: 'a.b' })]], []],
    [
      'an Ingress beside the HTTPRoute',
      [
        [
          rollout({ route: { service: 'web', gateway: { httpRouteName: 'web' } } }),
          ...STACK,
          httpRoute({ name: 'web' }),
        ],
      ],
      [
        'warning kruise-route-unreferenced spec.strategy.canary.trafficRoutings[0]: the Ingress "web" also routes to the Service "web", but "web" does not name it | the Ingress "web" is declared here (Ingress web)',
      ],
    ],
    [
      'an Ingress beside a mesh',
      [
        [
          rollout({ route: { service: 'web', customNetworkRefs: [REF('VirtualService', 'networking.istio.io/v1')] } }),
          ...STACK,
          object('networking.istio.io/v1', 'VirtualService', { hosts: ['a'] }),
        ],
      ],
      [],
    ],
    [
      'an Ingress beside one that is not there',
      [[rollout({ route: { service: 'web', ingress: { name: 'nobody' } } }), ...STACK]],
      [
        'error kruise-reference-missing spec.strategy.canary.trafficRoutings[0].ingress.name: there is no Ingress "nobody" in the namespace "shop" | absent Ingress nobody',
      ],
    ],
  ])('%s', (_, args, expected) => {
    expect(full(...args)).toEqual(expected);
  });
});

describe('the HTTPRoute of a release', () => {
  it.each<Row>([
    [
      'an HTTPRoute without the Service',
      [[BYROUTE, deployment(), service(), httpRoute({ name: 'api' })]],
      [
        'error kruise-http-route-without-backend spec.strategy.canary.trafficRoutings[0].gateway.httpRouteName: no rule of the HTTPRoute "web" has a backendRef for the Service "web" that the controller recognises | the HTTPRoute "web" is declared here (HTTPRoute web)',
      ],
    ],
    [
      'an HTTPRoute with the Service in a namespace',
      [[BYROUTE, deployment(), service(), httpRoute({ name: 'web', namespace: 'shop' })]],
      [
        'error kruise-http-route-without-backend spec.strategy.canary.trafficRoutings[0].gateway.httpRouteName: no rule of the HTTPRoute "web" has a backendRef for the Service "web" that the controller recognises: the backendRef with that name has a namespace | the HTTPRoute "web" is declared here (HTTPRoute web)',
      ],
    ],
    [
      'an HTTPRoute with another kind of that name',
      [[BYROUTE, deployment(), service(), httpRoute({ name: 'web', kind: 'Import', group: 'x' })]],
      [
        'error kruise-http-route-without-backend spec.strategy.canary.trafficRoutings[0].gateway.httpRouteName: no rule of the HTTPRoute "web" has a backendRef for the Service "web" that the controller recognises: the backendRef with that name has kind "Import" | the HTTPRoute "web" is declared here (HTTPRoute web)',
      ],
    ],
    [
      'an HTTPRoute with another group of that name',
      [[BYROUTE, deployment(), service(), httpRoute({ name: 'web', group: 'x' })]],
      [
        'error kruise-http-route-without-backend spec.strategy.canary.trafficRoutings[0].gateway.httpRouteName: no rule of the HTTPRoute "web" has a backendRef for the Service "web" that the controller recognises: the backendRef with that name has the group "x" | the HTTPRoute "web" is declared here (HTTPRoute web)',
      ],
    ],
    [
      'an HTTPRoute without rules',
      [[BYROUTE, deployment(), service(), object('gateway.networking.k8s.io/v1', 'HTTPRoute', {})]],
      [
        'error kruise-http-route-without-backend spec.strategy.canary.trafficRoutings[0].gateway.httpRouteName: no rule of the HTTPRoute "web" has a backendRef for the Service "web" that the controller recognises | the HTTPRoute "web" is declared here (HTTPRoute web)',
      ],
    ],
    [
      'an HTTPRoute whose second rule has the Service',
      [
        [
          BYROUTE,
          deployment(),
          service(),
          object('gateway.networking.k8s.io/v1', 'HTTPRoute', {
            rules: [{ backendRefs: [{ name: 'api' }] }, { backendRefs: [{ name: 'api' }, { name: 'web' }] }],
          }),
        ],
      ],
      [],
    ],
    [
      'an HTTPRoute with fields that are lost',
      [
        [
          BYROUTE,
          deployment(),
          service(),
          httpRoute({ name: 'web' }, { name: 'main', filters: [{ type: 'CORS', cors: {} }] }),
        ],
      ],
      [
        'error kruise-http-route-refused spec.rules[0].filters[0].cors: Kruise Rollouts v0.6.2 does not know the field "cors" of an HTTPRoute, and writes the CORS filter without it, which the API server refuses: "web" hangs in its first step',
        'warning kruise-http-route-fields-dropped spec.rules[0].name: Kruise Rollouts v0.6.2 does not know the field "name" of an HTTPRoute, and removes it in the first step of "web"',
      ],
    ],
    [
      'an HTTPRoute with fields that are lost before 0.6',
      [
        [BYROUTE, deployment(), service(), httpRoute({ name: 'web' }, { timeouts: { request: '1s' } })],
        { version: V.V0_5_5 },
      ],
      [
        'warning kruise-http-route-fields-dropped spec.rules[0].timeouts: Kruise Rollouts v0.5.5 does not know the field "timeouts" of an HTTPRoute, and removes it in the first step of "web"',
      ],
    ],
    [
      'an HTTPRoute of a route without a Service',
      [
        [
          rollout({ route: { service: '', gateway: { httpRouteName: 'web' } } }),
          deployment(),
          service(),
          httpRoute({ name: 'api' }),
        ],
      ],
      [],
    ],
  ])('%s', (_, args, expected) => {
    expect(full(...args)).toEqual(expected);
  });
});
