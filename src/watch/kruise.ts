/** The state of a release of Kruise Rollouts. */
import type { Manifest } from '../core';
import { asObject, asText, numberOf, stringsOf } from '../core/json';
import type { LiveCluster } from '../doctor';
import { releaseStateOf } from '../doctor/kruise/state';
import { IN_PROGRESSING_ANNOTATION } from '../kruise/api';
import { readRollout } from '../kruise/subject';
import type { KruiseRolloutVersion } from '../kruise/version';
import { isBehind, type LiveState, type Turn } from './live-state';

/** Reads the status of a Rollout. */
export function kruiseLiveState(manifest: Manifest, cluster: LiveCluster, version: KruiseRolloutVersion): LiveState {
  const namespace = cluster.world.namespaceOf(manifest);
  const rollout = readRollout(manifest, namespace, version);
  const state = releaseStateOf(rollout);
  const workload = rollout.workload && cluster.world.get({ ...rollout.workload.ref, namespace });
  const turn = turnOf(manifest, state.text);
  const phase = asText(manifest.get('status.phase'));
  return {
    text: state.text,
    isIdle: state.isIdle,
    isSettled: state.isSettled,
    isHealthy: phase === 'Healthy' && workload !== undefined && isUpToDate(manifest, workload),
    isBehind: isBehind(workload?.get('metadata.generation'), observedOf(manifest)),
    isEnding: !state.isIdle && !state.isSettled && !state.text.includes('step ') && state.step !== undefined,
    ...(state.step === undefined ? {} : { step: state.step }),
    steps: rollout.steps.length,
    ...(state.message === undefined ? {} : { message: state.message }),
    ...(state.stableHash === undefined ? {} : { stableHash: state.stableHash }),
    ...(state.canaryHash === undefined ? {} : { canaryHash: state.canaryHash }),
    ...(turn === undefined ? {} : { turn }),
    // The status keeps both hashes when a release is over.
    ...(state.isIdle ? { ended: /cancelled/.test(state.message ?? '') ? 'rolled back' : 'released' } : {}),
    selector: stringsOf(workload?.get('spec.selector.matchLabels')),
    revisionLabels: ['pod-template-hash', 'controller-revision-hash'],
  };
}

function observedOf(manifest: Manifest): unknown {
  const status = asObject(manifest.get('status'));
  const release = status.canaryStatus ?? status.blueGreenStatus;
  return asObject(release).observedWorkloadGeneration ?? '';
}

/** The webhook marks a workload in the same write that begins a release, before the controller has seen it. */
function isUpToDate(rollout: Manifest, workload: Manifest): boolean {
  if (workload.annotations[IN_PROGRESSING_ANNOTATION] !== undefined) return false;
  if (isBehind(rollout.get('metadata.generation'), rollout.get('status.observedGeneration') ?? '')) return false;
  const status = asObject(workload.get('status'));
  if (isBehind(workload.get('metadata.generation'), status.observedGeneration ?? '')) return false;
  const [wanted, updated] = [numberOf(workload.get('spec.replicas')), numberOf(status.updatedReplicas)];
  return wanted === undefined || updated === undefined || updated >= wanted;
}

function turnOf(manifest: Manifest, text: string): Turn | undefined {
  const phase = asText(manifest.get('status.phase'));
  if (manifest.get('metadata.deletionTimestamp') !== undefined || phase === 'Terminating') {
    return { name: 'delete', why: 'the Rollout is being deleted', isBack: false };
  }
  if (manifest.get('spec.disabled') === true || phase === 'Disabling' || phase === 'Disabled') {
    return { name: 'disable', why: 'spec.disabled is true', isBack: false };
  }
  if (text.includes('Cancelling')) {
    return { name: 'roll-back', why: 'the workload has the old pod template again', isBack: true };
  }
  if (/please rollback first/.test(asText(manifest.get('status.message')))) {
    return { name: 'third-revision', why: 'another version came into the blue-green release', isBack: false };
  }
  return undefined;
}
