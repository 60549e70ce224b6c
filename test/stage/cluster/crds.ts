/**
 * CRDs of the gateways, so that the API server judges what a controller writes. They are read from the archives of their Go
 * modules. What has no Go module gets a CRD of ours that accepts every spec.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { KubernetesObject } from './api';
import { objectsIn } from './documents';

/** Where a module has its CRDs, and which kinds of it the labs need. */
const MODULES: readonly { readonly module: string; readonly path: string; readonly kinds: readonly string[] }[] = [
  {
    module: 'sigs.k8s.io/gateway-api',
    path: 'config/crd/standard',
    kinds: ['Gateway', 'GatewayClass', 'HTTPRoute', 'ReferenceGrant'],
  },
  {
    module: 'istio.io/api',
    path: 'kubernetes/customresourcedefinitions.gen.yaml',
    kinds: ['VirtualService', 'DestinationRule', 'Gateway', 'ServiceEntry'],
  },
  { module: 'github.com/projectcontour/contour', path: 'examples/contour/01-crds.yaml', kinds: ['HTTPProxy'] },
  {
    module: 'github.com/traefik/traefik/v3',
    path: 'docs/content/reference/dynamic-configuration',
    kinds: ['IngressRoute', 'TraefikService', 'Middleware'],
  },
  {
    module: 'github.com/openkruise/kruise',
    path: 'config/crd/bases',
    kinds: ['CloneSet', 'StatefulSet', 'DaemonSet'],
  },
];

/** Kinds without a Go module. */
const OWN: readonly (readonly [group: string, version: string, kind: string, plural: string])[] = [
  ['apisix.apache.org', 'v2', 'ApisixRoute', 'apisixroutes'],
  ['kuma.io', 'v1alpha1', 'MeshHTTPRoute', 'meshhttproutes'],
  ['elbv2.k8s.aws', 'v1beta1', 'TargetGroupBinding', 'targetgroupbindings'],
];

const FOLDER = join(__dirname, '..', 'programs', 'crds');

/** The CRDs of every gateway that a lab uses. */
export function gatewayCrds(): KubernetesObject[] {
  const upstream = MODULES.flatMap(({ module, path, kinds }) =>
    filesOf(join(moduleFolder(module), path))
      .flatMap((file) => objectsIn(readFileSync(file, 'utf8')))
      .filter((object) => object.kind === 'CustomResourceDefinition' && kinds.includes(object.spec.names.kind)),
  );
  return [...upstream, ...OWN.map(([group, version, kind, plural]) => permissive(group, version, kind, plural))];
}

/** Every CRD of the Gateway API, as a program's go.mod names its release: a gateway waits for all kinds that it knows. */
export function gatewayApiCrds(program: string): KubernetesObject[] {
  const folder = moduleFolder('sigs.k8s.io/gateway-api', join(__dirname, '..', 'programs', program));
  return filesOf(join(folder, 'config/crd/standard')).flatMap((file) => objectsIn(readFileSync(file, 'utf8')));
}

/** The folder of a module that the go.mod of a folder names. */
export function moduleFolder(module: string, folder = FOLDER): string {
  const ended = spawnSync('go', ['mod', 'download', '-json', module], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, GOTOOLCHAIN: 'local', GOFLAGS: '-mod=mod' },
  });
  if (ended.status !== 0) throw new Error(`the CRDs of ${module}: ${ended.stderr || ended.stdout}`);
  return JSON.parse(ended.stdout).Dir;
}

/** A file, or the files with CRDs of a folder. */
export function filesOf(path: string): string[] {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path)
    .filter((name) => /_.*\.ya?ml$/.test(name))
    .sort()
    .map((name) => join(path, name));
}

function permissive(group: string, version: string, kind: string, plural: string): KubernetesObject {
  const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      scope: 'Namespaced',
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: anything } }],
    },
  };
}
