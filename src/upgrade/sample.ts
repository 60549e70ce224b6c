/** The part of a stack that shows every kind of difference between two releases, so that each fact is tried with few objects. */
import { WorldCut } from '../check';
import type { Finding, ObjectRef } from '../core/finding';
import type { UpgradedRollout, UpgradeReport } from '../core/upgrade-result';
import { World } from '../core/world';
import { objectKey } from './outcome';

/** Some objects of a stack, and those of them that are rehearsed. */
export interface Sample {
  readonly world: World;
  /** By `objectKey`. */
  readonly rollouts: ReadonlySet<string>;
  /** Whether findings of scripts in ConfigMaps differ. */
  readonly hasScripts: boolean;
}

/** What differs for the stack as a whole. */
type Differences = Pick<UpgradeReport, 'appears' | 'gone' | 'rollouts'>;

const SUBJECTS = ['Rollout.rollouts.kruise.io', 'TrafficRouting.rollouts.kruise.io', 'Rollout.argoproj.io'];

/**
 * For each kind of difference the first object that has it, with what belongs to it. Installs and objects without a namespace
 * are always there.
 */
export function sampleOf(world: World, differences: Differences): Sample {
  const chosen = firstOfEachKind(differences);
  const subjects = SUBJECTS.flatMap((kind) => world.list(kind));
  const rollouts = new Set(chosen.map(objectKey));
  const cut = WorldCut.of(world, Math.max(subjects.length, 1));
  const parts = new Set(chosen.flatMap((object) => cut.partOf(object) ?? []));
  const worlds = [...(parts.size === 0 ? [0] : parts)].map((part) => cut.parts[part]!.world);
  const manifests = new Set(worlds.flatMap((each) => each.manifests));
  return {
    world: World.of(manifests, { defaultNamespace: world.defaultNamespace }),
    rollouts,
    hasScripts: chosen.some(({ kind }) => kind === 'ConfigMap'),
  };
}

function firstOfEachKind({ appears, gone, rollouts }: Differences): ObjectRef[] {
  const signs = new Map<string, { readonly object: ObjectRef; readonly signs: Set<string> }>();
  const note = (object: ObjectRef, sign: string) => {
    const known = signs.get(objectKey(object)) ?? { object, signs: new Set() };
    signs.set(objectKey(object), known);
    known.signs.add(sign);
  };
  const noteFindings = (findings: readonly Finding[], mark: string) => {
    for (const { object, rule } of findings) if (object !== undefined) note(object, `${mark}${rule}`);
  };
  noteFindings(appears, '+');
  noteFindings(gone, '-');
  for (const rollout of rollouts) note(rollout.rollout, courseSign(rollout));
  const sorted = [...signs].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
  const kinds = new Map<string, ObjectRef>();
  for (const { object, signs: own } of sorted) {
    const kind = [object.kind, ...[...own].sort()].join(' ');
    if (!kinds.has(kind)) kinds.set(kind, object);
  }
  return [...kinds.values()];
}

/** A text that is equal for Rollouts whose courses differ in the same way. */
function courseSign({ only, stories }: UpgradedRollout): string {
  const ways = stories.map(({ name, moments, writes, ends, stops }) => [
    name,
    moments.map((moment) => [moment.phase, moment.only]),
    writes.map(({ object, fields }) => [object.kind, fields.map(({ path }) => path)]),
    ends,
    Object.values(stops ?? {}).map((stop) => stop.class),
  ]);
  return JSON.stringify([only, ways]);
}
