/** What becomes of an edit of a Rollout in the middle of a release. */
import type { JsonObject } from '../../core/json';
import { mergePatch } from '../../core/merge-patch';
import { formatPath } from '../../core/path';
import { fieldText } from '../../core/schema';
import type { World } from '../../core/world';
import type { StoryAction, StoryEnd } from '../../release';
import { type ArgoVerdict, admitArgoRollout } from '../admission';
import { clusterBeside, placed } from '../admission/findings';
import type { ArgoRolloutsVersion } from '../version';
import type { ArgoWorkload } from './play';

/** A Rollout after an edit. */
export interface EditedRollout {
  /** The Rollout as people have applied it. */
  readonly applied?: JsonObject;
  /** Why the API server refuses the edit, which then has no effect. */
  readonly refusal?: string;
  /** Why the controller does nothing until the Rollout is corrected. */
  readonly invalid?: string | undefined;
}

/** The Rollout after a change of what was applied before. */
export function editedRollout(
  { world, workload: { manifest }, version }: { world: World; workload: ArgoWorkload; version: ArgoRolloutsVersion },
  change: JsonObject,
  before: JsonObject = placed(manifest, world),
): EditedRollout {
  const applied = mergePatch(before, change);
  const verdict = admitArgoRollout(applied, { ...clusterBeside(world, manifest), version });
  const refusal = refusalIn(verdict);
  return refusal === undefined ? { applied, invalid: mistakeIn(verdict) } : { refusal };
}

/** How a story ends whose edits have no effect, or stop the controller. */
export function endOf(
  { refusal, invalid }: Pick<EditedRollout, 'refusal' | 'invalid'>,
  end: StoryEnd,
  why: string,
): { readonly end: StoryEnd; readonly why?: string } {
  if (refusal !== undefined) return { end: 'refused', why: refusal };
  if (invalid !== undefined) return { end: 'stuck', why: invalid };
  return end === 'stuck' ? { end, why } : { end };
}

/** `spec.paused` as `kubectl argo rollouts promote` writes it. */
export const RESUMED = { spec: { paused: false } };

/** Whether the controller takes notice of an action while the Rollout is invalid. */
export function corrects({ manifest }: ArgoWorkload, action: StoryAction): boolean {
  if (typeof action === 'string') return action === 'delete';
  return 'patch' in action && action.patch.kind === manifest.kind && action.patch.name === manifest.name;
}

/** Why the API server refuses an edit. */
function refusalIn(verdict: ArgoVerdict): string | undefined {
  const [error] = verdict.allowed ? [] : verdict.schemaErrors;
  if (error === undefined) return undefined;
  return `the API server refuses the edit: ${fieldText(error.path)}: ${error.detail || error.type}`;
}

/** The mistake for which the controller sets the condition `InvalidSpec`. */
function mistakeIn(verdict: ArgoVerdict): string | undefined {
  if (verdict.allowed) return undefined;
  const { controller = verdict } = verdict;
  const mistake = controller.allowed ? undefined : controller.problems.find(({ absent }) => absent === undefined);
  if (mistake === undefined) return undefined;
  return `the edit makes the Rollout invalid, and the controller does nothing until it is corrected: ${formatPath(mistake.path)}: ${mistake.text}`;
}
