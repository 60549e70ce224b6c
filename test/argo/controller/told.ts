import {
  ARGO_REVISION_LABEL,
  type ArgoController,
  type ArgoMoment,
  type ArgoStory,
  tellArgoRollout,
} from '../../../src/argo/controller';
import { Manifest, World } from '../../../src/core';
import type { StoryAction } from '../../../src/release';
import { type StackOptions, stackOf } from '../../stage/labs/argo/stack';

/** Tells one story of the Rollout of a stack. */
export function tell(
  options: StackOptions,
  actions: readonly StoryAction[],
  controller: ArgoController = {},
): ArgoStory {
  const manifests = stackOf(options).map((object) => Manifest.of(object));
  const rollout = manifests.find(({ kind }) => kind === 'Rollout')!;
  return tellArgoRollout(World.of(manifests), rollout, [{ name: 'mine', actions }], controller)![0]!;
}

/**
 * A moment in one line: what was done, the phase, what happened, the pods of each hash, what Services select, and what is declared.
 *
 * `(promote) finish: Service shop-active selects the new pods [4 stable, 4 canary] active>canary preview>canary = 100 %`
 */
export function lineOf({ did, phase, step, event, pods, world, declared, lasts }: ArgoMoment): string {
  const selected = world.list('Service').flatMap((service) => {
    const hash = service.get(['spec', 'selector', ARGO_REVISION_LABEL]);
    return hash === undefined ? [] : [`${service.name.replace('shop-', '')}>${hash}`];
  });
  const groups = pods.map(
    ({ replicas, revision, hash }) => `${replicas} ${revision}${hash === undefined ? '' : ` ${hash}`}`,
  );
  const share =
    declared === undefined
      ? []
      : [
          `= ${declared.weight} %`,
          ...declared.headerRoutes.map(({ name }) => name),
          ...(declared.preview === undefined ? [] : [`preview ${declared.preview}`]),
        ];
  return [
    ...(did === undefined ? [] : [`(${did.join(', ')})`]),
    `${phase}${step === undefined ? '' : ` ${step}`}: ${event}`,
    `[${groups.join(', ')}]`,
    ...selected,
    ...share,
    ...(lasts === undefined ? [] : [`for ${lasts.seconds} s of ${lasts.field}`]),
  ].join(' ');
}

/** The moments of a story, and how it ends. */
export function linesOf({ end, why, moments }: ArgoStory): string[] {
  return [...moments.map(lineOf), why === undefined ? end : `${end}: ${why}`];
}
