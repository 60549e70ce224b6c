import { ApiObject, App, Chart, Duration } from 'cdk8s';
import {
  AlbCanaryIngress,
  HeaderMatch,
  KruiseRollout,
  KruiseRolloutInstall,
  KruiseRolloutStep,
  KruiseRolloutStrategy,
  KruiseRolloutVersion,
  LuaRoutingConfigMap,
  LuaScripts,
  StackCheck,
} from 'rollout-constructs';

/** Everything in the cluster. `main.ts` writes it, and `app.test.ts` tests it. */
export function createApp(): { readonly app: App; readonly check: StackCheck } {
  const app = new App();
  const version = KruiseRolloutVersion.V0_6_2;

  // Once per cluster: the controller, and the script with which it changes Ingresses on AWS.
  const platform = new Chart(app, 'platform', { disableResourceNameHashes: true });
  const scripts = new LuaRoutingConfigMap(platform, 'Scripts', {
    kruiseVersion: version,
    scripts: [LuaScripts.fromLibrary('Ingress.networking.k8s.io')],
  });
  new KruiseRolloutInstall(platform, 'KruiseRollout', { version, scripts });

  // Once per service: the workload, its Service, its Ingress and its Rollout.
  const shop = new Chart(app, 'shop', { namespace: 'shop', disableResourceNameHashes: true });
  const labels = { app: 'web' };

  // With this label, a pod becomes ready only after the load balancer has registered it.
  new ApiObject(shop, 'Namespace', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'shop', labels: { 'elbv2.k8s.aws/pod-readiness-gate-inject': 'enabled' } },
  });

  const deployment = new ApiObject(shop, 'Deployment', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas: 10,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'web', image: 'example.com/web:1.0.0', ports: [{ containerPort: 8080 }] }] },
      },
    },
  });

  new ApiObject(shop, 'Service', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] },
  });

  const ingress = new AlbCanaryIngress(shop, 'Ingress', {
    metadata: { name: 'web' },
    service: { name: 'web', port: 80 },
    rules: [{ host: 'shop.example.com', paths: [{ path: '/' }] }],
    scheme: 'internet-facing',
    sslRedirect: true,
    healthCheck: { path: '/healthz', interval: Duration.seconds(10) },
  });

  new KruiseRollout(shop, 'Rollout', {
    metadata: { name: 'web' },
    workload: deployment,
    trafficRouting: ingress.trafficRouting(),
    strategy: KruiseRolloutStrategy.canary({
      steps: [
        // First only requests with the header. Continues after approval: kubectl kruise rollout approve …
        KruiseRolloutStep.matches([HeaderMatch.exact('x-canary', 'yes')], { replicas: 1 }),
        KruiseRolloutStep.traffic('20%', { pause: Duration.minutes(10) }),
        KruiseRolloutStep.traffic('100%'),
      ],
    }),
  });

  return { app, check: new StackCheck(app, 'Check') };
}
