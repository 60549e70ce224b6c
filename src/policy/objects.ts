/** The objects of Kubernetes among the resources of a stack, as the program declares them. */
import type { PolicyProviderResource } from '@pulumi/policy';
import type { ObjectRef } from '../core/finding';
import { isJsonObject, ownValue, setOwnValue } from '../core/json';
import type { Path } from '../core/path';
import { isUnknown, unknownPaths } from './unknowns';

/** A resource as a policy sees it, alone or in a stack. */
export interface Resource {
  readonly type: string;
  readonly urn: string;
  readonly props: Record<string, unknown>;
  readonly provider?: PolicyProviderResource;
}

/** An object that a resource declares. */
export interface StackObject {
  readonly urn: string;
  /** The same for resources of providers that lead to the same cluster. */
  readonly cluster: string;
  readonly object: Readonly<Record<string, unknown>>;
  /** Where it holds values that are not known yet. */
  readonly unknown: readonly Path[];
}

/** What the resources of a stack are about. */
export interface Declared {
  readonly objects: readonly StackObject[];
  /** Objects that exist elsewhere, and that the stack patches. */
  readonly patched: readonly { readonly cluster: string; readonly ref: ObjectRef }[];
}

const TYPE = /^kubernetes:([^:]+):([A-Za-z0-9]+)$/;

/** Resources of the provider that are no objects: charts, and what writes several objects. */
const NO_OBJECTS = /^(helm\.sh\/|yaml|kustomize|index$)/;

/** What the API server writes, where the state of a resource holds no inputs. */
const SERVER_FIELDS = ['creationTimestamp', 'generation', 'managedFields', 'resourceVersion', 'selfLink', 'uid'];
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Resources of Kubernetes by what they are given: without the proxies of Pulumi, which throw at every unknown value. */
export function kubernetesResources(resources: readonly Resource[]): Resource[] {
  return resources
    .filter(({ type }) => isObjectType(type))
    .map(({ type, urn, props, provider }) => ({
      type,
      urn,
      props: ownProps(props),
      ...(provider && { provider: { ...provider, props: ownProps(provider.props) } }),
    }));
}

/** The objects that the resources declare. */
export function declaredBy(resources: readonly Resource[]): Declared {
  const objects: StackObject[] = [];
  const patched: { cluster: string; ref: ObjectRef }[] = [];
  for (const resource of resources) {
    const cluster = clusterOf(resource.provider);
    const object = objectOf(resource);
    if (object === undefined) continue;
    if (resource.type.endsWith('Patch') && !String(object.kind).endsWith('Patch')) {
      patched.push({ cluster, ref: refOf(object) });
      continue;
    }
    for (const each of itemsOf(object)) {
      objects.push({ urn: resource.urn, cluster, object: each, unknown: unknownPaths(each) });
    }
  }
  return { objects, patched };
}

/** How a finding would name the object. */
function refOf(object: Readonly<Record<string, unknown>>): ObjectRef {
  const text = (value: unknown) => (typeof value === 'string' && !isUnknown(value) ? value : '');
  const namespace = text(ownValue(object.metadata, 'namespace'));
  return {
    apiVersion: text(object.apiVersion),
    kind: text(object.kind),
    ...(namespace !== '' && { namespace }),
    name: text(ownValue(object.metadata, 'name')),
  };
}

function isObjectType(type: string): boolean {
  const group = TYPE.exec(type)?.[1];
  return group !== undefined && !NO_OBJECTS.test(group);
}

/** A look at the properties themselves; one through the proxy throws where a value is unknown. */
function ownProps(props: unknown): Record<string, unknown> {
  if (typeof props !== 'object' || props === null) return {};
  const own: Record<string, unknown> = {};
  for (const key of Object.keys(props)) {
    const value = Object.getOwnPropertyDescriptor(props, key)?.value;
    setOwnValue(own, key, value);
  }
  return own;
}

function objectOf({ type, props, provider }: Resource): Record<string, unknown> | undefined {
  const inputs = props.__inputs;
  const isState = isJsonObject(inputs);
  const declared = plain(isState ? inputs : withoutState(props)) as Record<string, unknown>;
  const [, group, kind] = TYPE.exec(type)!;
  const object: Record<string, unknown> = {
    ...declared,
    apiVersion: textOr(declared.apiVersion, group!.replace(/^core\//, '')),
    kind: textOr(declared.kind, kind!.replace(/Patch$/, '')),
  };
  return withNamespace(object, provider?.props.namespace);
}

/** A provider may have a namespace for everything that names none. */
function withNamespace(object: Record<string, unknown>, namespace: unknown): Record<string, unknown> {
  const metadata = isJsonObject(object.metadata) ? object.metadata : {};
  if (typeof namespace !== 'string' || isUnknown(namespace) || ownValue(metadata, 'namespace') !== undefined) {
    return object;
  }
  return { ...object, metadata: { ...metadata, namespace } };
}

function withoutState(props: Record<string, unknown>): Record<string, unknown> {
  const isDeclared = (key: string) => !key.startsWith('__') && key !== 'status' && key !== 'id' && key !== 'urn';
  const object = Object.fromEntries(Object.entries(props).filter(([key]) => isDeclared(key)));
  if (!isJsonObject(props.metadata)) return object;
  const metadata: Record<string, unknown> = { ...props.metadata };
  for (const field of SERVER_FIELDS) delete metadata[field];
  if (isJsonObject(metadata.annotations)) {
    const { [LAST_APPLIED]: _, ...annotations } = metadata.annotations;
    metadata.annotations = annotations;
  }
  return { ...object, metadata };
}

/** The items of a list of objects, which Kubernetes takes one by one. */
function itemsOf(object: Record<string, unknown>): Record<string, unknown>[] {
  const { kind, apiVersion, items } = object;
  if (typeof kind !== 'string' || !kind.endsWith('List') || !Array.isArray(items)) return [object];
  return items.filter(isJsonObject).map((item) => ({
    apiVersion,
    kind: kind === 'List' ? '' : kind.slice(0, -'List'.length),
    ...item,
  }));
}

/** Providers with the same way to a cluster lead to the same one; where the way is not known, each has its own. */
function clusterOf(provider: PolicyProviderResource | undefined): string {
  if (provider === undefined) return '';
  const { kubeconfig, context, cluster } = provider.props;
  const way = [kubeconfig, context, cluster].map((value) => value ?? '');
  if (way.some(isUnknown)) return provider.urn;
  return way.every((value) => value === '') ? '' : JSON.stringify(way);
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' && !isUnknown(value) ? value : otherwise;
}

/** Plain data alone: files and archives are no part of an object. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => plain(entry) ?? null);
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) return undefined;
  const object = {};
  for (const key of Object.keys(value)) {
    const entry = plain(ownValue(value, key));
    if (entry !== undefined) setOwnValue(object, key, entry as never);
  }
  return object;
}
