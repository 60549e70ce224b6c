/**
 * Migrates a Deployment behind an AWS load balancer to Argo Rollouts without a 503, in two steps. docs/argo-alb.md has the
 * whole procedure:
 *
 *     npx tsx examples/argo-migration.ts prepare | kubectl apply -f -
 *     kubectl -n shop get ingress web -o yaml | grep actions.web   # until it exists
 *     npx tsx examples/argo-migration.ts | kubectl apply -f -
 *
 * In the first step the Ingress stays as it was, with the port of the Service, and Argo writes the action, which has no
 * effect yet. In the second step the Ingress uses the action.
 */
import { ApiObject, App, Chart, Duration } from 'cdk8s';
import { ArgoAlbRollout, ArgoAlbService, ArgoAlbStrategy, ArgoStep } from '../src/constructs';

const app = new App();
const chart = new Chart(app, 'shop', { namespace: 'shop', disableResourceNameHashes: true });
const labels = { app: 'web' };

const isPreparing = process.argv[2] === 'prepare';

// Unchanged. In the first step it keeps its pods. Argo removes them when the pods of the Rollout are ready.
const deployment = new ApiObject(chart, 'deployment', {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: isPreparing ? 6 : 0,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: { containers: [{ name: 'web', image: 'example.com/web:1.0.0', ports: [{ containerPort: 8080 }] }] },
    },
  },
});

// Unchanged. As the stable Service it keeps its target group, and with it all registered pods.
const service = new ApiObject(chart, 'service', {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web' },
  spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] },
});

new ArgoAlbRollout(chart, 'rollout', {
  metadata: { name: 'web' },
  replicas: 6,
  workloadRef: { name: deployment.name, scaleDown: 'onsuccess' },
  selector: labels,
  targetPort: 8080,
  strategy: ArgoAlbStrategy.canary({
    stableService: ArgoAlbService.existing(service),
    steps: [ArgoStep.setWeight(20), ArgoStep.pause(Duration.minutes(10)), ArgoStep.setWeight(60), ArgoStep.pause()],
  }),
  ...(isPreparing && { migration: 'prepare' as const }),
  ingress: { metadata: { name: 'web' }, rules: [{ host: 'shop.example.com' }] },
});

console.log(app.synthYaml());
