/**
 * A service in an Istio mesh. The controller's built-in script rewrites its VirtualService step by step. The requests of one
 * tenant on one path go first. Prints the manifests:
 *
 *     npx tsx examples/kruise-rollout-istio.ts | kubectl apply -f -
 */
import { ApiObject, App, Chart, Duration } from 'cdk8s';
import {
  HeaderMatch,
  KruiseRollout,
  KruiseRolloutStep,
  KruiseRolloutStrategy,
  PathMatch,
  RouteMatch,
} from '../src/constructs';

const app = new App();
const chart = new Chart(app, 'orders', { namespace: 'orders', disableResourceNameHashes: true });

const service = new ApiObject(chart, 'service', {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'orders' },
  spec: { selector: { app: 'orders' }, ports: [{ name: 'http', port: 80 }] },
});

const virtualService = new ApiObject(chart, 'virtual-service', {
  apiVersion: 'networking.istio.io/v1',
  kind: 'VirtualService',
  metadata: { name: 'orders' },
  spec: {
    hosts: [service.name],
    http: [{ route: [{ destination: { host: service.name } }] }],
  },
});

new KruiseRollout(chart, 'rollout', {
  // The Deployment comes from a Helm chart, so nothing in this app makes it.
  workload: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'orders' },
  external: [{ kind: 'Deployment', name: 'orders' }],
  trafficRouting: { service, customNetworkRefs: [virtualService] },
  strategy: KruiseRolloutStrategy.canary({
    steps: [
      // Istio compares a prefix letter by letter: "/v2/orders" would also match "/v2/orders-archive".
      KruiseRolloutStep.matches(
        [RouteMatch.allOf(HeaderMatch.exact('x-tenant', 'acme'), PathMatch.exact('/v2/orders'))],
        { replicas: 1 },
      ),
      KruiseRolloutStep.traffic('25%', { pause: Duration.minutes(30) }),
      KruiseRolloutStep.traffic('100%'),
    ],
  }),
});

process.stdout.write(app.synthYaml());
