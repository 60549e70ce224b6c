import type { Manifest } from '../../core/manifest';
import type { World } from '../../core/world';
import { writtenFrom } from '../../release';
import { placed } from '../admission/findings';
import { ArgoRolloutsVersion } from '../version';
import { readAlbRollout, restingPingPongOf } from './alb-rollout';
import { applyCalls } from './apply';
import { CanaryAbort } from './canary-abort';
import { type ArgoMoment, type ArgoPlay, argoWorkloadOf } from './play';
import { type ResetOptions, resetAfterDeletion } from './reset';
import { ingressesOf, isPlayedCanary, withIngresses } from './routes';
import { callsOf } from './steps';

/**
 * Plays a Rollout with a canary: idle, every step, the end, and separately an abort. Never throws: an error that stops the
 * controller is part of the result. Undefined for any other Rollout, and for one with a traffic router that is not played.
 *
 * @example playArgoCanary(world, rollout)?.moments.map(({ event }) => event)
 */
export function playArgoCanary(
  world: World,
  manifest: Manifest,
  version = ArgoRolloutsVersion.LATEST,
): ArgoPlay | undefined {
  const workload = argoWorkloadOf(world, manifest);
  if (!isPlayedCanary(workload.object)) return undefined;
  return new CanaryAbort(world, workload, version).play();
}

/** The World after the controller has processed idle Rollouts: their Ingresses have actions. */
export function withIdleActions(world: World, rollouts: readonly Manifest[]): World {
  const written = new Map<string, Manifest>();
  for (const manifest of rollouts) {
    const object = placed(manifest, world);
    const rollout = readAlbRollout(object, restingPingPongOf(object));
    if (rollout === undefined) continue;
    // Several Rollouts may write to one Ingress.
    const found = ingressesOf(world, rollout, world.namespaceOf(manifest), written);
    const { ingresses } = applyCalls(
      rollout,
      found.map((one) => one.object),
      callsOf(object, { phase: 'promoted' }),
    );
    for (const [index, { key, manifest: before, object: old }] of found.entries()) {
      if (ingresses[index] !== old) written.set(key, writtenFrom(before, ingresses[index]!));
    }
  }
  return written.size === 0 ? world : world.with(...written.values());
}

/** The World after the deletion of a Rollout. */
export interface ArgoDeletion {
  readonly world: World;
  /** Ingresses that keep their weights, with the message in the controller's log. */
  readonly givenUp: readonly { readonly ingress: string; readonly message: string }[];
}

/** Deletes a Rollout at a moment of its play. Its pods stay, as with `kubectl delete --cascade=orphan`. */
export function playArgoDeletion(
  moment: Pick<ArgoMoment, 'world'>,
  manifest: Manifest,
  options: ResetOptions = {},
): ArgoDeletion {
  const { world } = moment;
  const rollout = readAlbRollout(argoWorkloadOf(world, manifest).object);
  if (rollout === undefined) return { world, givenUp: [] };
  const found = ingressesOf(world, rollout, world.namespaceOf(manifest));
  const { ingresses, givenUp } = resetAfterDeletion(
    found.map(({ object }) => object),
    options,
  );
  return { world: withIngresses(world, found, ingresses).without(manifest), givenUp };
}
