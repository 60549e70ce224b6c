/**
 * Canary releases of two applications on one ALB of Alibaba Cloud, at the same time: openkruise/rollouts#128.
 * Prints the manifests:
 *
 *     npx tsx examples/aliyun-alb-canary.ts | kubectl apply -f -
 */
import { ApiObject, App, Chart } from 'cdk8s';
import {
  AliyunAlbCanaryIngress,
  HeaderMatch,
  KruiseRollout,
  KruiseRolloutStep,
  KruiseRolloutStrategy,
  LuaRoutingConfigMap,
  LuaScripts,
} from '../src/constructs';

const app = new App();

// Replaces the controller's built-in script, which gives every canary Ingress the order 1.
const controller = new Chart(app, 'controller', { namespace: 'kruise-rollout', disableResourceNameHashes: true });
new LuaRoutingConfigMap(controller, 'scripts', { scripts: [LuaScripts.fromLibrary('aliyun-alb')] });

const chart = new Chart(app, 'foo', { namespace: 'foo', disableResourceNameHashes: true });

for (const name of ['echoserver', 'echoserver-clone']) {
  const labels = { app: name };
  const deployment = new ApiObject(chart, `${name}-deployment`, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas: 10,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'echoserver', image: 'example.com/echoserver:1.0.0' }] },
      },
    },
  });

  new ApiObject(chart, `${name}-service`, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] },
  });

  const ingress = new AliyunAlbCanaryIngress(chart, `${name}-ingress`, {
    metadata: { name },
    service: { name, port: 80 },
    rules: [{ host: `${name}.example.com`, paths: [{ path: '/apis/echo', pathType: 'Exact' }] }],
  });

  new KruiseRollout(chart, `${name}-rollout`, {
    workload: deployment,
    trafficRouting: ingress.trafficRouting(),
    // The canary has its own pods. In partition style the controller refuses the step of 60%: a step that routes traffic
    // may replace at most half of the pods.
    strategy: KruiseRolloutStrategy.canary({
      steps: [
        // A canary Ingress of this ALB matches one value of one header, so two alternatives need two steps.
        KruiseRolloutStep.matches([HeaderMatch.exact('user-agent', 'pc')], { replicas: '30%' }),
        KruiseRolloutStep.matches([HeaderMatch.exact('user-agent', 'mobile')], { replicas: '60%' }),
        // Weights come after the matches: the other way round, a step would take the new version away from users.
        KruiseRolloutStep.traffic('80%', { replicas: '80%' }),
        KruiseRolloutStep.traffic('100%'),
      ],
    }),
  });
}

console.log(app.synthYaml());
