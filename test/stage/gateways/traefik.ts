/** Traefik with the providers of its CRDs, of Ingresses and of the Gateway API. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { moduleFolder } from '../build';
import { adminKubeconfig } from '../cluster/control-plane';
import { gatewayApiCrds } from '../cluster/crds';
import { objectsIn } from '../cluster/documents';
import { ready, start } from '../cluster/processes';
import { binaryOf, programNamed } from '../programs';
import type { GatewayOnStage } from './gateway';

const PORT = 80;

/** A release of Traefik, and its classes. */
export const traefikOf = (release: string): GatewayOnStage => ({
  release,
  prepare() {
    this.crds();
  },
  crds() {
    const file = 'docs/content/reference/dynamic-configuration/kubernetes-crd-definition-v1.yml';
    const text = readFileSync(join(moduleFolder(programNamed(`traefik@${release}`)), file), 'utf8');
    return [...objectsIn(text), ...gatewayApiCrds(`traefik-${release}`)];
  },
  objects: [
    {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'GatewayClass',
      metadata: { name: 'traefik' },
      spec: { controllerName: 'traefik.io/gateway-controller' },
    },
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IngressClass',
      metadata: { name: 'traefik' },
      spec: { controller: 'traefik.io/ingress-controller' },
    },
  ],
  async start(plane, folder) {
    const args = [
      `--entrypoints.web.address=:${PORT}`,
      '--providers.kubernetescrd',
      '--providers.kubernetescrd.allowemptyservices=true',
      '--providers.kubernetescrd.throttleduration=100ms',
      '--providers.kubernetesingress',
      '--providers.kubernetesingress.allowemptyservices=true',
      '--providers.kubernetesingress.throttleduration=100ms',
      '--providers.kubernetesgateway',
      '--providers.kubernetesgateway.throttleduration=100ms',
      '--providers.providersthrottleduration=100ms',
      '--global.checknewversion=false',
      '--global.sendanonymoususage=false',
      '--ping',
      '--ping.entrypoint=web',
      '--log.level=INFO',
    ];
    const env = { KUBECONFIG: adminKubeconfig(folder, plane.certificates) };
    const process = start('traefik', binaryOf(programNamed(`traefik@${release}`)), args, { folder, env });
    await ready(process, async () => (await fetch(`http://127.0.0.1:${PORT}/ping`)).ok);
    return { port: PORT, processes: [process] };
  },
});

export const traefik = traefikOf('3.7.13');
