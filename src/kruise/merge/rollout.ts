/** What an edit of a Rollout does to a release that is in progress when it is applied. */
import { type JsonObject, sameJson } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import { formatPath, type Path } from '../../core/path';
import type { MergeEffect } from '../../core/stack-diff';
import { admitRollout } from '../admission';
import type { AdmissionProblem } from '../admission/problem';
import { changesPlan, panicOfPlan, stepOfChangedPlan, workloadOf } from '../controller';
import { toV1alpha1, toV1beta1 } from '../convert';
import { ROLLOUT, type RolloutSubject } from '../subject';
import { effectOf, nameOf, type RolloutChange } from './effect';
import type { MergeOptions } from './options';

/**
 * The effects of an edit of a Rollout.
 * @param ofWorkload the effects of the change of its workload in the same merge
 */
export function rolloutEffects(
  change: RolloutChange,
  ofWorkload: readonly MergeEffect[],
  options: MergeOptions,
): MergeEffect[] {
  const { before, after } = change;
  if (before === undefined) return takenWorkload(change, options);
  if (sameJson(before.manifest.get('spec'), after.manifest.get('spec'))) return [];
  if (after.manifest.get('spec.disabled') === true)
    return before.manifest.get('spec.disabled') === true ? [] : [disabled(after)];
  const locked = lockedChanges(before, after, options);
  if (locked === 'refused') return [neverApplied(after)];
  const starts = ofWorkload.some(({ kind }) => kind === 'starts-release');
  if (locked.length > 0) return locked.map((one) => refusal(after, one, starts));
  return replanned({ ...change, before });
}

/** What the webhook refuses while a release is in progress, and not otherwise; or that the edit is refused at any time. */
function lockedChanges(
  before: RolloutSubject,
  { manifest: after }: RolloutSubject,
  { kruiseVersion, partitionPercentLimit }: MergeOptions,
): readonly AdmissionProblem[] | 'refused' {
  const options = {
    ...(kruiseVersion && { version: kruiseVersion }),
    ...(partitionPercentLimit === undefined ? {} : { partitionPercentLimit }),
  };
  // What is stored has the defaults that the manifest leaves out.
  const { object: old } = admitRollout(inVersionOf(before, after.version), {}, options);
  const idle = admitRollout(after.object, { old }, options);
  if (!idle.allowed) return 'refused';
  const locked = admitRollout(after.object, { old: { ...old, status: { phase: 'Progressing' } } }, options);
  return !locked.allowed && locked.by === 'webhook' ? locked.problems : [];
}

/** The API server converts the stored Rollout before the webhook compares it. */
function inVersionOf({ manifest, v1alpha1 }: RolloutSubject, version: string): JsonObject {
  if (manifest.version === version) return manifest.object;
  const { rollout } = v1alpha1 ? toV1beta1(manifest.object) : toV1alpha1(manifest.object);
  return rollout as unknown as JsonObject;
}

function neverApplied(after: RolloutSubject): MergeEffect {
  return effectOf(after, after.manifest, {
    kind: 'refused',
    severity: 'warning',
    message: `the edit of ${nameOf(after.manifest)} is not applied: it is refused, whether a release is in progress or not`,
    because: 'the API server or the webhook refuses what it says, and the Rollout in the cluster stays as it is',
    fix: 'correct what the findings of the Rollout say',
    path: ['spec'],
  });
}

function refusal(after: RolloutSubject, { path, text }: AdmissionProblem, starts: boolean): MergeEffect {
  const what = `${formatPath(path)} ${text.replace(/ while a release is in progress$/, '')}`;
  const name = nameOf(after.manifest);
  if (starts) {
    return effectOf(after, after.manifest, {
      kind: 'refused',
      severity: 'warning',
      message: `the same merge starts a release and edits ${name}: ${what}, which the webhook refuses once the release is in progress`,
      because:
        'most tools apply the workload first, and the webhook locks this field as soon as the controller has begun',
      fix: 'merge the edit of the Rollout first, and the new pods afterwards',
      path,
    });
  }
  return effectOf(after, after.manifest, {
    kind: 'refused',
    severity: 'note',
    message: `${name}: ${what}; while a release is in progress the webhook refuses this`,
    because:
      'the webhook locks this field until the release is over, and a GitOps tool reports the refusal as a failed sync',
    fix: 'merge it when no release is in progress',
    path,
  });
}

/** Other steps: a release that waits at one of them may take it anew, or go on at another one. */
function replanned({
  before,
  after,
  head,
  version,
}: RolloutChange & { readonly before: RolloutSubject }): MergeEffect[] {
  if (!changesPlan(before, after)) return [];
  const ref = after.workload?.ref;
  const { replicas } = workloadOf(ref, ref && head.get({ ...ref, namespace: after.namespace }));
  const effects = before.steps.map(({ index, path, object }) => {
    if (panicOfPlan(after, index, version.facts) !== undefined) return panicking(after, index);
    const goesOn = stepOfChangedPlan({ before, after, replicas }, index, version.facts);
    if (goesOn !== index) return moved(after, index, goesOn);
    return sameJson(object, after.steps[index]?.object) ? undefined : rerouted(after, index, path);
  });
  return effects.filter((effect) => effect !== undefined);
}

function panicking(after: RolloutSubject, index: number): MergeEffect {
  const { manifest, strategy } = after;
  return effectOf(after, manifest, {
    kind: 'reroutes',
    severity: 'warning',
    message: `a release that waits at step ${index + 1} of ${nameOf(manifest)} makes the controller panic, for all Rollouts`,
    because: 'the controller looks for the current step, which is gone, exits, and does the same when it starts again',
    fix: 'merge it when no release is in progress',
    path: [...strategy.path, 'steps'],
  });
}

function moved(after: RolloutSubject, from: number, to: number): MergeEffect {
  const isNext = to > from;
  return effectOf(after, after.manifest, {
    kind: 'reroutes',
    severity: 'warning',
    message:
      `a release that waits at step ${from + 1} of ${nameOf(after.manifest)} ` +
      (isNext ? `goes on to step ${to + 1}, and nobody has approved it` : `goes back to step ${to + 1}`),
    because: isNext
      ? 'the new step wants fewer pods than the release has, and the controller takes the first one that has enough for them'
      : 'the controller goes to the first step that has enough pods for those that the release has',
    fix: isNext
      ? `keep the replicas of step ${from + 1}, and change its traffic alone`
      : 'merge it when no release is in progress',
    path: after.steps[Math.min(from, after.steps.length - 1)]!.path,
  });
}

/** A step that is edited in place. */
function rerouted(after: RolloutSubject, index: number, path: Path): MergeEffect {
  return effectOf(after, after.manifest, {
    kind: 'reroutes',
    severity: 'note',
    message: `a release that waits at step ${index + 1} of ${nameOf(after.manifest)} takes the new step at once`,
    because:
      'the webhook lets this edit pass; the controller goes back to routing, writes what the step says now, and waits again',
    path,
  });
}

function disabled(after: RolloutSubject): MergeEffect {
  return effectOf(after, after.manifest, {
    kind: 'ends-release',
    severity: 'warning',
    message: `${nameOf(after.manifest)} is disabled: if a release is in progress, all users get the new version`,
    because:
      'the controller takes the routes away and resumes the workload, which replaces all pods; it rolls nothing back',
    fix: 'wait for the end of the release, or roll it back first',
    path: ['spec', 'disabled'],
  });
}

/** A new Rollout for a workload that another one steers until it is deleted. */
function takenWorkload({ base, head, after }: RolloutChange, options: MergeOptions): MergeEffect[] {
  const inHead = (manifest: Manifest) => head.find(ROLLOUT, manifest.name, after.namespace) !== undefined;
  const gone = base.list(ROLLOUT, after.namespace).filter((manifest) => !inHead(manifest));
  const place = { namespace: after.namespace };
  const placed = ({ object }: Manifest) => ({
    ...object,
    metadata: { ...(object.metadata as typeof object), ...place },
  });
  const { kruiseVersion: version } = options;
  const verdict = admitRollout(
    placed(after.manifest),
    { existing: gone.map(placed) },
    version === undefined ? {} : { version },
  );
  const taken = !verdict.allowed && verdict.by === 'webhook' ? verdict.problems : [];
  return taken
    .filter(({ rule }) => rule === 'rollout-workload-taken')
    .map(({ path, text }) =>
      effectOf(after, after.manifest, {
        kind: 'refused',
        severity: 'warning',
        message: `the webhook refuses ${nameOf(after.manifest)} as long as the old one exists: ${text}`,
        because: 'a workload has one Rollout at most, and most tools create objects before they delete others',
        fix: 'keep the name, or have the old Rollout deleted first',
        path,
      }),
    );
}
