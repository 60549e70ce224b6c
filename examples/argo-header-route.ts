/**
 * A canary of Argo Rollouts on an AWS load balancer, first for requests with a header and then for a growing share.
 * docs/argo-alb.md says why the pods come before the route, and why the paths are ImplementationSpecific. Prints the
 * manifests:
 *
 *     npx tsx examples/argo-header-route.ts | kubectl apply -f -
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
      // Without canary pods Argo removes header routes, and does not add them again.
      ArgoStep.setCanaryScale({ replicas: 2 }),
      // x-beta is 1, and x-region is eu or us.
      ArgoStep.setHeaderRoute('web-beta', { 'x-beta': '1', 'x-region': ['eu', 'us'] }),
      ArgoStep.pause(),
      ArgoStep.setWeight(25),
      // The route follows the weight: without canary pods Argo would remove it.
      ArgoStep.setCanaryScale({ matchTrafficWeight: true }),
      ArgoStep.pause(Duration.minutes(10)),
      ArgoStep.setWeight(50),
      ArgoStep.pause(Duration.minutes(10)),
    ],
  }),
  // This Ingress has no path of another Service, because the header route would take its requests too.
  ingress: { rules: [{ host: 'shop.example.com' }], scheme: 'internet-facing' },
});

console.log(app.synthYaml());
