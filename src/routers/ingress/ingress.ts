import { isJsonObject, type Json, type JsonObject, type Manifest, ownValue, type Path, type World } from '../../core';
import { remembered } from '../../core/remembered';
import { listOf, textOf } from '../values';

/** The annotations of an object. */
export type Annotations = Readonly<Record<string, string>>;

/** An Ingress as every controller reads it. A value of the wrong type counts as absent. */
export interface Ingress {
  readonly manifest: Manifest;
  readonly namespace: string;
  readonly name: string;
  /** `namespace/name` */
  readonly key: string;
  readonly annotations: Annotations;
  readonly className: string | undefined;
  readonly deleted: boolean;
  readonly rules: readonly IngressRule[];
  readonly defaultBackend: Backend | undefined;
}

/** One entry of `spec.rules`. */
export interface IngressRule {
  /** Empty matches every host. */
  readonly host: string;
  readonly paths: readonly IngressPath[];
}

export interface IngressPath {
  /** Empty matches every path. */
  readonly path: string;
  readonly pathType: string | undefined;
  readonly backend: Backend;
  /** The path in the manifest. */
  readonly at: Path;
}

export interface Backend {
  /** Undefined for a resource backend. */
  readonly service: { readonly name: string; readonly port: number | string } | undefined;
  /** The path in the manifest. */
  readonly at: Path;
}

const known = new WeakMap<Manifest, Ingress>();

/** Reads an Ingress of the World, once. */
export function readIngress(world: World, manifest: Manifest): Ingress {
  const namespace = world.namespaceOf(manifest);
  const before = known.get(manifest);
  // A World with another default namespace may have the same object.
  if (before?.namespace === namespace) return before;
  const { name, annotations } = manifest;
  const spec = ownValue(manifest.object, 'spec');
  const isOld = manifest.apiVersion === 'networking.k8s.io/v1beta1';
  const routes = isJsonObject(spec) ? (isOld ? oldRoutesOf : routesOf)(spec) : NO_ROUTES;
  const ingress = {
    manifest,
    namespace,
    name,
    key: `${namespace}/${name}`,
    annotations,
    className: textOf(ownValue(spec, 'ingressClassName')),
    deleted: typeof ownValue(ownValue(manifest.object, 'metadata'), 'deletionTimestamp') === 'string',
    ...routes,
  };
  known.set(manifest, ingress);
  return ingress;
}

type Routes = Pick<Ingress, 'rules' | 'defaultBackend'>;

const NO_ROUTES: Routes = { rules: [], defaultBackend: undefined };

/** Kept by the spec, which stays the same while a controller changes annotations. */
const routesOf = remembered((spec: JsonObject) => readRoutes(spec, false));
const oldRoutesOf = remembered((spec: JsonObject) => readRoutes(spec, true));

function readRoutes(spec: JsonObject, isOld: boolean): Routes {
  const defaultBackend = ownValue(spec, 'defaultBackend');
  return {
    rules: listOf(ownValue(spec, 'rules')).map((rule, index) => readRule(rule, index, isOld)),
    defaultBackend: isJsonObject(defaultBackend) ? readBackend(defaultBackend, ['spec', 'defaultBackend']) : undefined,
  };
}

function readRule(rule: Json, index: number, isOld: boolean): IngressRule {
  const paths = listOf(ownValue(ownValue(rule, 'http'), 'paths'));
  return {
    host: textOf(ownValue(rule, 'host')) ?? '',
    paths: paths.map((path, pathIndex) => readPath(path, ['spec', 'rules', index, 'http', 'paths', pathIndex], isOld)),
  };
}

function readPath(path: Json, at: Path, isOld: boolean): IngressPath {
  return {
    path: textOf(ownValue(path, 'path')) ?? '',
    pathType: textOf(ownValue(path, 'pathType')),
    backend: readBackend(ownValue(path, 'backend'), [...at, 'backend'], isOld),
    at,
  };
}

function readBackend(backend: Json | undefined, at: Path, isOld = false): Backend {
  const service = ownValue(backend, 'service');
  if (isOld) {
    // The form of v1beta1, which old recipes use.
    const name = textOf(ownValue(backend, 'serviceName'));
    const servicePort = ownValue(backend, 'servicePort');
    const port = typeof servicePort === 'number' ? servicePort : (textOf(servicePort) ?? 0);
    return { service: name === undefined ? undefined : { name, port }, at };
  }
  if (!isJsonObject(service)) return { service: undefined, at };
  const port = ownValue(service, 'port');
  const number = ownValue(port, 'number');
  const portNumber = typeof number === 'number' ? number : 0;
  return {
    service: { name: textOf(ownValue(service, 'name')) ?? '', port: textOf(ownValue(port, 'name')) || portNumber },
    at,
  };
}
