/** Whether the answer of Traefik is the same after it has read its routes anew: of routes of equal priority it is not. */
import { writeFileSync } from 'node:fs';
import type { KubernetesObject } from '../cluster/api';
import { applyAll } from '../cluster/apply';
import { sleep } from '../cluster/processes';
import { ask } from './ask';
import { NAMESPACE } from './backends';
import { withCluster } from './cluster';
import type { Shares } from './gateway';
import { startBeforeBackends } from './play';
import { traefik } from './traefik';

/** Who answered a request, of all reloads. */
export interface Reloads {
  readonly release: string;
  readonly reloads: number;
  readonly objects: readonly KubernetesObject[];
  readonly answers: Readonly<Record<string, Shares>>;
}

const RELOADS = 30;

/** Two routes of one priority for each host: both IngressRoutes, both Ingresses, one of each. */
const TIED: readonly KubernetesObject[] = [
  ingressRoute('one', 'Host(`routes.test`)', 's1', 5),
  ingressRoute('two', 'Host(`routes.test`) && Method(`GET`)', 's2', 5),
  ingress('three', 'ingresses.test', 's1'),
  ingress('four', 'ingresses.test', 's2'),
  ingressRoute('five', 'Host("both.test") && PathPrefix("/x")', 's1'),
  ingress('six', 'both.test', 's2'),
];
const HOSTS = ['routes.test', 'ingresses.test', 'both.test'];

/** Makes Traefik read its routes some times, asks it each time, and writes who answered to a file. */
export function recordReloads(file: string): Promise<number> {
  return withCluster(traefik.crds(), async (cluster) => {
    const { api } = cluster.plane;
    const { port, pods } = await startBeforeBackends(cluster, traefik);
    await applyAll(api, TIED);
    const counts = new Map<string, Record<string, number>>();
    for (let reload = 0; reload < RELOADS; reload++) {
      await applyAll(api, [ingressRoute('other', `Host(\`other-${reload}.test\`)`, 's3')]);
      await sleep(1000);
      for (const host of HOSTS) {
        const request = `GET http://${host}/x`;
        const count = counts.get(request) ?? {};
        for (const who of Object.keys(await ask(request, 1, port, pods))) count[who] = (count[who] ?? 0) + 1;
        counts.set(request, count);
      }
    }
    const { release } = traefik;
    const recorded: Reloads = { release, reloads: RELOADS, objects: TIED, answers: Object.fromEntries(counts) };
    writeFileSync(file, `${JSON.stringify(recorded, undefined, 2)}\n`);
    process.stdout.write(`${JSON.stringify(recorded.answers)}\n`);
    return 0;
  });
}

function ingressRoute(name: string, match: string, service: string, priority?: number): KubernetesObject {
  const route = { kind: 'Rule', match, services: [{ name: service, port: 80 }], ...(priority && { priority }) };
  return {
    apiVersion: 'traefik.io/v1alpha1',
    kind: 'IngressRoute',
    metadata: { name, namespace: NAMESPACE },
    spec: { routes: [route] },
  };
}

function ingress(name: string, host: string, service: string): KubernetesObject {
  const backend = { service: { name: service, port: { number: 80 } } };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name, namespace: NAMESPACE },
    spec: {
      ingressClassName: 'traefik',
      rules: [{ host, http: { paths: [{ path: '/x', pathType: 'Prefix', backend }] } }],
    },
  };
}
