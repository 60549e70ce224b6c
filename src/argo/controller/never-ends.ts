import { asObject, isSet, type JsonObject, partOf } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import type { World } from '../../core/world';
import { autoscalerOf, boundsOf } from '../../release';
import { ArgoRolloutsVersion } from '../version';
import { NO_TEMPLATE } from './analysis';
import { canaryOf, passesOf, replicasOf, stepsOf } from './steps';
import { thresholdOf } from './threshold';

/** The step that a release does not get beyond, although all pods are ready, or the number of steps; undefined where more pods might help. */
export function neverEnds(
  manifest: Manifest,
  world: World,
  version = ArgoRolloutsVersion.LATEST,
): { readonly step: number; readonly why?: string } | undefined {
  const rollout = withMostPods(manifest, world);
  const isKnown =
    isSet(partOf(rollout, 'spec')?.replicas) || thresholdOf(canaryOf(rollout), version)?.type === 'Percent';
  if (replicasOf(rollout) === 0) return undefined;
  const passes = passesOf(rollout, { version });
  const { step, waits } = passes.find((pass) => pass.waits !== undefined) ?? {};
  if (!isKnown && waits !== NO_TEMPLATE) return undefined;
  if (step !== undefined && waits !== undefined) return { step, why: waits };
  return passes.at(-1)!.phase === 'promoted' ? undefined : { step: stepsOf(rollout).length };
}

/** A Rollout with as many pods as an autoscaler may add. */
export function withMostPods(manifest: Manifest, world: World): JsonObject {
  const autoscaler = autoscalerOf(world, manifest, world.namespaceOf(manifest));
  const { object } = manifest;
  if (autoscaler === undefined) return object;
  return { ...object, spec: { ...asObject(object.spec), replicas: boundsOf(autoscaler).max } };
}
