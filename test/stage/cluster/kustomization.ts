/** Manifests in the Go module of a program, as its kustomization would place them. */
import { existsSync, readFileSync } from 'node:fs';
import type { KubernetesObject } from './api';
import { objectsIn } from './documents';

/** Where a kustomization places its objects. */
export interface Place {
  readonly namespace: string;
  /** Comes before each name. */
  readonly prefix: string;
}

/** The objects of a file; none where there is no file. */
export function documentsOf(file: string): KubernetesObject[] {
  if (!existsSync(file)) return [];
  return objectsIn(readFileSync(file, 'utf8'));
}

/** A configuration of webhooks with the selectors that patches add to it, by the name of the webhook. */
export function withWebhookPatches(object: KubernetesObject, patches: readonly KubernetesObject[]): KubernetesObject {
  const patch = patches.find(({ kind, metadata }) => kind === object.kind && metadata.name === object.metadata.name);
  for (const { name, ...changes } of patch?.webhooks ?? []) {
    Object.assign(object.webhooks.find((webhook: KubernetesObject) => webhook.name === name) ?? {}, changes);
  }
  return object;
}

const NAMESPACED = /^(Deployment|Role|RoleBinding|Service|ServiceAccount)$/;

/** With the prefix before each name, and the namespace. */
export function placed({ status: _status, ...object }: KubernetesObject, place: Place): KubernetesObject {
  if (object.kind === 'CustomResourceDefinition') return object;
  const renamed = (name: string) => (name === 'system' ? place.namespace : `${place.prefix}${name}`);
  const namespace = NAMESPACED.test(object.kind) ? { namespace: place.namespace } : {};
  const whole = { ...object, metadata: { ...object.metadata, ...namespace } };
  return JSON.parse(JSON.stringify(whole), (key, value) => {
    if (key === 'namespace') return place.namespace;
    if (key === 'creationTimestamp') return undefined;
    if (key === 'serviceAccountName') return renamed(value);
    if (['metadata', 'roleRef', 'service'].includes(key) && typeof value?.name === 'string') {
      return { ...value, name: renamed(value.name) };
    }
    if (key === 'subjects') return value.map((one: KubernetesObject) => ({ ...one, name: renamed(one.name) }));
    return value;
  });
}
