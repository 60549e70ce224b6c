/** Kruise Rollouts, installed as `KruiseRolloutInstall` writes it. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import {
  GatewayKind,
  GatewayRoleBinding,
  KruiseRolloutInstall,
  KruiseRolloutVersion,
  LuaRoutingConfigMap,
  LuaScripts,
} from '../../../src/constructs';
import { moduleFolder } from '../build';
import type { KubernetesObject } from '../cluster/api';
import { applyAll } from '../cluster/apply';
import { ready, start } from '../cluster/processes';
import { forwardService } from '../cluster/service-forward';
import { binaryOf, programNamed } from '../programs';
import { type ControllerOnStage, deploymentOf, environmentOf, mountServiceAccount } from './controller';
import { kruiseRollouts } from './kruise-rollouts';

const WEBHOOK_PORT = 9876;

/** The kinds of the labs that the install itself does not let the controller change. */
const GATEWAYS = [
  GatewayKind.APISIX_ROUTE,
  GatewayKind.CONTOUR_HTTP_PROXY,
  GatewayKind.KUMA_MESH_HTTP_ROUTE,
  GatewayKind.TRAEFIK_INGRESS_ROUTE,
  GatewayKind.TRAEFIK_SERVICE,
];

/**
 * The objects of an install, as this library writes them: with every script of the library, and the rights for its kinds.
 */
export function kruiseInstall(release: string, gates: readonly string[] = []): KubernetesObject[] {
  const chart = new Chart(new App(), 'kruise-rollout', { disableResourceNameHashes: true });
  const version = versionOf(release);
  const { customNetworkRefs } = version.facts;
  // aliyun-alb stays that of the controller's image.
  const custom = customNetworkRefs
    ? LuaScripts.fromLibrary(
        'ApisixRoute.apisix.apache.org',
        'HTTPProxy.projectcontour.io',
        'Ingress.networking.k8s.io',
        'IngressRoute.traefik.io',
        'MeshHTTPRoute.kuma.io',
        'TraefikService.traefik.io',
      )
    : undefined;
  // Some cases of their testdata need fields that 0.5 does not have, so the newest release proves the scripts.
  const scripts = new LuaRoutingConfigMap(chart, 'Scripts', {
    scripts: [LuaScripts.fromLibrary('aws-alb'), ...(custom ? [custom] : [])],
  });
  const featureGates = Object.fromEntries(gates.map((gate) => [gate, true]));
  const install = new KruiseRolloutInstall(chart, 'KruiseRollout', { version, scripts, featureGates });
  if (customNetworkRefs) new GatewayRoleBinding(chart, 'Gateways', { install, kinds: GATEWAYS });
  return chart.toJson();
}

function versionOf(release: string): KruiseRolloutVersion {
  const version = KruiseRolloutVersion.find(release);
  if (version === undefined) throw new Error(`Kruise Rollouts ${release} is not a known release`);
  return version;
}

/** Kruise Rollouts on the stage. */
export const kruiseOnStage: ControllerOnStage = {
  name: 'kruise',
  ...kruiseRollouts,
  async start(plane, release, folder, gates) {
    const program = programNamed(`kruise@${release}`);
    const objects = kruiseInstall(release, gates);
    await applyAll(
      plane.api,
      objects.filter(({ kind }) => !/WebhookConfiguration$/.test(kind)),
    );
    const deployment = deploymentOf(objects);
    const { namespace } = deployment.metadata;
    const [container] = deployment.spec.template.spec.containers;
    const certificates = join(folder, 'webhook-certificates');
    mkdirSync(certificates);
    const service = await plane.api.get(`/api/v1/namespaces/${namespace}/services/kruise-rollout-webhook-service`);
    const forward = await forwardService(service.spec.clusterIP, service.spec.ports[0].port, WEBHOOK_PORT);
    await applyAll(
      plane.api,
      objects.filter(({ kind }) => /WebhookConfiguration$/.test(kind)),
    );
    const account = { namespace, name: deployment.spec.template.spec.serviceAccountName };
    const inCluster = await mountServiceAccount(plane, account);
    const process = start('kruise', binaryOf(program), container.args, {
      folder,
      // The controller reads its scripts from the working directory, as in its image.
      cwd: moduleFolder(program),
      env: { ...environmentOf(container, namespace), ...inCluster, WEBHOOK_CERT_DIR: certificates },
    });
    await ready(process, async () => (await fetch('http://127.0.0.1:8081/readyz')).ok, 90);
    return {
      process,
      async stop() {
        forward.stop();
        await process.stop();
      },
    };
  },
};
