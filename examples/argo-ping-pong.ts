/**
 * A canary of Argo Rollouts on an AWS load balancer. Its two Services swap roles with every release, and readiness gates
 * make its pods wait until the load balancer has registered them: no request is lost. Prints the manifests:
 *
 *     npx tsx examples/argo-ping-pong.ts | kubectl apply -f -
 */
import { ApiObject, App, Chart, Duration } from 'cdk8s';
import { ArgoAlbRollout, ArgoAlbStrategy, ArgoStep } from '../src/constructs';

const app = new App();

const cluster = new Chart(app, 'cluster', { disableResourceNameHashes: true });
const namespace = new ApiObject(cluster, 'namespace', {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'shop' },
});
ArgoAlbRollout.injectReadinessGates(namespace);

const chart = new Chart(app, 'shop', { namespace: 'shop', disableResourceNameHashes: true });

new ArgoAlbRollout(chart, 'web', {
  metadata: { name: 'web' },
  replicas: 6,
  template: {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image: 'example.com/web:1.0.0', ports: [{ containerPort: 8080 }] }] },
  },
  // web-ping and web-pong; web-pong is stable until the first release is finished. The name of the action is web-root.
  strategy: ArgoAlbStrategy.pingPong({
    steps: [ArgoStep.setWeight(20), ArgoStep.pause(Duration.minutes(5)), ArgoStep.setWeight(60), ArgoStep.pause()],
  }),
  // Targets of the type ip, which readiness gates need, are the default.
  ingress: { rules: [{ host: 'shop.example.com' }] },
});

console.log(app.synthYaml());
