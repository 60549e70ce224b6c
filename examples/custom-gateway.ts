/**
 * Canaries on a gateway that the controller does not support: a script for its kind, the permission to change its objects,
 * and a Rollout that refers to one. Prints the manifests:
 *
 *     npx tsx examples/custom-gateway.ts | kubectl apply --server-side -f -
 */
import { ApiObject, App, Chart, Duration } from 'cdk8s';
import {
  GatewayKind,
  GatewayRoleBinding,
  HeaderMatch,
  KruiseRollout,
  KruiseRolloutInstall,
  KruiseRolloutStep,
  KruiseRolloutStrategy,
  LuaRoutingConfigMap,
  LuaScripts,
} from '../src/constructs';

const app = new App();
const controller = new Chart(app, 'kruise-rollout', { disableResourceNameHashes: true });

// Your own script comes from LuaScripts.fromFolder('./lua_configuration'), with its testdata next to it.
const scripts = new LuaRoutingConfigMap(controller, 'Scripts', {
  scripts: [LuaScripts.fromLibrary('ApisixRoute.apisix.apache.org')],
});
const install = new KruiseRolloutInstall(controller, 'KruiseRollout', { scripts });

// A Role in the controller's namespace would grant nothing: the route lives in the namespace of the Rollout, and the
// controller watches its kind in the whole cluster.
new GatewayRoleBinding(controller, 'Apisix', { install, kinds: [GatewayKind.APISIX_ROUTE] });

const shop = new Chart(app, 'shop', { namespace: 'shop', disableResourceNameHashes: true });
const labels = { app: 'web' };

const deployment = new ApiObject(shop, 'deployment', {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 5,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'example.com/web:1.0.0' }] } },
  },
});

const service = new ApiObject(shop, 'service', {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web' },
  spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] },
});

const route = new ApiObject(shop, 'route', {
  apiVersion: 'apisix.apache.org/v2',
  kind: 'ApisixRoute',
  metadata: { name: 'web' },
  spec: {
    http: [
      {
        name: 'web',
        match: { hosts: ['shop.example.com'], paths: ['/*'] },
        backends: [{ serviceName: service.name, servicePort: 80 }],
      },
    ],
  },
});

new KruiseRollout(shop, 'rollout', {
  workload: deployment,
  trafficRouting: { service, customNetworkRefs: [route] },
  strategy: KruiseRolloutStrategy.canary({
    steps: [
      KruiseRolloutStep.matches([HeaderMatch.exact('x-canary', 'yes')], { replicas: 1 }),
      KruiseRolloutStep.traffic('20%', { pause: Duration.minutes(10) }),
      KruiseRolloutStep.traffic('100%'),
    ],
  }),
});

process.stdout.write(app.synthYaml());
