/**
 * A web shop behind ingress-nginx that is released as a canary: first to people with a cookie, then to a growing share.
 * Prints the manifests:
 *
 *     npx tsx examples/kruise-rollout.ts | kubectl apply -f -
 */
import { ApiObject, App, Chart, Duration } from 'cdk8s';
import { HeaderMatch, KruiseRollout, KruiseRolloutStep, KruiseRolloutStrategy } from '../src/constructs';

const app = new App();
const chart = new Chart(app, 'shop', { namespace: 'shop', disableResourceNameHashes: true });

const labels = { app: 'web' };

const deployment = new ApiObject(chart, 'web', {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  spec: {
    replicas: 10,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: { containers: [{ name: 'web', image: 'example.com/web:1.0.0', ports: [{ containerPort: 8080 }] }] },
    },
  },
});

const service = new ApiObject(chart, 'service', {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web' },
  spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] },
});

const ingress = new ApiObject(chart, 'ingress', {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name: 'web' },
  spec: {
    ingressClassName: 'nginx',
    rules: [
      {
        host: 'shop.example.com',
        http: {
          paths: [
            { path: '/', pathType: 'Prefix', backend: { service: { name: service.name, port: { number: 80 } } } },
          ],
        },
      },
    ],
  },
});

new KruiseRollout(chart, 'rollout', {
  workload: deployment,
  trafficRouting: { service, ingress, classType: 'nginx' },
  strategy: KruiseRolloutStrategy.canary({
    steps: [
      // `canary-by-cookie` makes the script for nginx decide by a cookie of this name.
      KruiseRolloutStep.matches([HeaderMatch.exact('canary-by-cookie', 'beta')], { replicas: 1 }),
      KruiseRolloutStep.traffic('10%', { pause: Duration.minutes(15) }),
      KruiseRolloutStep.traffic('50%'),
      KruiseRolloutStep.traffic('100%'),
    ],
  }),
});

process.stdout.write(app.synthYaml());
