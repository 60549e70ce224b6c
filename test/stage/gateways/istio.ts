/** Istio's control plane and an Envoy as its ingress gateway. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubernetesObject } from '../cluster/api';
import { adminKubeconfig, type ControlPlane } from '../cluster/control-plane';
import { moduleFolder } from '../cluster/crds';
import { objectsIn } from '../cluster/documents';
import { type Running, ready, start } from '../cluster/processes';
import { binaryOf, programNamed } from '../programs';
import { ENVOY_VERSION, envoyBinary, startEnvoy } from './envoy';
import type { GatewayOnStage } from './gateway';

const SYSTEM = 'istio-system';
const LABELS = { istio: 'ingressgateway' };
const ADDRESS = '10.244.250.1';
/** Other ports of istiod would meet those of the backends. */
const [HTTP_PORT, INGRESS_PORT] = [15080, 10080];
/** Where pilot-discovery serves configurations. */
export const PILOT_PORT = 15010;

/** Without what needs a CA or filters that only Istio's own Envoy has. */
const ENV = {
  PILOT_ENABLE_METADATA_EXCHANGE: 'false',
  PILOT_ENABLE_ALPN_FILTER: 'false',
  PILOT_ENABLE_GATEWAY_API_DEPLOYMENT_CONTROLLER: 'false',
  PILOT_ENABLE_ANALYSIS: 'false',
  PILOT_DEBOUNCE_AFTER: '40ms',
  PILOT_DEBOUNCE_MAX: '400ms',
  ENABLE_CA_SERVER: 'false',
  PILOT_CERT_PROVIDER: 'none',
  INJECTION_WEBHOOK_CONFIG_NAME: '',
  VALIDATION_WEBHOOK_CONFIG_NAME: '',
  POD_NAMESPACE: SYSTEM,
};

const MESH = { enableAutoMtls: false, rootNamespace: SYSTEM, trustDomain: 'cluster.local', accessLogFile: '' };

/** The gateway's pod, which is the Envoy of this machine, and its Service. */
const GATEWAY_POD: readonly KubernetesObject[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: SYSTEM } },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'istio-ingressgateway', namespace: SYSTEM, labels: LABELS },
    spec: { selector: LABELS, ports: [{ name: 'http', port: 80, targetPort: INGRESS_PORT }] },
  },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'istio-ingressgateway', namespace: SYSTEM, labels: LABELS },
    spec: { containers: [{ name: 'istio-proxy', image: 'x:1' }] },
  },
];

/** Istio with an ingress gateway of a release of Envoy, and its GatewayClass. */
export const istioWith = (envoyVersion: string, proxyVersion: string): GatewayOnStage => ({
  release: `1.31 (a commit of 2026-08-27), Envoy ${envoyVersion}`,
  prepare: () => void envoyBinary(envoyVersion),
  crds() {
    const folder = moduleFolder('istio.io/api');
    const text = readFileSync(join(folder, 'kubernetes/customresourcedefinitions.gen.yaml'), 'utf8');
    return objectsIn(text);
  },
  objects: [
    ...GATEWAY_POD,
    {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'GatewayClass',
      metadata: { name: 'istio' },
      spec: { controllerName: 'istio.io/gateway-controller' },
    },
  ],
  async start(plane, folder) {
    const pilot = await startPilot(plane, folder);
    const envoy = await startEnvoy({
      node: `router~${ADDRESS}~istio-ingressgateway.${SYSTEM}~${SYSTEM}.svc.cluster.local`,
      cluster: `istio-ingressgateway.${SYSTEM}`,
      metadata: {
        LABELS,
        NAMESPACE: SYSTEM,
        CLUSTER_ID: 'Kubernetes',
        ISTIO_VERSION: proxyVersion,
        INSTANCE_IPS: ADDRESS,
      },
      port: PILOT_PORT,
      folder,
      version: envoyVersion,
    });
    return { port: INGRESS_PORT, processes: [pilot, envoy] };
  },
});

export const istio = istioWith(ENVOY_VERSION, '1.31.0');

/** Istio's control plane, once it is ready. */
export async function startPilot(plane: ControlPlane, folder: string): Promise<Running> {
  const mesh = join(folder, 'mesh.json');
  writeFileSync(mesh, JSON.stringify(MESH));
  // biome-ignore format: a flag and its value stay on one line
  const pilot = start('pilot-discovery', binaryOf(programNamed('istio')), [
    'discovery',
    '--kubeconfig', adminKubeconfig(folder, plane.certificates),
    '--meshConfig', mesh,
    '--grpcAddr', `127.0.0.1:${PILOT_PORT}`,
    '--httpAddr', `127.0.0.1:${HTTP_PORT}`,
    '--httpsAddr', '',
    '--secureGRPCAddr', '',
    '--monitoringAddr', '',
    '--clusterID', 'Kubernetes',
    '--domain', 'cluster.local',
  ], { folder, env: ENV });
  await ready(pilot, async () => (await fetch(`http://127.0.0.1:${HTTP_PORT}/ready`)).ok, 90);
  return pilot;
}
