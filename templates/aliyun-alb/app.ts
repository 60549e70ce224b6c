import { ApiObject, App, Chart, Duration } from 'cdk8s';
import {
  AliyunAlbCanaryIngress,
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

  // Once per cluster: the controller, and the script that replaces its own, with which two releases at a time collide.
  const platform = new Chart(app, 'platform', { disableResourceNameHashes: true });
  const scripts = new LuaRoutingConfigMap(platform, 'Scripts', {
    kruiseVersion: version,
    scripts: [LuaScripts.fromLibrary('aliyun-alb')],
  });
  new KruiseRolloutInstall(platform, 'KruiseRollout', { version, scripts });

  // Once per service: the workload, its Service, its Ingress and its Rollout.
  const shop = new Chart(app, 'shop', { namespace: 'shop', disableResourceNameHashes: true });
  new ApiObject(shop, 'Namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });

  // Both may be released at the same time: on the load balancer, each Ingress and its canary have orders of their own.
  for (const [name, host] of Object.entries({ web: 'shop.example.com', cart: 'cart.example.com' })) {
    const labels = { app: name };
    const deployment = new ApiObject(shop, `${name}-deployment`, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name },
      spec: {
        replicas: 10,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name, image: `example.com/${name}:1.0.0`, ports: [{ containerPort: 8080 }] }] },
        },
      },
    });

    new ApiObject(shop, `${name}-service`, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name },
      spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] },
    });

    const ingress = new AliyunAlbCanaryIngress(shop, `${name}-ingress`, {
      metadata: { name },
      service: { name, port: 80 },
      rules: [{ host }],
    });

    new KruiseRollout(shop, `${name}-rollout`, {
      metadata: { name },
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
  }

  return { app, check: new StackCheck(app, 'Check') };
}
