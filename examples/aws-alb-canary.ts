/**
 * A canary on an AWS load balancer, released first to people with a cookie or a header and then to a growing share.
 * The common alternative, a custom script with a canary Ingress next to the stable one, has no effect: docs/alb.md explains
 * why. Prints the manifests:
 *
 *     npx tsx examples/aws-alb-canary.ts | kubectl apply -f -
 */
import { ApiObject, App, Chart, Duration } from 'cdk8s';
import {
  AlbBackend,
  AlbCanaryIngress,
  HeaderMatch,
  KruiseRollout,
  KruiseRolloutStep,
  KruiseRolloutStrategy,
  LuaRoutingConfigMap,
  LuaScripts,
} from '../src/constructs';

const app = new App();

// In the namespace of the controller, which reads it at every reconcile: no restart is needed.
const controller = new Chart(app, 'controller', { namespace: 'kruise-rollout', disableResourceNameHashes: true });
new LuaRoutingConfigMap(controller, 'scripts', { scripts: [LuaScripts.fromLibrary('Ingress.networking.k8s.io')] });

const chart = new Chart(app, 'shop', { namespace: 'shop', disableResourceNameHashes: true });
const labels = { app: 'web' };

const deployment = new ApiObject(chart, 'deployment', {
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

new ApiObject(chart, 'service', {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web' },
  spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] },
});

const ingress = new AlbCanaryIngress(chart, 'ingress', {
  metadata: { name: 'web' },
  // A Service of cdk8s-plus works too: it has a name and a port.
  service: { name: 'web', port: 80 },
  rules: [
    {
      host: 'shop.example.com',
      paths: [
        { path: '/status', pathType: 'Exact', backend: AlbBackend.fixedResponse('status', { statusCode: 200 }) },
        { path: '/' },
      ],
    },
  ],
  scheme: 'internet-facing',
  sslRedirect: true,
  healthCheck: { path: '/healthz', interval: Duration.seconds(10) },
  stickiness: Duration.minutes(10),
});

new KruiseRollout(chart, 'rollout', {
  workload: deployment,
  // Uses customNetworkRefs, and gives the load balancer 30 seconds to apply a change.
  trafficRouting: ingress.trafficRouting(),
  strategy: KruiseRolloutStrategy.canary({
    steps: [
      // Either of the two. Alternatives need separate rules, which a canary Ingress could not have.
      KruiseRolloutStep.matches(
        [HeaderMatch.exact('canary-by-cookie', 'beta'), HeaderMatch.exact('user-agent', 'pc')],
        { replicas: 1 },
      ),
      KruiseRolloutStep.traffic('20%', { pause: Duration.minutes(10) }),
      KruiseRolloutStep.traffic('100%'),
    ],
  }),
});

console.log(app.synthYaml());
