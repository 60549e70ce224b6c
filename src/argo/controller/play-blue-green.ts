/** Plays a blue-green release: the controller changes the selectors of two Services, and writes no Ingress. */

import type { JsonObject } from '../../core/json';
import { asText, numberOf, partOf } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import type { World } from '../../core/world';
import type { PodGroup } from '../../release';
import {
  type ArgoMoment,
  type ArgoPlay,
  type ArgoWorkload,
  argoWorkloadOf,
  podsOf,
  withPods,
  withSelector,
} from './play';

/**
 * Plays a blue-green Rollout: idle, the preview Service without pods and then with them, the switch of the active Service,
 * and separately an abort after the switch. Never throws. Undefined for any other Rollout.
 */
export function playArgoBlueGreen(world: World, manifest: Manifest): ArgoPlay | undefined {
  const workload = argoWorkloadOf(world, manifest);
  const strategy = partOf(partOf(partOf(workload.object, 'spec'), 'strategy'), 'blueGreen');
  if (strategy === undefined) return undefined;
  return { moments: momentsOf(world, workload, strategy), services: [] };
}

type Selected = 'stable' | 'canary';

function momentsOf(world: World, workload: ArgoWorkload, strategy: JsonObject): ArgoMoment[] {
  const active = asText(strategy.activeService);
  const preview = asText(strategy.previewService);
  const previewed = numberOf(strategy.previewReplicaCount);
  const all = workload.replicas;
  const old = podsOf(workload, 'stable', all);
  const next = podsOf(workload, 'canary', all);
  const moments: ArgoMoment[] = [];
  const add = (
    phase: ArgoMoment['phase'],
    event: string,
    selected: { readonly active: Selected; readonly preview: Selected },
    pods: readonly PodGroup[],
    declaredPreview?: number,
  ) => {
    const pointed = withSelector(world, preview, workload, selected.preview);
    moments.push({
      phase,
      event,
      world: withPods(withSelector(pointed, active, workload, selected.active), pods, workload),
      written: [preview, active].map((name) => ({
        apiVersion: 'v1',
        kind: 'Service',
        name,
        namespace: workload.namespace,
      })),
      pods,
      declared: {
        weight: selected.active === 'canary' ? 100 : 0,
        headerRoutes: [],
        ...(declaredPreview === undefined ? {} : { preview: declaredPreview }),
      },
    });
  };
  const before = { active: 'stable', preview: 'stable' } as const;
  const previewing = { active: 'stable', preview: 'canary' } as const;
  const switched = { active: 'canary', preview: 'canary' } as const;
  add('before', 'idle', before, [old], 0);
  add('prepare', 'no pod of the new version is ready', previewing, [old]);
  if (previewed !== undefined && previewed < all) {
    const some = podsOf(workload, 'canary', previewed);
    add('prepare', `${previewed} of ${all} new pods are ready`, previewing, [old, some], previewed > 0 ? 1 : undefined);
  }
  add('prepare', 'the new pods are ready', previewing, [old, next], 1);
  add('finish', `Service ${active} selects the new pods`, switched, [old, next], 1);
  add('finish', 'the old pods are gone', switched, [next], 1);
  // An abort never moves the preview Service, and 0 keeps the new pods.
  add('abort', `aborted, and Service ${active} selects the old pods`, previewing, [old, next]);
  if (numberOf(strategy.abortScaleDownDelaySeconds) !== 0) {
    add('abort', 'the new pods are gone', previewing, [old]);
  }
  return moments;
}
