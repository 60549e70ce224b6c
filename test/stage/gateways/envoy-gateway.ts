/** Envoy Gateway and an Envoy that takes its configuration from it. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { moduleFolder } from '../build';
import type { Certificates } from '../cluster/certificates';
import { adminKubeconfig } from '../cluster/control-plane';
import { objectsIn } from '../cluster/documents';
import { ready, start } from '../cluster/processes';
import { binaryOf, programNamed } from '../programs';
import { ENVOY_VERSION, envoyBinary, startEnvoy } from './envoy';
import type { GatewayOnStage } from './gateway';

const ENVOY_GATEWAY = 'envoy-gateway@1.9.1';
const [XDS_PORT, HTTP_PORT, HEALTH_PORT] = [18000, 10080, 8081];
const SYSTEM = 'envoy-gateway-system';
const CLASS = 'eg';
/** Where the program looks for its certificate, and nowhere else. */
const CERTIFICATES = '/certs';

const CONFIGURATION = {
  apiVersion: 'gateway.envoyproxy.io/v1alpha1',
  kind: 'EnvoyGateway',
  gateway: { controllerName: 'gateway.envoyproxy.io/gatewayclass-controller' },
  provider: {
    type: 'Kubernetes',
    // The webhook tells pods of Envoy their zone.
    kubernetes: { leaderElection: { disable: true }, proxyTopologyInjector: { disable: true } },
  },
};

/** Envoy Gateway, and its GatewayClass: all Gateways share one Envoy, where each would have its own. */
export const envoyGateway: GatewayOnStage = {
  release: `1.9.1, Envoy ${ENVOY_VERSION}`,
  settlesAfter: 10,
  prepare() {
    envoyBinary();
    this.crds();
  },
  crds() {
    const folder = join(moduleFolder(programNamed(ENVOY_GATEWAY)), 'charts/gateway-helm/charts/crds/crds');
    const own = readdirSync(join(folder, 'generated')).map((name) => join('generated', name));
    return ['gatewayapi-crds.yaml', ...own.sort()]
      .flatMap((file) => objectsIn(readFileSync(join(folder, file), 'utf8')))
      .filter(({ kind }) => kind === 'CustomResourceDefinition');
  },
  objects: [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: SYSTEM } },
    {
      apiVersion: 'gateway.envoyproxy.io/v1alpha1',
      kind: 'EnvoyProxy',
      metadata: { name: CLASS, namespace: SYSTEM },
      spec: { mergeGateways: true },
    },
    {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'GatewayClass',
      metadata: { name: CLASS },
      spec: {
        controllerName: CONFIGURATION.gateway.controllerName,
        parametersRef: { group: 'gateway.envoyproxy.io', kind: 'EnvoyProxy', name: CLASS, namespace: SYSTEM },
      },
    },
  ],
  async start(plane, folder) {
    const { admin, authority } = plane.certificates;
    mountCertificates(plane.certificates, folder);
    const configuration = join(folder, 'envoy-gateway.json');
    writeFileSync(configuration, JSON.stringify(CONFIGURATION));
    const args = ['server', '--config-path', configuration];
    const env = { KUBECONFIG: adminKubeconfig(folder, plane.certificates), ENVOY_GATEWAY_NAMESPACE: SYSTEM };
    const process = start('envoy-gateway', binaryOf(programNamed(ENVOY_GATEWAY)), args, { folder, env });
    await ready(process, async () => (await fetch(`http://127.0.0.1:${HEALTH_PORT}/readyz`)).ok, 90);
    const tls = { ...admin, authority };
    const envoy = await startEnvoy({ node: 'envoy', cluster: CLASS, port: XDS_PORT, tls, isDelta: true, folder });
    return { port: HTTP_PORT, processes: [process, envoy] };
  },
};

/** Within the mounts of the stage alone. */
function mountCertificates({ server, authority }: Certificates, folder: string): void {
  const own = join(folder, 'certs');
  mkdirSync(own, { recursive: true });
  copyFileSync(server.certificate, join(own, 'tls.crt'));
  copyFileSync(server.key, join(own, 'tls.key'));
  copyFileSync(authority, join(own, 'ca.crt'));
  mkdirSync(CERTIFICATES, { recursive: true });
  execFileSync('mount', ['--bind', own, CERTIFICATES]);
}
