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

/** The wait after an edit in v1alpha1 that the webhook refuses in v1beta1: nothing that the controller writes is accepted. */
export function waitsForWrite(text: string) {
  return {
    class: 'waits',
    state: 'Initial',
    message: `the webhook refuses what the controller writes to the Rollout: in v1beta1, ${text}`,
    says: 'what it said before the edit',
    log: 'admission webhook "vrollout.kb.io" denied the request',
    fix: 'correct the field as v1beta1 asks for it',
  } as const;
}
