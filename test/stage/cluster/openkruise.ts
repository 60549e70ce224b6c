/**
 * OpenKruise, whose workloads Kruise Rollouts releases: its manager with its CRDs and webhooks, from the manifests in its Go
 * module. It is not the program that recordings judge, so it has the rights of the administrator.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { moduleFolder } from '../build';
import { binaryOf, OPENKRUISE, programNamed } from '../programs';
import type { KubernetesObject } from './api';
import { applyAll } from './apply';
import { adminKubeconfig, type ControlPlane } from './control-plane';
import { filesOf } from './crds';
import { documentsOf, placed, withWebhookPatches } from './kustomization';
import { ready, start } from './processes';
import { forwardService } from './service-forward';

const GROUP = 'apps.kruise.io';
const PLACE = { namespace: 'kruise-system', prefix: 'kruise-' };

/** Other ports than those of Kruise Rollouts, which runs on the same host. */
const WEBHOOK_PORT = 9877;
const HEALTH = '127.0.0.1:8082';

// biome-ignore format: a flag and its value stay on one line
const ARGUMENTS = [
  '--enable-leader-election=false',
  '--metrics-addr=0',
  '--enable-pprof=false',
  `--health-probe-addr=${HEALTH}`,
  // kruise-daemon pulls images and restarts containers; no container runs on the stage.
  '--feature-gates=KruiseDaemon=false',
  // The limits of a manager are for few workloads at a time.
  '--rest-config-qps=200', '--rest-config-burst=400',
];

/** True for a workload that only OpenKruise makes pods for. */
export function isOfOpenKruise({ apiVersion }: KubernetesObject): boolean {
  return apiVersion.split('/')[0] === GROUP;
}

/** Starts OpenKruise, and waits until its webhooks answer. */
export async function startOpenKruise(plane: ControlPlane, folder: string): Promise<{ stop(): Promise<void> }> {
  const { api, certificates } = plane;
  const program = programNamed(OPENKRUISE);
  await applyAll(api, installOf(moduleFolder(program)));
  const { namespace } = PLACE;
  const { spec } = await api.get(`/api/v1/namespaces/${namespace}/services/kruise-webhook-service`);
  const forward = await forwardService(spec.clusterIP, spec.ports[0].port, WEBHOOK_PORT);
  const webhookCertificates = join(folder, 'openkruise-certificates');
  mkdirSync(webhookCertificates);
  const process = start('openkruise', binaryOf(program), ARGUMENTS, {
    folder,
    env: {
      KUBECONFIG: adminKubeconfig(folder, certificates),
      POD_NAMESPACE: namespace,
      WEBHOOK_PORT: String(WEBHOOK_PORT),
      WEBHOOK_CERT_DIR: webhookCertificates,
    },
  });
  await ready(process, async () => (await fetch(`http://${HEALTH}/readyz`)).ok, 90);
  return {
    async stop() {
      forward.stop();
      await process.stop();
    },
  };
}

/** Its namespace, CRDs, Service and webhooks, in the order of an install. */
function installOf(module: string): KubernetesObject[] {
  const config = (...path: string[]) => join(module, 'config', ...path);
  const conversion = documentsOf(config('crd', 'patches', 'webhook_in_statefulsets.yaml'));
  const crds = filesOf(config('crd', 'bases'))
    .flatMap(documentsOf)
    .map((crd) => withConversion(crd, conversion));
  const patches = documentsOf(config('webhook', 'patch_manifests.yaml'));
  const webhooks = ['service.yaml', 'manifests.yaml']
    .flatMap((file) => documentsOf(config('webhook', file)))
    .map((object) => placed(withWebhookPatches(object, patches), PLACE));
  return [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: PLACE.namespace } }, ...crds, ...webhooks];
}

/** A CRD whose versions the webhook converts, as a patch of the kustomization says. */
function withConversion(crd: KubernetesObject, patches: readonly KubernetesObject[]): KubernetesObject {
  const patch = patches.find(({ metadata }) => metadata.name === crd.metadata.name);
  return patch === undefined ? crd : { ...crd, spec: { ...crd.spec, ...patch.spec } };
}
