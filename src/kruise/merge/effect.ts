import type { Manifest } from '../../core/manifest';
import { formatPath, type Path } from '../../core/path';
import type { MergeEffect } from '../../core/stack-diff';
import type { World } from '../../core/world';
import type { RolloutSubject } from '../subject';
import type { KruiseRolloutVersion } from '../version';

/** A Rollout before and after a change. */
export interface RolloutChange {
  readonly base: World;
  readonly head: World;
  readonly version: KruiseRolloutVersion;
  /**
   * The Rollout before.
   * @default - it is new
   */
  readonly before?: RolloutSubject | undefined;
  readonly after: RolloutSubject;
}

/** `Rollout shop/web` */
export function nameOf({ kind, namespace, name }: Manifest): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

type EffectTexts = Pick<MergeEffect, 'kind' | 'severity' | 'message' | 'because' | 'fix'>;

/** An effect of a change of an object, with its place. */
export function effectOf(
  { manifest }: RolloutSubject,
  object: Manifest,
  { path, ...texts }: EffectTexts & { readonly path?: Path },
): MergeEffect {
  const source = object.sourceOf(path);
  return {
    ...texts,
    rollout: manifest.ref,
    object: object.ref,
    ...(path === undefined ? {} : { path: formatPath(path) }),
    ...(source === undefined ? {} : { source }),
  };
}
