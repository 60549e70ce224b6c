/**
 * Which fields of a user's own objects the controller rewrites, so that a GitOps tool can be told to leave them alone.
 * Annotations that it only adds are in nobody's Git, and no tool takes them for drift.
 */
import type { ObjectRef } from '../core/finding';
import { groupKindOf, type Manifest } from '../core/manifest';
import type { World } from '../core/world';
import { ARGO_ROLLOUT } from './admission/findings';
import { ingressesOf, servicesOf } from './admission/references';
import { actionKey, conditionKey, readAlbRollout } from './controller';
import { asObject, asText, isSet } from './values';

/** Fields of one object that the controller rewrites. */
export interface ArgoRewrittenFields {
  readonly object: ObjectRef & { readonly apiVersion: string };
  /** JSON pointers, sorted: `/spec/rules`. */
  readonly pointers: readonly string[];
}

/**
 * What Argo Rollouts rewrites in a World for the Rollouts that are asked about: the selectors of their Services, the paths of
 * their Ingresses where a header route is among the steps, actions that a manifest declares, and the replicas of a workload
 * that it scales down.
 *
 * @example rewrittenByArgo(World.of(manifests))
 */
export function rewrittenByArgo(
  world: World,
  isMeant: (manifest: Manifest) => boolean = () => true,
): ArgoRewrittenFields[] {
  const all = world
    .list(ARGO_ROLLOUT)
    .filter(isMeant)
    .flatMap((rollout) => [...serviceFields(rollout), ...ingressFields(rollout, world), ...workloadFields(rollout)]);
  return merged(all).sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

/** The label by which the pods of one version are told from those of another. */
const HASH_LABEL = 'rollouts-pod-template-hash';

/** A namespace that the manifest leaves open is left open here too. */
function placeOf(rollout: Manifest) {
  return rollout.namespace === undefined ? {} : { namespace: rollout.namespace };
}

function serviceFields(rollout: Manifest): ArgoRewrittenFields[] {
  return servicesOf(rollout.object).map(({ name }) => ({
    object: { apiVersion: 'v1', kind: 'Service', name, ...placeOf(rollout) },
    pointers: [`/spec/selector/${HASH_LABEL}`],
  }));
}

function ingressFields(rollout: Manifest, world: World): ArgoRewrittenFields[] {
  const alb = readAlbRollout(rollout.object);
  if (alb === undefined) return [];
  const written = [
    actionKey(alb, alb.actionService),
    ...alb.managedRoutes.flatMap((route) => [actionKey(alb, route), conditionKey(alb, route)]),
  ];
  return ingressesOf(rollout.object).flatMap(({ name }) => {
    const ingress = world.find('Ingress.networking.k8s.io', name, world.namespaceOf(rollout));
    const declared = written.filter((key) => ingress?.annotations[key] !== undefined);
    const pointers = [
      ...declared.map((key) => `/metadata/annotations/${escaped(key)}`),
      ...(alb.managedRoutes.length === 0 ? [] : ['/spec/rules']),
    ];
    if (pointers.length === 0) return [];
    return [{ object: { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name, ...placeOf(rollout) }, pointers }];
  });
}

/** Argo scales a Deployment only, and only where it is told to. */
function workloadFields(rollout: Manifest): ArgoRewrittenFields[] {
  const { workloadRef } = asObject(rollout.object.spec);
  const { apiVersion, kind, name, scaleDown } = asObject(workloadRef);
  if (!isSet(scaleDown) || scaleDown === 'never' || kind !== 'Deployment') return [];
  const object = { apiVersion: asText(apiVersion), kind, name: asText(name), ...placeOf(rollout) };
  return [{ object, pointers: ['/spec/replicas'] }];
}

function merged(fields: readonly ArgoRewrittenFields[]): ArgoRewrittenFields[] {
  const byObject = new Map<string, ArgoRewrittenFields>();
  for (const { object, pointers } of fields) {
    const key = JSON.stringify([groupKindOf(object.kind, object.apiVersion), object.namespace, object.name]);
    const all = new Set([...(byObject.get(key)?.pointers ?? []), ...pointers]);
    byObject.set(key, { object, pointers: [...all].sort() });
  }
  return [...byObject.values()];
}

function sortKey({ object }: ArgoRewrittenFields): string {
  return `${groupKindOf(object.kind, object.apiVersion)}\n${object.namespace ?? ''}\n${object.name}`;
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
