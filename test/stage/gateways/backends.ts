/** Who answers: the workloads behind every case, and the server that stands for each of their pods. */
import { createServer, type Server } from 'node:http';
import type { Api, KubernetesObject } from '../cluster/api';
import { READY_AFTER } from '../cluster/nodes';
import { sleep } from '../cluster/processes';

/** The namespace of all cases. */
export const NAMESPACE = 't';

/** Where every pod answers: a port that no gateway listens at for itself. */
export const BACKEND_PORT = 8070;
const APPS = ['s1', 's2', 's3'];

/** The Services of the cases: `empty` has no pods, and `twop` has a second port. */
export const BACKENDS: readonly KubernetesObject[] = [
  ...APPS.map(deployment),
  ...APPS.map((app) => service(app, app, [{ name: 'http', port: 80, targetPort: BACKEND_PORT }])),
  service('empty', 'nothing', [{ name: 'http', port: 80, targetPort: BACKEND_PORT }]),
  service('twop', 's1', [
    { name: 'http', port: 80, targetPort: BACKEND_PORT },
    { name: 'adm', port: 81, targetPort: BACKEND_PORT },
  ]),
];

function deployment(app: string): KubernetesObject {
  const labels = { app };
  const containers = [{ name: 'c', image: 'x:1', ports: [{ name: 'http', containerPort: BACKEND_PORT }] }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: app, namespace: NAMESPACE },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels, annotations: { [READY_AFTER]: '0s' } }, spec: { containers } },
    },
  };
}

function service(name: string, app: string, ports: readonly object[]): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: NAMESPACE },
    spec: { selector: { app }, ports },
  };
}

/** Answers for every address of a pod, with the address that was asked. */
export function startBackend(): Promise<Server> {
  const server = createServer((request, response) => {
    request.resume();
    // Never in chunks: the length says when the answer is whole.
    response.end(`pod ${request.socket.localAddress}`);
  });
  return new Promise((resolve) => server.listen(BACKEND_PORT, '0.0.0.0', () => resolve(server)));
}

/** The Deployment of each address, once every pod of these Deployments has one. Each has one pod. */
export async function podsByAddress(
  api: Api,
  objects: readonly KubernetesObject[],
): Promise<ReadonlyMap<string, string>> {
  const deployments = objects.filter(({ kind }) => kind === 'Deployment');
  const namespaces = new Set(deployments.map(({ metadata }) => metadata.namespace));
  for (const end = Date.now() + 120_000; Date.now() < end; await sleep(200)) {
    const { items } = await api.get('/api/v1/pods');
    const found = items.flatMap(({ metadata, status }: KubernetesObject) =>
      status.podIP === undefined || !namespaces.has(metadata.namespace)
        ? []
        : // The names of a ReplicaSet and of a pod each add a part.
          [[status.podIP, metadata.name.split('-').slice(0, -2).join('-')] as const],
    );
    if (found.length === deployments.length) return new Map(found);
  }
  throw new Error('the pods of the backends are not ready after 120 s');
}
