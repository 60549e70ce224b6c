/**
 * Debian's nginx with a stub of ingress-nginx. The stub writes the servers and locations that ingress-nginx writes for Ingresses;
 * which of them takes a request is nginx's own answer. Canaries, which are Lua code of ingress-nginx, are not here.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Api, KubernetesObject } from '../cluster/api';
import { ready, start } from '../cluster/processes';
import { BACKEND_PORT, NAMESPACE } from './backends';
import type { GatewayOnStage } from './gateway';

const PORT = 80;
const NGINX = '/usr/sbin/nginx';

export const nginx: GatewayOnStage = {
  release: releaseOfNginx(),
  prepare() {
    if (this.release === '') throw new Error('nginx is not installed: apt-get install nginx-light');
  },
  crds: () => [],
  objects: [],
  async start(_plane, folder) {
    writeFileSync(configurationIn(folder), configuration([], new Map()));
    const process = start('nginx', NGINX, ['-c', configurationIn(folder), '-g', 'daemon off;'], { folder });
    await ready(process, async () => (await fetch(`http://127.0.0.1:${PORT}/`)).status === 404);
    return { port: PORT, processes: [process] };
  },
  async applied(api, folder) {
    const ingresses = await api.get(`/apis/networking.k8s.io/v1/namespaces/${NAMESPACE}/ingresses`);
    writeFileSync(configurationIn(folder), configuration(ingresses.items, await addressesByService(api)));
    execFileSync(NGINX, ['-c', configurationIn(folder), '-s', 'reload']);
  },
};

function releaseOfNginx(): string {
  return /nginx\/(\S+)/.exec(spawnSync(NGINX, ['-v'], { encoding: 'utf8' }).stderr ?? '')?.[1] ?? '';
}

function configurationIn(folder: string): string {
  return join(folder, 'nginx.conf');
}

async function addressesByService(api: Api): Promise<ReadonlyMap<string, string>> {
  const { items } = await api.get(`/apis/discovery.k8s.io/v1/namespaces/${NAMESPACE}/endpointslices`);
  return new Map(
    items.flatMap(({ metadata, endpoints }: KubernetesObject) =>
      (endpoints ?? [])
        .slice(0, 1)
        .map((one: KubernetesObject) => [metadata.labels['kubernetes.io/service-name'], one.addresses[0]]),
    ),
  );
}

function configuration(ingresses: readonly KubernetesObject[], addresses: ReadonlyMap<string, string>): string {
  const hosts = [...new Set(ingresses.flatMap(({ spec }) => spec.rules.map(({ host }: KubernetesObject) => host)))];
  const servers = hosts.map((host) => {
    const locations = ingresses.flatMap((ingress) =>
      ingress.spec.rules
        .filter((rule: KubernetesObject) => rule.host === host)
        .flatMap(({ http }: KubernetesObject) => http.paths.map((path: KubernetesObject) => ({ ingress, ...path }))),
    );
    return server(serverName(host), locationsOf(locations, addresses));
  });
  return `
worker_processes 1;
pid nginx.pid;
error_log stderr warn;
events { worker_connections 1024; }
http {
  access_log off;
  server_names_hash_bucket_size 128;
  server { listen ${PORT} default_server; server_name _; location / { return 404; } }
${servers.join('\n')}
}
`;
}

function server(name: string, locations: readonly string[]): string {
  return `  server {\n    listen ${PORT};\n    server_name ${name};\n${locations.join('\n')}\n  }`;
}

/** A wildcard becomes an expression for one label. */
function serverName(host: string): string {
  if (!host.startsWith('*.')) return host;
  return `~^(?<subdomain>[\\w-]+)\\.${host.slice(2).replaceAll('.', '\\.')}$`;
}

interface PathOfIngress extends KubernetesObject {
  readonly ingress: KubernetesObject;
}

/** Longest paths first. Where one path of a server is an expression, all of them are. */
function locationsOf(paths: readonly PathOfIngress[], addresses: ReadonlyMap<string, string>): string[] {
  const sorted = [...paths].sort((a, b) => b.path.length - a.path.length || (a.path < b.path ? 1 : -1));
  const hasExpressions = sorted.some(isExpression);
  const exact = new Set(sorted.filter(({ pathType }) => pathType === 'Exact').map(({ path }) => path));
  const names = sorted.flatMap((one): [string, PathOfIngress][] => {
    const { path, pathType } = one;
    if (path === '/' && pathType !== 'Exact') return [[path, one]];
    if (pathType === 'Exact' || isExpression(one)) return [[pathType === 'Exact' ? `= ${path}` : path, one]];
    const below: [string, PathOfIngress] = [path.endsWith('/') ? path : `${path}/`, one];
    return exact.has(path) ? [below] : [below, [`= ${path}`, one]];
  });
  const named = hasExpressions
    ? names.map(([name, one]): [string, PathOfIngress] => [`~* "^${name.replace('= ', '')}"`, one])
    : names;
  const all = named.map(([name, one]) => location(name, addresses.get(one.backend.service.name)));
  return named.some(([name]) => name === '/' || name === '~* "^/"') ? all : [...all, '    location / { return 404; }'];
}

function isExpression({ ingress }: PathOfIngress): boolean {
  return ingress.metadata.annotations?.['nginx.ingress.kubernetes.io/use-regex'] === 'true';
}

function location(name: string, address: string | undefined): string {
  const answer = address === undefined ? 'return 503;' : `proxy_pass http://${address}:${BACKEND_PORT};`;
  return `    location ${name} { ${answer} }`;
}
