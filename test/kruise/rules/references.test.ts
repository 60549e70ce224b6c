import { describe, expect, it } from 'vitest';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { configMap, deployment, findings, found, httpRoute, ingress, object, rollout, rules, service } from './stack';

describe('references', () => {
  it('a Rollout without other objects gets one note on what was not checked', () => {
    expect(findings([rollout()])).toMatchObject([
      {
        rule: 'kruise-reference-missing',
        severity: 'note',
        message:
          'Deployment "web", Service "web" and Ingress "web" are not among the manifests, so they were not checked',
      },
    ]);
  });

  it('a missing object is an error if there are others of its kind, with the similar name', () => {
    const objects = [rollout(), deployment(), ingress(), service({}, { name: 'wbe' })];
    expect(found(objects)).toEqual([
      'error kruise-reference-missing spec.strategy.canary.trafficRoutings[0].service: there is no Service "web" in the namespace "shop"',
    ]);
    expect(findings(objects)[0]?.fix).toMatch(/^did you mean "wbe"\?/);
  });

  it('it is a warning if the World has no other of its kind', () => {
    expect(found([rollout(), deployment(), ingress()])).toEqual([
      'warning kruise-reference-missing spec.strategy.canary.trafficRoutings[0].service: there is no Service "web" in the namespace "shop"',
    ]);
  });

  it('it is an error if the object is in another namespace, and the finding names it', () => {
    const elsewhere = service({}, { namespace: 'default' });
    const [finding] = findings([rollout(), deployment(), ingress(), elsewhere]);
    expect(finding).toMatchObject({
      severity: 'error',
      rule: 'kruise-reference-missing',
      related: { message: 'the Service "web" is in the namespace "default"' },
    });
  });

  it('external objects are not reported as missing', () => {
    const objects = [rollout(), deployment(), ingress()];
    expect(findings(objects, { external: [{ kind: 'Service', name: 'web' }] })).toEqual([]);
    expect(findings(objects, { external: [{ kind: 'Service', name: 'web', namespace: 'shop' }] })).toEqual([]);
    expect(rules(objects, { external: [{ kind: 'Service', name: 'web', namespace: 'other' }] })).toEqual([
      'kruise-reference-missing',
    ]);
  });

  it('follows workloads, HTTPRoutes, custom objects and TrafficRoutings', () => {
    const route = {
      service: 'web',
      gateway: { httpRouteName: 'web' },
      customNetworkRefs: [{ apiVersion: 'networking.istio.io/v1', kind: 'VirtualService', name: 'web' }],
    };
    const annotations = { 'rollouts.kruise.io/trafficrouting': 'front' };
    const lines = found([rollout({ route, annotations }), service()]);
    expect(lines.map((line) => line.replace(/:.*/, ''))).toEqual([
      'warning kruise-reference-missing metadata.annotations["rollouts.kruise.io/trafficrouting"]',
      'warning kruise-reference-missing spec.strategy.canary.trafficRoutings[0].customNetworkRefs[0].name',
      'warning kruise-reference-missing spec.strategy.canary.trafficRoutings[0].gateway.httpRouteName',
      'warning kruise-reference-missing spec.workloadRef.name',
    ]);
  });

  it('the API version of a custom object does not matter', () => {
    const ref = { apiVersion: 'networking.istio.io/v1beta1', kind: 'VirtualService', name: 'web' };
    const virtualService = object('networking.istio.io/v1', 'VirtualService', { hosts: ['a'] });
    const route = { service: 'web', customNetworkRefs: [ref] };
    expect(found([rollout({ route }), deployment(), service(), virtualService])).toEqual([]);
  });
});

describe('scripts', () => {
  const stack = [deployment(), service(), ingress('web', { ingressClassName: 'other' })];
  const byClass = (classType: string) => rollout({ route: { service: 'web', ingress: { name: 'web', classType } } });

  it('a class type without script is an error if the ConfigMap is known, otherwise a warning', () => {
    expect(found([byClass('aws-alb'), ...stack], { external: [] }).map((line) => line.split(' ')[0])).toEqual([
      'warning',
      'warning',
    ]);
    expect(found([byClass('my-class'), ...stack])).toEqual([
      'warning kruise-script-missing spec.strategy.canary.trafficRoutings[0].ingress.classType: there is no script for the class type "my-class", unless a ConfigMap that is not among the manifests has it',
    ]);
    expect(found([byClass('my-class'), ...stack, configMap({})])).toEqual([
      'error kruise-script-missing spec.strategy.canary.trafficRoutings[0].ingress.classType: there is no script for the class type "my-class"',
    ]);
  });

  it('reports nothing if the ConfigMap is external', () => {
    const external = [{ kind: 'ConfigMap', name: 'kruise-rollout-configuration', namespace: 'kruise-rollout' }];
    expect(rules([byClass('my-class'), ...stack], { external })).toEqual([]);
  });

  it('searches the namespace of the controller', () => {
    const config = configMap({ 'lua.traffic.routing.ingress.my-class': 'return obj.annotations' });
    expect(rules([byClass('my-class'), ...stack, config])).toEqual([]);
    expect(rules([byClass('my-class'), ...stack, config], { controllerNamespace: 'rollouts' })).toEqual([
      'kruise-script-missing',
    ]);
  });

  it.each([
    ['ngnix', 'did you mean "nginx"?'],
    ['istio', 'route through customNetworkRefs instead of ingress: apiVersion networking.istio.io/v1'],
    ['kong', 'add the script as "lua.traffic.routing.ingress.kong" to the ConfigMap'],
  ])('suggests an alternative to %s', (classType, fix) => {
    expect(findings([byClass(classType), ...stack])[0]?.fix).toContain(fix);
  });

  it('a custom kind without script, or with an empty one', () => {
    const ref = { apiVersion: 'projectcontour.io/v1', kind: 'HTTPProxy', name: 'web' };
    const proxy = object('projectcontour.io/v1', 'HTTPProxy', { routes: ['x'] });
    const objects = [rollout({ route: { service: 'web', customNetworkRefs: [ref] } }), deployment(), service(), proxy];
    const key = 'lua.traffic.routing.HTTPProxy.projectcontour.io';
    expect(found([...objects, configMap({})])).toEqual([
      'error kruise-script-missing spec.strategy.canary.trafficRoutings[0].customNetworkRefs[0]: there is no script for the kind HTTPProxy of projectcontour.io/v1',
    ]);
    expect(found([...objects, configMap({ [key]: ' \n' })])).toEqual([
      `error kruise-script-missing spec.strategy.canary.trafficRoutings[0].customNetworkRefs[0]: the script for the kind HTTPProxy of projectcontour.io/v1 is empty: the entry "${key}" of the ConfigMap`,
    ]);
    expect(found([...objects, configMap({ [key]: 'return obj.data' })])).toEqual([]);
  });

  it('a class type that differs from the Ingress class', () => {
    const alb = ingress('web', { ingressClassName: 'alb' });
    const route = { service: 'web', ingress: { name: 'web' }, gracePeriodSeconds: 30 };
    expect(found([rollout({ route }), deployment(), service(), alb])).toEqual([
      'warning kruise-class-type-mismatch spec.strategy.canary.trafficRoutings[0].ingress: the Ingress "web" has the class "alb", but its script is for "nginx", because classType is not set',
    ]);
  });
});

describe('HTTPRoutes', () => {
  const byGateway = rollout({ route: { service: 'web', gateway: { httpRouteName: 'web' } } });
  const stack = [byGateway, deployment(), service()];

  it.each([
    [{ name: 'web', port: 80 }, []],
    [{ kind: 'Service', group: '', name: 'web' }, []],
    [{ kind: 'ServiceImport', group: 'multicluster.x-k8s.io', name: 'web' }, ['kruise-http-route-without-backend']],
    [{ name: 'web', namespace: 'shop' }, ['kruise-http-route-without-backend']],
    [{ name: 'api' }, ['kruise-http-route-without-backend']],
  ])('the backendRef %j', (backendRef, expected) => {
    expect(rules([...stack, httpRoute(backendRef)])).toEqual(expected);
  });

  it('names each field that is lost', () => {
    const lines = found([...stack, httpRoute({ name: 'web' }, { name: 'main', retry: { attempts: 2 } })]);
    expect(lines.map((line) => line.split(' ')[2])).toEqual(['spec.rules[0].name:', 'spec.rules[0].retry:']);
  });

  const filtered = (...filters: readonly object[]) => [...stack, httpRoute({ name: 'web' }, { filters })];
  const CORS = { type: 'CORS', cors: { allowOrigins: ['https://example.com'] } };
  const HEADERS = { type: 'ResponseHeaderModifier', responseHeaderModifier: { set: [{ name: 'a', value: 'b' }] } };

  it('finds lost fields in filters, also in those of a backend', () => {
    const mirror = { type: 'RequestMirror', requestMirror: { percent: 10, backendRef: { name: 'web', port: 80 } } };
    const at = 'filters[0].requestMirror.percent';
    const cause = 'Kruise Rollouts v0.6.2 does not know the field "percent" of an HTTPRoute';
    expect(found(filtered(mirror))).toEqual([
      `warning kruise-http-route-fields-dropped spec.rules[0].${at}: ${cause}, and removes it in the first step of "web"`,
    ]);
    expect(found([...stack, httpRoute({ name: 'web', filters: [mirror] })])[0]).toContain(
      ` spec.rules[0].backendRefs[0].${at}: `,
    );
  });

  it('finds a filter that the API server refuses without its lost configuration', () => {
    expect(found(filtered(CORS))).toEqual([
      'error kruise-http-route-refused spec.rules[0].filters[0].cors: Kruise Rollouts v0.6.2 does not know the field "cors" of an HTTPRoute, ' +
        'and writes the CORS filter without it, which the API server refuses: "web" hangs in its first step',
    ]);
    expect(rules(filtered({ type: 'ExternalAuth', externalAuth: { protocol: 'HTTP' } }))).toEqual([
      'kruise-http-route-refused',
    ]);
  });

  it('knows which filters each release knows', () => {
    expect(rules(filtered(HEADERS))).toEqual([]);
    expect(rules(filtered(HEADERS), { version: KruiseRolloutVersion.V0_5_5 })).toEqual(['kruise-http-route-refused']);
    const rewrite = { type: 'URLRewrite', urlRewrite: { path: { type: 'ReplaceFullPath', replaceFullPath: '/' } } };
    expect(rules(filtered(rewrite), { version: KruiseRolloutVersion.V0_5_5 })).toEqual([]);
  });

  it('keeps every field of matches, backends and parents', () => {
    const headers = [{ type: 'Exact', name: 'a', value: 'b' }];
    const match = { path: { type: 'Exact', value: '/' }, headers, queryParams: headers, method: 'GET' };
    const parentRefs = [{ group: 'g', kind: 'Gateway', namespace: 'n', name: 'edge', sectionName: 'http', port: 80 }];
    const route = httpRoute({ kind: 'Service', group: '', name: 'web', port: 80, weight: 1 }, { matches: [match] });
    expect(found([...stack, { ...route, spec: { ...route.spec, parentRefs, hostnames: ['a.com'] } }])).toEqual([]);
  });

  it('another HTTPRoute to the Service bypasses the release', () => {
    const other = httpRoute({ name: 'web' }, {}, { name: 'internal' });
    expect(rules([...stack, httpRoute({ name: 'web' }), other])).toEqual(['kruise-route-unreferenced']);
    expect(
      rules([...stack, httpRoute({ name: 'web' }), other], { external: [{ kind: 'HTTPRoute', name: 'internal' }] }),
    ).toEqual([]);
  });
});
