/** The script that makes the canary Ingress of a route: of the ConfigMap, of the controller's image, or one that is not known. */

import type { StringMap } from '../../core/json';
import { lazy } from '../../core/lazy';
import type { Manifest } from '../../core/manifest';
import type { World } from '../../core/world';
import { LUA_CONFIG_MAP_NAME } from '../api';
import { createCanaryIngress } from '../controller/canary-ingress';
import { RolloutScripts } from '../controller/providers';
import type { RolloutCheck } from '../rules/context';
import type { RouteSubject } from '../subject';

/** What a script makes of the annotations of a stable Ingress. */
export interface CanaryScript {
  /** `other` reads no order from the stable Ingress; `unknown` is not in the stack, and counts as a script of this library. */
  readonly kind: 'builtin' | 'library' | 'other' | 'unknown';
  /** The annotations of the canary Ingress when it is created; undefined if the script fails. */
  annotationsOf(stable: Manifest): StringMap | undefined;
}

/** Finds the script of a route. */
export type FindCanaryScript = (route: RouteSubject) => CanaryScript;

/**
 * Finds the scripts of a stack.
 * @param orderAnnotations the annotations from which scripts of this library read the order of the canary Ingress
 */
export function canaryScriptsOf(rollouts: RolloutCheck, orderAnnotations: readonly string[]): FindCanaryScript {
  const { world, version, controllerNamespace, scripts: stated } = rollouts;
  const ref = { apiVersion: 'v1', kind: 'ConfigMap', namespace: controllerNamespace, name: LUA_CONFIG_MAP_NAME };
  const isElsewhere = stated === undefined && world.get(ref) === undefined && rollouts.isExternal(ref);
  const scripts = lazy(() => new RolloutScripts(rollouts.scriptSources()));
  return (route) => {
    const prepared = isElsewhere ? undefined : scripts().ingress(route.ingress?.classType ?? '');
    if (prepared === undefined || !prepared.ok) return UNKNOWN;
    const { run, source } = prepared;
    const readsOrder = orderAnnotations.some((annotation) => source.includes(annotation));
    return {
      kind: prepared.from === 'builtin' ? 'builtin' : readsOrder ? 'library' : 'other',
      annotationsOf: (stable) => {
        const services = { stableService: route.service, canaryService: route.canaryService };
        return createCanaryIngress(withNamespace(world, stable), services, run, version).canaryIngress?.metadata
          .annotations;
      },
    };
  };
}

const UNKNOWN: CanaryScript = { kind: 'unknown', annotationsOf: () => undefined };

function withNamespace(world: World, stable: Manifest): unknown {
  const { metadata, ...rest } = stable.object;
  return { ...rest, metadata: { ...(metadata as object), namespace: world.namespaceOf(stable) } };
}
