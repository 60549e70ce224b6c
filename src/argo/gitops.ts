/** The fields that Argo Rollouts rewrites in a user's own objects. */
import { jsonPointer, mergeRewritten, type RewrittenFields, sortRewritten } from '../core/gitops';
import { asObject, asText, isSet } from '../core/json';
import type { Manifest } from '../core/manifest';
import type { World } from '../core/world';
import { ARGO_ROLLOUT } from './admission/findings';
import { ingressesOf, servicesOf } from './admission/references';
import { actionKey, conditionKey, readAlbRollout } from './controller';

/**
 * For the selected Rollouts of a World: the selectors of their Services, the paths of their Ingresses if a step sets a header
 * route, the actions that a manifest declares, and the replicas of a workload that the Rollout scales down.
 *
 * @example rewrittenByArgo(World.of(manifests))
 */
export function rewrittenByArgo(
  world: World,
  isMeant: (manifest: Manifest) => boolean = () => true,
): RewrittenFields[] {
  const all = world
    .list(ARGO_ROLLOUT)
    .filter(isMeant)
    .flatMap((rollout) => [...serviceFields(rollout), ...ingressFields(rollout, world), ...workloadFields(rollout)]);
  return sortRewritten(mergeRewritten(all));
}

/** The label that distinguishes the pods of one version from those of another. */
const HASH_LABEL = 'rollouts-pod-template-hash';

/** Without a namespace if the manifest has none, because the GitOps tool then adds it. */
function placeOf(rollout: Manifest) {
  return rollout.namespace === undefined ? {} : { namespace: rollout.namespace };
}

function serviceFields(rollout: Manifest): RewrittenFields[] {
  return servicesOf(rollout.object).map(({ name }) => ({
    object: { apiVersion: 'v1', kind: 'Service', name, ...placeOf(rollout) },
    pointers: [`/spec/selector/${HASH_LABEL}`],
  }));
}

function ingressFields(rollout: Manifest, world: World): RewrittenFields[] {
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
      ...declared.map((key) => jsonPointer('metadata', 'annotations', key)),
      ...(alb.managedRoutes.length === 0 ? [] : ['/spec/rules']),
    ];
    if (pointers.length === 0) return [];
    return [{ object: { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name, ...placeOf(rollout) }, pointers }];
  });
}

/** Argo scales down Deployments only, and only if `scaleDown` asks for it. */
function workloadFields(rollout: Manifest): RewrittenFields[] {
  const { workloadRef } = asObject(rollout.object.spec);
  const { apiVersion, kind, name, scaleDown } = asObject(workloadRef);
  if (!isSet(scaleDown) || scaleDown === 'never' || kind !== 'Deployment') return [];
  const object = { apiVersion: asText(apiVersion), kind, name: asText(name), ...placeOf(rollout) };
  return [{ object, pointers: ['/spec/replicas'] }];
}
