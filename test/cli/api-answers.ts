/** What an API server answers: discovery, lists in pages, single objects, refusals. */
import { parseManifests } from '../../src/core';
import { groupKindOfRead, READ_KINDS } from '../../src/doctor';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What an API server has. */
export interface ServedObjects {
  /** YAML of the objects. */
  readonly objects: string;
  /** Kinds that the server has beside those of built-in groups and of the objects. */
  readonly kinds?: readonly string[];
  readonly version?: string;
  /**
   * Of every list.
   * @default '7'
   */
  readonly resourceVersion?: string;
}

/** Groups of Kubernetes itself, which every API server has. */
const BUILT_IN = ['', 'apps', 'networking.k8s.io', 'rbac.authorization.k8s.io', 'admissionregistration.k8s.io'];

interface Resource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

interface Stored {
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
  readonly object: Record<string, unknown>;
}

/** `Status`, as an API server refuses. */
export function status(code: number, reason: string, message: string): Answer {
  return { status: code, body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason, code } };
}

export function forbidden(plural: string): Answer {
  return status(403, 'Forbidden', `${plural} is forbidden: User "jane" cannot list resource "${plural}"`);
}

/** The answers of a server with these objects. */
export function apiAnswers({
  objects,
  kinds = [],
  version = 'v1.34.2',
  resourceVersion = '7',
}: ServedObjects): (url: URL) => Answer {
  const stored = parseManifests(objects, 'objects.yaml').manifests.map(({ object }) => object);
  const resources = resourcesOf(stored, kinds);
  const all = stored.map((object): Stored => {
    const { apiVersion, kind, metadata } = object as {
      apiVersion: string;
      kind: string;
      metadata: Record<string, string>;
    };
    const resource = resources.find((one) => one.kind === kind && apiVersionOf(one) === apiVersion)!;
    const namespace = resource.namespaced ? (metadata.namespace ?? 'default') : '';
    return { resource, namespace, name: metadata.name!, object: object as Record<string, unknown> };
  });
  return (url) => answerTo(url, all, resources, { version, resourceVersion });
}

function apiVersionOf({ group, version }: Resource): string {
  return group === '' ? version : `${group}/${version}`;
}

function resourcesOf(stored: readonly object[], kinds: readonly string[]): Resource[] {
  const known = new Map<string, Resource>();
  for (const object of stored) {
    const { apiVersion, kind } = object as { apiVersion: string; kind: string };
    const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
    const read = READ_KINDS.find((one) => one.kind === kind && one.group === group);
    const plural = read?.plural ?? `${kind.toLowerCase()}s`;
    known.set(`${kind}.${group}`, { group: group!, version: version!, kind, plural, namespaced: !read?.clusterScoped });
  }
  for (const read of READ_KINDS) {
    const { group, kind, plural } = read;
    const isThere = BUILT_IN.includes(group) || kinds.includes(groupKindOfRead(read));
    if (!isThere || known.has(`${kind}.${group}`)) continue;
    known.set(`${kind}.${group}`, { group, version: 'v1', kind, plural, namespaced: !read.clusterScoped });
  }
  return [...known.values()];
}

function answerTo(
  url: URL,
  all: readonly Stored[],
  resources: readonly Resource[],
  { version, resourceVersion }: { readonly version: string; readonly resourceVersion: string },
): Answer {
  const { pathname } = url;
  if (pathname === '/version') return ok({ gitVersion: version, major: '1', minor: '34' });
  if (pathname === '/apis') return ok(groupList(resources));
  const [, prefix, ...parts] = pathname.split('/');
  const group = prefix === 'api' ? '' : parts.shift();
  const served = parts.shift();
  const here = resources.filter((one) => one.group === group && one.version === served);
  if (here.length === 0) return status(404, 'NotFound', 'the server could not find the requested resource');
  if (parts.length === 0) return ok(resourceList(here, `${group === '' ? '' : `${group}/`}${served}`));
  const namespace = parts[0] === 'namespaces' && parts.length > 2 ? parts.splice(0, 2)[1] : undefined;
  const [plural, name] = parts;
  const resource = here.find((one) => one.plural === plural);
  if (resource === undefined) return status(404, 'NotFound', 'the server could not find the requested resource');
  const found = all.filter(
    (one) => one.resource === resource && (namespace === undefined || one.namespace === namespace),
  );
  if (name === undefined) return list(resource, found, url.searchParams, resourceVersion);
  const object = found.find((one) => one.name === name)?.object;
  return object === undefined ? status(404, 'NotFound', `${plural} "${name}" not found`) : ok(object);
}

function list(resource: Resource, found: readonly Stored[], query: URLSearchParams, resourceVersion: string): Answer {
  const name = /^metadata\.name=(.*)$/.exec(query.get('fieldSelector') ?? '')?.[1];
  const named = name === undefined ? found : found.filter((one) => one.name === name);
  const start = Number(query.get('continue') ?? 0);
  const end = query.has('limit') ? start + Number(query.get('limit')) : named.length;
  // Items of a list have neither apiVersion nor kind.
  const items = named.slice(start, end).map(({ object: { apiVersion: _version, kind: _kind, ...rest } }) => rest);
  const metadata = { resourceVersion, ...(end < named.length ? { continue: String(end) } : {}) };
  return ok({ kind: `${resource.kind}List`, apiVersion: apiVersionOf(resource), metadata, items });
}

function groupList(resources: readonly Resource[]) {
  const names = [...new Set(resources.map(({ group }) => group))].filter((name) => name !== '');
  const groups = names.map((name) => {
    const own = [...new Set(resources.filter((one) => one.group === name).map((one) => one.version))];
    const versions = own.map((version) => ({ groupVersion: `${name}/${version}`, version }));
    return { name, versions, preferredVersion: versions[0] };
  });
  return { kind: 'APIGroupList', apiVersion: 'v1', groups };
}

function resourceList(here: readonly Resource[], groupVersion: string) {
  const verbs = ['get', 'list', 'watch'];
  const resources = here.flatMap(({ kind, plural, namespaced }) => [
    { name: plural, singularName: '', namespaced, kind, verbs },
    { name: `${plural}/status`, singularName: '', namespaced, kind, verbs: ['get'] },
  ]);
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources };
}

function ok(body: unknown): Answer {
  return { status: 200, body };
}
