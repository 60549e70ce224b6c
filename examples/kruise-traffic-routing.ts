/**
 * A release of a backend service: while `stock` is releasing, the gateway in front marks the requests of internal users with
 * a header, and changes no route. Prints the manifests:
 *
 *     npx tsx examples/kruise-traffic-routing.ts | kubectl apply -f -
 */
import { ApiObject, App, Chart } from 'cdk8s';
import {
  HeaderMatch,
  KruiseRollout,
  KruiseRolloutStep,
  KruiseRolloutStrategy,
  KruiseTrafficRouting,
} from '../src/constructs';

const app = new App();
const chart = new Chart(app, 'shop', { namespace: 'shop', disableResourceNameHashes: true });

const web = new ApiObject(chart, 'service', {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web' },
  spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
});

const ingress = new ApiObject(chart, 'ingress', {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  // The script for mse fails on an Ingress without any annotation.
  metadata: { name: 'web', annotations: { 'mse.ingress.kubernetes.io/use-regex': 'false' } },
  spec: {
    ingressClassName: 'mse',
    rules: [
      {
        host: 'shop.example.com',
        http: {
          paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: web.name, port: { number: 80 } } } }],
        },
      },
    ],
  },
});

const routing = new KruiseTrafficRouting(chart, 'routing', {
  trafficRouting: { service: web, ingress, classType: 'mse' },
  matches: [HeaderMatch.exact('x-user-group', 'internal')],
  requestHeaderModifier: { set: [{ name: 'x-release', value: 'stock' }] },
});

const stock = new ApiObject(chart, 'stock', {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  spec: {
    replicas: 4,
    selector: { matchLabels: { app: 'stock' } },
    template: {
      metadata: { labels: { app: 'stock' } },
      spec: { containers: [{ name: 'stock', image: 'example.com/stock:1.0.0' }] },
    },
  },
});

new KruiseRollout(chart, 'rollout', {
  workload: stock,
  trafficRoutingRef: routing,
  strategy: KruiseRolloutStrategy.partition({
    steps: [KruiseRolloutStep.replicas(1), KruiseRolloutStep.replicas('50%'), KruiseRolloutStep.replicas('100%')],
  }),
});

process.stdout.write(app.synthYaml());
