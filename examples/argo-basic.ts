/**
 * A canary of Argo Rollouts on an AWS load balancer: the Rollout, its Services and the Ingress from one set of props. Prints
 * the manifests:
 *
 *     npx tsx examples/argo-basic.ts | kubectl apply -f -
 */
import { App, Chart, Duration } from 'cdk8s';
import { ArgoAlbRollout, ArgoAlbStrategy, ArgoStep } from '../src/constructs';

const app = new App();
const chart = new Chart(app, 'shop', { namespace: 'shop', disableResourceNameHashes: true });

new ArgoAlbRollout(chart, 'web', {
  metadata: { name: 'web' },
  replicas: 10,
  template: {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image: 'example.com/web:1.0.0', ports: [{ containerPort: 8080 }] }] },
  },
  strategy: ArgoAlbStrategy.canary({
    steps: [
      ArgoStep.setWeight(10),
      ArgoStep.pause(Duration.minutes(10)),
      ArgoStep.setWeight(50),
      // Waits for approval.
      ArgoStep.pause(),
    ],
    // A user stays on one version for this time.
    stickiness: Duration.minutes(10),
  }),
  ingress: {
    rules: [{ host: 'shop.example.com' }],
    scheme: 'internet-facing',
    sslRedirect: true,
    healthCheck: { path: '/healthz', interval: Duration.seconds(10) },
  },
});

console.log(app.synthYaml());
