/** Compares two states of a stack: what a change does to releases, and what happens when it is merged. */
import { groupedBy } from '../core/grouped';
import { groupKindOf, type Manifest } from '../core/manifest';
import type { Rehearsal } from '../core/rehearsal-result';
import type { DiffedSide, MergeEffect, StackDiff } from '../core/stack-diff';
import type { SuppressionResult } from '../core/suppression';
import type { World } from '../core/world';
import { type AllReleaseOptions, controllers } from '../rehearsal/controllers';
import type { Release } from '../release';
import { compareFindings } from './findings';
import { compareRelease, type ReleaseSide } from './releases';

/** One of the two states, checked and rehearsed. */
export interface CheckedSide extends SuppressionResult, Omit<DiffedSide, 'objects'> {
  readonly world: World;
  readonly rehearsals: readonly Rehearsal[];
  /** What its releases depend on besides the manifests. */
  readonly options: AllReleaseOptions;
}

/**
 * The difference between two states. The effects of a merge are those under the controllers of the head.
 * @example compareStacks(base, head).effects.map(({ message }) => message)
 */
export function compareStacks(base: CheckedSide, head: CheckedSide): StackDiff {
  const [before, after] = [sidesOf(base), sidesOf(head)];
  const keys = [...new Set([...after.keys(), ...before.keys()])].sort();
  const releases = keys.flatMap((key) => compareRelease(before.get(key), after.get(key)) ?? []);
  return {
    base: describe(base),
    head: describe(head),
    effects: effectsOf(base, head),
    releases,
    unchanged: keys.length - releases.length,
    findings: compareFindings(base, head),
  };
}

function describe({ name, commit, world }: CheckedSide): DiffedSide {
  return { name, ...(commit === undefined ? {} : { commit }), objects: world.manifests.length };
}

function effectsOf(base: CheckedSide, head: CheckedSide): MergeEffect[] {
  const all = controllers.flatMap(
    (controller) => controller.mergeEffects?.(base.world, head.world, head.options) ?? [],
  );
  return (['warning', 'note'] as const).flatMap((severity) => all.filter((effect) => effect.severity === severity));
}

/** The Rollouts of a state, by kind, namespace and name. */
function sidesOf({ world, rehearsals, options }: CheckedSide): ReadonlyMap<string, ReleaseSide> {
  const keyOf = (manifest: Manifest) => `${manifest.groupKind}\n${world.namespaceOf(manifest)}\n${manifest.name}`;
  const keyOfRef = ({ rollout: { kind, apiVersion = '', namespace = world.defaultNamespace, name } }: Rehearsal) =>
    `${groupKindOf(kind, apiVersion)}\n${namespace}\n${name}`;
  const releases = controllers.flatMap((controller) => controller.releasesOf(world, options));
  const byKey = groupedBy(releases, ({ manifest }: Release) => keyOf(manifest));
  const played = groupedBy(rehearsals, (rehearsal) => keyOfRef(rehearsal));
  const manifests = RELEASED.flatMap((kind) => world.list(kind));
  return new Map(
    manifests.map((manifest) => {
      const key = keyOf(manifest);
      return [key, { manifest, release: byKey.get(key)?.[0], rehearsal: played.get(key)?.[0] }];
    }),
  );
}

/** The kinds that declare a release. */
const RELEASED = ['Rollout.argoproj.io', 'Rollout.rollouts.kruise.io', 'TrafficRouting.rollouts.kruise.io'];
