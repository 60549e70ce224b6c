import type { Finding } from '../../core/finding';
import { asObject, isSet, type JsonObject } from '../../core/json';
import { defineRules } from '../../core/rule';
import { ARGO_ROLLOUT } from '../admission/findings';
import { canary, service, virtualService } from '../admission/rules/examples';
import { backgroundStart, stepsOf } from '../controller';
import { waitsForPods } from '../controller/istio-waits';
import { httpOf, readIstioRollout, weighedRoutes } from '../istio-rollout';
import { ArgoRolloutsVersion } from '../version';
import type { ArgoAlbChecker } from './context';
import { deployment } from './install';

const ISTIO = ['spec', 'strategy', 'canary', 'trafficRouting', 'istio'];
const SUBSETS = `${service('shop')}${virtualService('{destination: {host: shop, subset: stable}}, {destination: {host: shop, subset: canary}}')}---
apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: shop}
spec: {host: shop, subsets: [{name: stable, labels: {app: shop}}, {name: canary, labels: {app: shop}}]}
`;
const WEIGHED = '{destination: {host: shop-stable}, weight: 100}, {destination: {host: shop-canary}, weight: 0}';
const THROUGH_GATEWAY = virtualService(WEIGHED).replace('hosts:', 'gateways: [shop], hosts:');
const HOSTS = `${service('shop-stable')}${service('shop-canary')}${THROUGH_GATEWAY}`;
const BEFORE_1_8_3 = deployment('').replace('v1.9.1', 'v1.8.2');

const bySubsets = (services: string) =>
  canary({
    services,
    routing:
      'istio: {virtualService: {name: shop}, destinationRule: {name: shop, stableSubsetName: stable, canarySubsetName: canary}}',
    spec: 'progressDeadlineAbort: true',
    objects: services === '' ? SUBSETS : `${SUBSETS}${service('shop-stable')}${service('shop-canary')}`,
  });
const named = (routes: string) =>
  canary({ routing: `istio: {virtualService: {name: shop${routes}}}`, objects: `${HOSTS}${BEFORE_1_8_3}` });

/** Rules for Rollouts that route through Istio. */
export const argoIstioRules = defineRules({
  'argo-istio-route-unweighed': {
    severity: 'error',
    title: 'no route of a VirtualService gets weights',
    because:
      'without virtualService.routes, the controller changes the first route that has no name. From release 1.8.3 on, it also changes a route ' +
      'with a name if that is the only one. A header route or a mirror route of a step is a second one. The controller reports nothing, and the ' +
      'new version gets no traffic before its last step',
    fix: 'name the route in virtualService.routes',
    basis: 'run',
    rehearsedAs: ['rehearsal-canary-gets-nothing'],
    sources: ['https://github.com/argoproj/argo-rollouts/blob/v1.8.2/rollout/trafficrouting/istio/istio.go'],
    failing: named(''),
    corrected: named(', routes: [primary]'),
  },
  'argo-istio-waits-for-pods': {
    severity: 'warning',
    title: 'nothing aborts a release through Istio while its pods are not ready',
    because:
      'without canaryService and stableService, the controller waits for the pods of both versions before anything else. Until then it reads ' +
      'neither progressDeadlineAbort nor an analysis. Before 1.10 it also aborts a corrected version at once if the deadline has passed. ' +
      'Releases 1.8.0 to 1.8.2 do not even read an abort, and release no other version. Releases 1.8.3 to 1.8.5 do not wait',
    fix: 'name canaryService and stableService, also beside a destinationRule',
    basis: 'run',
    sources: ['https://github.com/argoproj/argo-rollouts/blob/v1.9.1/rollout/trafficrouting/istio/istio.go'],
    failing: bySubsets(''),
    corrected: bySubsets('canaryService: shop-canary, stableService: shop-stable'),
  },
});

/** Checks that VirtualServices get weights, and that a release can be aborted. */
export const checkIstioRouting: ArgoAlbChecker = ({ world, options: { version = ArgoRolloutsVersion.LATEST } }) =>
  world.list(ARGO_ROLLOUT).flatMap((manifest): Finding[] => {
    const { object, name } = manifest;
    const istio = readIstioRollout(object, world.namespaceOf(manifest), version);
    if (istio === undefined) return [];
    const unweighed = istio.virtualServices.flatMap(({ name: own, namespace, routes }) => {
      const found = world.find('VirtualService.networking.istio.io', own, namespace);
      const http = found === undefined ? [] : httpOf(found.object);
      // A step adds its header route or mirror route, which has a name.
      const all = http.length > 0 && setsRoutes(object) ? [...http, { name: 'managed' }] : http;
      if (http.length === 0 || weighedRoutes(all, routes, istio).size > 0) return [];
      return [
        manifest.finding(argoIstioRules['argo-istio-route-unweighed'], {
          path: ISTIO,
          message: `Rollout "${name}" gives no route of VirtualService "${own}" weights, because each has a name, in Argo Rollouts ${version}`,
        }),
      ];
    });
    const unread = unreadOf(object, waitsForPods(object, version));
    if (unread === undefined) return unweighed;
    return [
      ...unweighed,
      manifest.finding(argoIstioRules['argo-istio-waits-for-pods'], {
        path: ISTIO,
        message: `while a pod of Rollout "${name}" is not ready, Argo Rollouts ${version} does not read ${unread}`,
      }),
    ];
  });

function setsRoutes(rollout: JsonObject): boolean {
  return stepsOf(rollout).some(({ setHeaderRoute, setMirrorRoute }) => isSet(setHeaderRoute) || isSet(setMirrorRoute));
}

/** What the controller does not read while it waits for pods. */
function unreadOf(rollout: JsonObject, waits: ReturnType<typeof waitsForPods>): string | undefined {
  if (waits === 'always') return 'an abort';
  if (waits === 'no') return undefined;
  const { progressDeadlineAbort } = asObject(rollout.spec);
  if (progressDeadlineAbort === true) return 'progressDeadlineAbort';
  return backgroundStart(rollout) !== undefined ? 'its analysis in the background' : undefined;
}
