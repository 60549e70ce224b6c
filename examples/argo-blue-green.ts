/**
 * Blue-green with Argo Rollouts behind an AWS load balancer: all traffic switches to the new version in one step. A preview
 * host serves the new version before. docs/argo-alb.md explains what is special about an ALB. Prints the manifests:
 *
 *     npx tsx examples/argo-blue-green.ts | kubectl apply -f -
 */
import { App, Chart, Duration } from 'cdk8s';
import { ArgoAlbRollout, ArgoAlbStrategy } from '../src/constructs';

const app = new App();
const chart = new Chart(app, 'shop', { namespace: 'shop', disableResourceNameHashes: true });

// Both Ingresses on one load balancer.
const group = { name: 'shop' };

new ArgoAlbRollout(chart, 'web', {
  metadata: { name: 'web' },
  replicas: 4,
  template: {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image: 'example.com/web:1.0.0', ports: [{ containerPort: 8080 }] }] },
  },
  strategy: ArgoAlbStrategy.blueGreen({
    autoPromotion: false,
    previewReplicaCount: 1,
    previewIngress: { rules: [{ host: 'preview.shop.example.com' }], group },
    // Longer than the load balancer needs to register the new pods.
    scaleDownDelay: Duration.minutes(2),
  }),
  ingress: { rules: [{ host: 'shop.example.com' }], group },
});

console.log(app.synthYaml());
