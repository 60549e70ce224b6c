/** Contour and an Envoy that takes its configuration from it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { moduleFolder } from '../build';
import { adminKubeconfig } from '../cluster/control-plane';
import { objectsIn } from '../cluster/documents';
import { ready, start } from '../cluster/processes';
import { binaryOf, programNamed } from '../programs';
import { ENVOY_VERSION, envoyBinary, startEnvoy } from './envoy';
import type { GatewayOnStage } from './gateway';

const CONTOUR = 'contour@1.33.8';
const [XDS_PORT, HTTP_PORT, METRICS_PORT] = [8001, 10080, 8011];

export const contour: GatewayOnStage = {
  release: `1.33.8, Envoy ${ENVOY_VERSION}`,
  prepare() {
    envoyBinary();
    this.crds();
  },
  crds() {
    const text = readFileSync(join(moduleFolder(programNamed(CONTOUR)), 'examples/contour/01-crds.yaml'), 'utf8');
    return objectsIn(text);
  },
  objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'projectcontour' } }],
  async start(plane, folder) {
    // biome-ignore format: a flag and its value stay on one line
    const server = start('contour', binaryOf(programNamed(CONTOUR)), [
      'serve',
      '--kubeconfig', adminKubeconfig(folder, plane.certificates),
      '--insecure',
      '--xds-address', '127.0.0.1',
      '--xds-port', String(XDS_PORT),
      '--envoy-service-http-port', String(HTTP_PORT),
      '--http-address', '127.0.0.1',
      '--http-port', String(METRICS_PORT),
      '--health-address', '127.0.0.1',
      '--health-port', String(METRICS_PORT),
      '--disable-leader-election',
    ], { folder });
    await ready(server, async () => (await fetch(`http://127.0.0.1:${METRICS_PORT}/healthz`)).ok, 90);
    const envoy = await startEnvoy({
      node: 'envoy',
      cluster: 'projectcontour',
      // Contour's routes and endpoints name the cluster of their own control plane.
      controlPlane: 'contour',
      port: XDS_PORT,
      folder,
    });
    return { port: HTTP_PORT, processes: [server, envoy] };
  },
};
