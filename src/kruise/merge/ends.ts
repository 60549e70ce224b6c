/** What happens when a Rollout is deleted. */
import type { MergeEffect } from '../../core/stack-diff';
import { podChangesText } from '../../kubernetes/pod-template';
import { isSameWorkload } from '../admission/workload';
import { type RolloutSubject, rolloutsOf } from '../subject';
import { effectOf, nameOf, type RolloutChange } from './effect';
import { podChanges } from './workload';

/** The effects of a Rollout that the head does not have any more. */
export function endEffects(
  gone: RolloutSubject,
  { base, head, version }: Pick<RolloutChange, 'base' | 'head' | 'version'>,
): MergeEffect[] {
  const ref = gone.workload && { ...gone.workload.ref, namespace: gone.namespace };
  const [before, after] = ref === undefined ? [] : [base.get(ref), head.get(ref)];
  const isReplaced = rolloutsOf(head, version).some(
    ({ namespace, workload }) =>
      namespace === gone.namespace && workload !== undefined && ref !== undefined && isSameWorkload(workload.ref, ref),
  );
  const changes = before === undefined || after === undefined || isReplaced ? [] : podChanges(before, after);
  return [
    effectOf(gone, gone.manifest, {
      kind: 'ends-release',
      severity: 'warning',
      message: `${nameOf(gone.manifest)} goes: if a release is in progress when it is deleted, all users get the new version`,
      because:
        'the controller takes the routes away and resumes the workload, which replaces all pods; it rolls nothing back',
      fix: 'wait for the end of the release, or roll it back first',
    }),
    ...(changes.length === 0
      ? []
      : [
          effectOf(gone, after!, {
            kind: 'no-canary' as const,
            severity: 'warning' as const,
            message: `${nameOf(after!)} replaces all pods without a canary, because its Rollout goes with the same change (${podChangesText(changes, after!.get('spec.template'))})`,
            because: 'without a Rollout nothing pauses the workload',
            path: changes[0]!.path,
          }),
        ]),
  ];
}
