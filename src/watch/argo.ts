/** The state of a release of Argo Rollouts. */
import { argoWorkloadOf } from '../argo/controller/play';
import { argoRolloutOf } from '../argo/release';
import type { Manifest, World } from '../core';
import { asObject, asText, stringsOf } from '../core/json';
import type { LiveCluster } from '../doctor';
import { argoStateOf } from '../doctor/argo/state';
import { isBehind, type LiveState, type Turn } from './live-state';

/** Reads the status of a Rollout. */
export function argoLiveState(manifest: Manifest, { world }: LiveCluster): LiveState {
  const rollout = argoRolloutOf(manifest, world);
  const state = argoStateOf(rollout);
  const status = asObject(manifest.get('status'));
  const turn = turnOf(manifest);
  const { steps } = rollout;
  return {
    text: state.text,
    isIdle: state.isIdle,
    isSettled: state.isSettled,
    isHealthy: state.isIdle && status.phase === 'Healthy' && isUpToDate(manifest, world),
    isBehind: !isUpToDate(manifest, world),
    isEnding: !state.isIdle && turn === undefined && state.step === undefined && steps.length > 0,
    ...(state.step === undefined ? {} : { step: state.step }),
    steps: steps.length,
    ...(state.message === undefined ? {} : { message: state.message }),
    ...(state.stableHash === undefined ? {} : { stableHash: state.stableHash }),
    ...(state.canaryHash === undefined ? {} : { canaryHash: state.canaryHash }),
    ...(turn === undefined ? {} : { turn }),
    selector: selectorOf(manifest, world),
    revisionLabels: ['rollouts-pod-template-hash'],
  };
}

function isUpToDate(manifest: Manifest, world: World): boolean {
  if (isBehind(manifest.get('metadata.generation'), manifest.get('status.observedGeneration') ?? '')) return false;
  const reference = manifest.get('spec.workloadRef');
  if (reference === undefined) return true;
  const { apiVersion, kind, name } = asObject(reference);
  const ref = { apiVersion: asText(apiVersion), kind: asText(kind), name: asText(name) };
  const workload = world.get({ ...ref, namespace: world.namespaceOf(manifest) });
  return !isBehind(workload?.get('metadata.generation'), manifest.get('status.workloadObservedGeneration') ?? '');
}

function selectorOf(manifest: Manifest, world: World): Readonly<Record<string, string>> {
  const own = stringsOf(manifest.get('spec.selector.matchLabels'));
  return Object.keys(own).length > 0 ? own : (argoWorkloadOf(world, manifest).labels ?? {});
}

function turnOf(manifest: Manifest): Turn | undefined {
  if (manifest.get('metadata.deletionTimestamp') !== undefined) {
    return { name: 'delete', why: 'the Rollout is being deleted', isBack: false };
  }
  if (manifest.get('status.abort') === true) {
    return { name: 'abort', why: `the release is aborted: ${abortedWhy(manifest)}`, isBack: true };
  }
  if (manifest.get('status.promoteFull') === true) {
    return { name: 'promote-full', why: 'somebody has fully promoted it', isBack: false };
  }
  return undefined;
}

function abortedWhy(manifest: Manifest): string {
  return asText(manifest.get('status.message')) || 'status.abort is true';
}
