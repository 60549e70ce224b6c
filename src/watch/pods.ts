/** The ready pods behind the Services of a release, by version. */
import type { Manifest } from '../core';
import type { WatchedPods } from '../core/watched-release';
import type { LiveCluster } from '../doctor';
import { isReady } from '../doctor/requests';
import { type ReleaseTraffic, selectorOf } from '../release';
import type { LiveState } from './live-state';

/** Counts them. */
export function podsBehind(cluster: LiveCluster, traffic: ReleaseTraffic | undefined, state: LiveState): WatchedPods[] {
  if (traffic === undefined || cluster.unread('Pod', traffic.namespace) !== undefined) return [];
  const { namespace, stableService, canaryService, objects } = traffic;
  const others = objects.filter(({ kind }) => kind === 'Service').map(({ name }) => name);
  const names = [...new Set([stableService, canaryService, ...others])].filter((name) => name !== '');
  const ready = cluster.world.list('Pod', namespace).filter(isReady);
  return names.flatMap((service): WatchedPods[] => {
    const found = cluster.world.find('Service', service, namespace);
    if (found === undefined) return [];
    const selector = Object.entries(selectorOf(found.object));
    const selected = ready.filter(({ labels }) => selector.every(([key, value]) => labels[key] === value));
    return [{ service, versions: selector.length === 0 ? {} : countsOf(selected, state) }];
  });
}

function countsOf(pods: readonly Manifest[], state: LiveState): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const { labels } of pods) {
    const version = versionOf(state.revisionLabels.map((label) => labels[label]).find(Boolean) ?? '', state);
    counts.set(version, (counts.get(version) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].sort(([a], [b]) => orderOf(a) - orderOf(b) || (a < b ? -1 : 1)));
}

/** Pods of a third version have their hash as its name. */
function versionOf(hash: string, { isIdle, stableHash, canaryHash }: LiveState): string {
  const isOf = (version: string | undefined) => version !== undefined && version !== '' && hash.endsWith(version);
  if (isOf(canaryHash) && canaryHash !== stableHash && !isIdle) return 'new';
  const isUnknown = isIdle && stableHash === undefined && canaryHash === undefined;
  if (isUnknown || isOf(stableHash) || (isIdle && isOf(canaryHash))) return isIdle ? 'current' : 'old';
  return hash || 'unknown';
}

function orderOf(version: string): number {
  return ['current', 'old', 'new'].indexOf(version) >>> 0;
}
