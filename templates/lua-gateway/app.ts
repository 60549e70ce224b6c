import { join } from 'node:path';
import { ApiObject, App, Chart, Duration } from 'cdk8s';
import {
  GatewayKind,
  GatewayRoleBinding,
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

/** The kind of your gateway's routes. Its script is in lua_configuration/<group>/<Kind>. */
const ROUTE = GatewayKind.of({ group: 'gateway.example.com', kind: 'Route', plural: 'routes' });

/** Everything in the cluster. `main.ts` writes it, and `app.test.ts` tests it. */
export function createApp(): { readonly app: App; readonly check: StackCheck } {
  const app = new App();
  const version = KruiseRolloutVersion.V0_6_2;

  // Once per cluster: the controller, the script with which it changes routes, and the permission to change them.
  const platform = new Chart(app, 'platform', { disableResourceNameHashes: true });
  const scripts = new LuaRoutingConfigMap(platform, 'Scripts', {
    kruiseVersion: version,
    scripts: [LuaScripts.fromFolder(join(__dirname, 'lua_configuration'))],
  });
  const install = new KruiseRolloutInstall(platform, 'KruiseRollout', { version, scripts });
  new GatewayRoleBinding(platform, 'Routes', { install, kinds: [ROUTE] });

  // Once per service: the workload, its Service, its route and its Rollout.
  const shop = new Chart(app, 'shop', { namespace: 'shop', disableResourceNameHashes: true });
  const labels = { app: 'web' };
  new ApiObject(shop, 'Namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });

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

  const service = new ApiObject(shop, 'Service', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] },
  });

  const route = new ApiObject(shop, 'Route', {
    apiVersion: 'gateway.example.com/v1',
    kind: 'Route',
    metadata: { name: 'web' },
    spec: { host: 'shop.example.com', rules: [{ backends: [{ service: service.name, weight: 100 }] }] },
  });

  new KruiseRollout(shop, 'Rollout', {
    metadata: {
      name: 'web',
      // A rehearsal knows where a request goes for the gateways that this library models. For yours, it shows what is written.
      annotations: { 'rollout-constructs.io/ignore': 'rehearsal-incomplete: app.test.ts tests what the script writes' },
    },
    workload: deployment,
    trafficRouting: { service, customNetworkRefs: [route] },
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
