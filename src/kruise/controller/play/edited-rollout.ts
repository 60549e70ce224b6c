/** What the webhook says about an edit of a Rollout. */
import type { Manifest } from '../../../core/manifest';
import { formatPath } from '../../../core/path';
import { type AdmissionVerdict, admitRollout } from '../../admission';
import type { KruiseRolloutVersion } from '../../version';

/** Why the webhook refuses an edit; undefined if it does not. */
export function refusalOf(
  old: Manifest,
  edited: Manifest,
  isInProgress: boolean,
  version: KruiseRolloutVersion,
): string | undefined {
  // In the cluster the Rollout has defaults.
  const { object: stored } = admitRollout(old.object, {}, { version });
  const before = isInProgress ? { ...stored, status: { phase: 'Progressing' } } : stored;
  const verdict = admitRollout(edited.object, { old: before }, { version });
  return verdict.allowed ? undefined : `the webhook refuses the edit: ${reasonOf(verdict)}`;
}

function reasonOf(verdict: AdmissionVerdict & { readonly allowed: false }): string {
  if (verdict.by !== 'webhook') return 'it is no valid Rollout';
  const { path, text } = verdict.problems[0]!;
  return `${formatPath(path)} ${text}`;
}
