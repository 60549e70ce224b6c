import { ApiObject, App, Chart, Duration } from 'cdk8s';
import {
  ArgoAlbRollout,
  ArgoAlbStrategy,
  ArgoRolloutsInstall,
  ArgoRolloutsVersion,
  ArgoStep,
  StackCheck,
} from 'rollout-constructs';

/** Everything in the cluster. `main.ts` writes it, and `app.test.ts` tests it. */
export function createApp(): { readonly app: App; readonly check: StackCheck } {
  const app = new App();

  // Once per cluster: the controller, with exactly the permissions for AWS load balancers.
  const platform = new Chart(app, 'platform', { disableResourceNameHashes: true });
  new ArgoRolloutsInstall(platform, 'ArgoRollouts', {
    version: ArgoRolloutsVersion.V1_9_1,
    trafficRouters: ['alb'],
  });

  // Once per service: the Rollout, its Services and its Ingress.
  const shop = new Chart(app, 'shop', { namespace: 'shop', disableResourceNameHashes: true });

  // With this label, a pod becomes ready only after the load balancer has registered it.
  new ApiObject(shop, 'Namespace', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'shop', labels: { 'elbv2.k8s.aws/pod-readiness-gate-inject': 'enabled' } },
  });

  new ArgoAlbRollout(shop, 'web', {
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
        // Waits for approval: kubectl argo rollouts promote web
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

  return { app, check: new StackCheck(app, 'Check') };
}
