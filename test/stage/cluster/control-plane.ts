/** etcd, the API server and kube-controller-manager, as a cluster has them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { binaryOf, programNamed } from '../programs';
import { Api, SERVER } from './api';
import { type Certificates, makeCertificates } from './certificates';
import { SERVICE_CIDR } from './network';
import { type Running, ready, start } from './processes';
import { auditFlags } from './requests';

/** A running cluster without nodes. */
export interface ControlPlane {
  readonly api: Api;
  readonly certificates: Certificates;
  readonly processes: readonly Running[];
}

/** Needs nodes, clouds or volumes, which the stage does not have. */
const CONTROLLERS_OFF = [
  'node-ipam-controller',
  'cloud-node-lifecycle-controller',
  'node-lifecycle-controller',
  'persistentvolume-attach-detach-controller',
  'persistentvolume-binder-controller',
];

/** Starts a cluster whose files are in this folder, and waits until it answers. */
export async function startControlPlane(folder: string): Promise<ControlPlane> {
  const pki = join(folder, 'pki');
  mkdirSync(pki, { recursive: true });
  const certificates = makeCertificates(pki);
  const etcd = startEtcd(folder);
  const server = startServer(folder, certificates);
  const api = Api.asAdmin(certificates);
  await ready(server, async () => (await api.get('/readyz').catch((error) => error)).message === 'ok');
  const manager = startManager(folder, certificates);
  await ready(manager, async () => (await api.get('/api/v1/namespaces/default/serviceaccounts/default')).kind !== '');
  return { api, certificates, processes: [etcd, server, manager] };
}

function startEtcd(folder: string): Running {
  const client = 'http://127.0.0.1:2379';
  const peer = 'http://127.0.0.1:2380';
  // biome-ignore format: a flag and its value stay on one line
  return start('etcd', binaryOf(programNamed('etcd')), [
    '--data-dir', join(folder, 'etcd'),
    '--unsafe-no-fsync',
    '--log-level', 'warn',
    '--listen-client-urls', client,
    '--advertise-client-urls', client,
    '--listen-peer-urls', peer,
    '--initial-advertise-peer-urls', peer,
    '--initial-cluster', `default=${peer}`,
  ], { folder });
}

/** Starts the API server. */
export function startServer(folder: string, { authority, server, tokenKey }: Certificates): Running {
  // biome-ignore format: a flag and its value stay on one line
  return start('kube-apiserver', binaryOf(programNamed('kube-apiserver')), [
    '--etcd-servers', 'http://127.0.0.1:2379',
    '--bind-address', SERVER.host,
    // No default route leads out of the namespace from which the server could guess it.
    '--advertise-address', '10.244.0.1',
    '--secure-port', String(SERVER.port),
    '--tls-cert-file', server.certificate,
    '--tls-private-key-file', server.key,
    '--client-ca-file', authority,
    '--service-account-issuer', 'https://kubernetes.default.svc',
    '--service-account-key-file', tokenKey,
    '--service-account-signing-key-file', tokenKey,
    '--service-cluster-ip-range', SERVICE_CIDR,
    '--authorization-mode', 'RBAC',
    '--endpoint-reconciler-type', 'none',
    '--disable-admission-plugins', 'ServiceAccount',
    // As OpenShift has it: who makes an object with an owner needs permission on the owner's finalizers.
    '--enable-admission-plugins', 'OwnerReferencesPermissionEnforcement',
    ...auditFlags(folder),
  ], { folder });
}

/** Writes the kubeconfig of the administrator, and gives its path. */
export function adminKubeconfig(folder: string, { authority, admin }: Certificates): string {
  const file = join(folder, 'admin.kubeconfig');
  writeFileSync(file, kubeconfig(authority, { 'client-certificate': admin.certificate, 'client-key': admin.key }));
  return file;
}

function startManager(folder: string, certificates: Certificates): Running {
  const { authority, tokenKey } = certificates;
  const config = adminKubeconfig(folder, certificates);
  // biome-ignore format: a flag and its value stay on one line
  return start('kube-controller-manager', binaryOf(programNamed('kube-controller-manager')), [
    '--kubeconfig', config,
    '--controllers', ['*', ...CONTROLLERS_OFF.map((name) => `-${name}`)].join(','),
    '--service-account-private-key-file', tokenKey,
    '--root-ca-file', authority,
    '--leader-elect=false',
    '--use-service-account-credentials=false',
    '--kube-api-qps', '500',
    '--kube-api-burst', '1000',
    '--concurrent-deployment-syncs', '20',
  ], { folder });
}

/** A kubeconfig for the stage's API server, as YAML that is JSON. */
export function kubeconfig(authority: string, user: Readonly<Record<string, string>>): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'stage',
    clusters: [
      {
        name: 'stage',
        cluster: { server: `https://${SERVER.host}:${SERVER.port}`, 'certificate-authority': authority },
      },
    ],
    users: [{ name: 'stage', user }],
    contexts: [{ name: 'stage', context: { cluster: 'stage', user: 'stage' } }],
  });
}
