/** Plays a blue-green release: the controller changes the selectors of two Services, and writes no Ingress. */

import { asText, partOf } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import type { World } from '../../core/world';
import type { PodGroup } from '../../release';
import { type ArgoMoment, type ArgoPlay, argoWorkloadOf, podsOf, withPods, withSelector } from './play';

/**
 * Plays a blue-green Rollout: idle, the new pods behind the preview Service, the switch of the active Service, and
 * separately an abort after the switch. Never throws. Undefined for any other Rollout.
 */
export function playArgoBlueGreen(world: World, manifest: Manifest): ArgoPlay | undefined {
  const workload = argoWorkloadOf(world, manifest);
  const strategy = partOf(partOf(partOf(workload.object, 'spec'), 'strategy'), 'blueGreen');
  if (strategy === undefined) return undefined;
  const active = asText(strategy.activeService);
  const preview = asText(strategy.previewService);
  const moments: ArgoMoment[] = [];
  const selecting = (activeHash: string, previewHash: string) =>
    withSelector(withSelector(world, active, workload, activeHash), preview, workload, previewHash);
  const old = podsOf(workload, 'stable', workload.replicas);
  const next = podsOf(workload, 'canary', workload.replicas);
  const add = (phase: ArgoMoment['phase'], event: string, state: World, pods: readonly PodGroup[], weight: number) =>
    moments.push({
      phase,
      event,
      world: withPods(state, pods, workload),
      pods,
      declared: { weight, headerRoutes: [] },
    });
  add('before', 'idle', selecting('stable', 'stable'), [old], 0);
  add('prepare', 'the new pods are ready', selecting('stable', 'canary'), [old, next], 0);
  add('finish', `Service ${active} selects the new pods`, selecting('canary', 'canary'), [old, next], 100);
  add('finish', 'the old pods are gone', selecting('canary', 'canary'), [next], 100);
  add('abort', `aborted, and Service ${active} selects the old pods`, selecting('stable', 'canary'), [old, next], 0);
  return { moments, services: [] };
}
