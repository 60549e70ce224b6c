/**
 * Fields that a controller rewrites in a user's own objects, and how a GitOps tool is configured to ignore them. Each
 * controller's folder lists its fields. Labels, annotations and objects that a controller only adds are not in Git, and
 * no tool reports them as drift.
 */
import type { ObjectRef } from './finding';
import { groupKindOf, groupOf, type Manifest } from './manifest';

/** The fields of one object that a controller rewrites. */
export interface RewrittenFields {
  /** The object. */
  readonly object: ObjectRef & { readonly apiVersion: string };
  /** JSON pointers: `/spec/paused`. */
  readonly pointers: readonly string[];
}

/** An entry of `spec.ignoreDifferences` of an Argo CD Application. */
export interface ArgoCdIgnoreDifferences {
  /** The API group of the object. */
  readonly group: string;
  /** The kind of the object. */
  readonly kind: string;
  /**
   * The namespace of the object.
   * @default - the object has no namespace, or leaves it to the Application
   */
  readonly namespace?: string;
  /** The name of the object. */
  readonly name: string;
  /** The fields that the controller rewrites: `/spec/paused`. */
  readonly jsonPointers: readonly string[];
}

/** An entry of `spec.ignore` of a Flux Kustomization, and of `spec.driftDetection.ignore` of a HelmRelease. */
export interface FluxIgnoreRule {
  /** The fields that the controller rewrites: `/spec/paused`. */
  readonly paths: readonly string[];
  /** Selects the object. Each value is a regular expression that must match the whole text. */
  readonly target: {
    readonly group?: string;
    readonly kind: string;
    readonly namespace?: string;
    readonly name: string;
  };
}

/** The fields of an object that a stack has. */
export function fieldsOf(manifest: Manifest, pointers: readonly string[]): RewrittenFields {
  return { object: { ...manifest.ref, apiVersion: manifest.apiVersion }, pointers };
}

/** A JSON pointer from its keys: `jsonPointer('metadata', 'annotations', 'a/b')` is `/metadata/annotations/a~1b`. */
export function jsonPointer(...keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The keys of a JSON pointer. */
export function keysOfPointer(pointer: string): string[] {
  return pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** One entry for each object, with the pointers of all its entries. */
export function mergeRewritten(fields: readonly RewrittenFields[]): RewrittenFields[] {
  const byObject = new Map<string, RewrittenFields>();
  for (const { object, pointers } of fields) {
    const key = JSON.stringify([groupKindOf(object.kind, object.apiVersion), object.namespace, object.name]);
    const all = new Set([...(byObject.get(key)?.pointers ?? []), ...pointers]);
    byObject.set(key, { object, pointers: [...all].sort() });
  }
  return [...byObject.values()];
}

/** In the order of kind, namespace and name. */
export function sortRewritten(fields: readonly RewrittenFields[]): RewrittenFields[] {
  return [...fields].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

/** For `spec.ignoreDifferences` of an Argo CD Application. */
export function argoCdIgnoreDifferences(fields: readonly RewrittenFields[]): ArgoCdIgnoreDifferences[] {
  return fields.map(({ object, pointers }) => ({
    group: groupOf(object.apiVersion),
    kind: object.kind,
    ...(object.namespace === undefined ? {} : { namespace: object.namespace }),
    name: object.name,
    jsonPointers: pointers,
  }));
}

/** For `spec.ignore` of a Flux Kustomization, or `spec.driftDetection.ignore` of a HelmRelease. */
export function fluxIgnoreRules(fields: readonly RewrittenFields[]): FluxIgnoreRule[] {
  return fields.map(({ object, pointers }) => {
    const group = groupOf(object.apiVersion);
    return {
      paths: pointers,
      target: {
        ...(group === '' ? {} : { group: literal(group) }),
        kind: object.kind,
        ...(object.namespace === undefined ? {} : { namespace: literal(object.namespace) }),
        name: literal(object.name),
      },
    };
  });
}

/** The regular expression that matches this text only. */
function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function sortKey({ object }: RewrittenFields): string {
  return `${groupKindOf(object.kind, object.apiVersion)}\n${object.namespace ?? ''}\n${object.name}`;
}
