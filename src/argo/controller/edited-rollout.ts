/** What becomes of an edit of a Rollout in the middle of a release. */

import type { AbsentObject } from '../../core/finding';
import { asObject, asText, type JsonObject, partOf, sameJson } from '../../core/json';
import { Manifest } from '../../core/manifest';
import { mergePatch } from '../../core/merge-patch';
import { formatPath } from '../../core/path';
import { fieldText } from '../../core/schema';
import type { World } from '../../core/world';
import type { StoryAction, StoryEnd } from '../../release';
import { type ArgoProblem, type ArgoVerdict, admitArgoRollout } from '../admission';
import { clusterBeside, placed } from '../admission/findings';
import type { ArgoRolloutsVersion } from '../version';
import type { ArgoWorkload } from './play';

/** A Rollout that somebody edits. */
interface EditedRollout {
  readonly world: World;
  readonly workload: ArgoWorkload;
  readonly version: ArgoRolloutsVersion;
}

/** What has become of all edits until now. */
export interface Edits {
  /** The Rollout as people have applied it. */
  readonly applied?: JsonObject;
  /** Why the API server refused an edit, which then has no effect. */
  readonly refusal?: string;
  /** Why the controller does nothing until the Rollout is corrected. */
  readonly invalid?: string;
}

/** An edit that the API server has taken. */
export interface TakenEdit {
  /** The Rollout with the edit, and with those before that were invalid. */
  readonly object: JsonObject;
  /** The Services that the edit takes out of the strategy. The controller lets go of them, even if the edit is invalid. */
  readonly left: readonly string[];
  /** Whether the strategy names other Services or routes than before. */
  readonly routesOtherwise: boolean;
}

/** Adds an edit. One that the API server refuses leaves what was applied before. */
export function withEdit(
  edits: Edits,
  { world, workload: { manifest, object }, version }: EditedRollout,
  change: JsonObject,
): { readonly edits: Edits; readonly taken?: TakenEdit } {
  const declared = placed(manifest, world);
  const applied = mergePatch(edits.applied ?? declared, change);
  const verdictOn = (rollout: JsonObject) =>
    admitArgoRollout(rollout, { ...clusterBeside(world, Manifest.of(rollout)), version });
  const verdict = verdictOn(applied);
  const refused = refusalIn(verdict);
  if (refused !== undefined) return { edits: { ...edits, refusal: edits.refusal ?? refused } };
  const { invalid: _corrected, ...others } = edits;
  const invalid = mistakeIn(verdict, () => verdictOn(declared));
  const edited = mergePatch(object, change);
  const before = edits.applied ?? object;
  const strategy = asObject(applied.spec).strategy ?? {};
  return {
    edits: { ...others, applied, ...(invalid === undefined ? {} : { invalid }) },
    taken: {
      object: { ...edited, spec: { ...asObject(edited.spec), strategy } },
      left: leftServices(before, applied),
      routesOtherwise: routesOtherwise(before, applied),
    },
  };
}

/** The Services that a strategy names, in the order in which the controller leaves them. */
function servicesOf(rollout: JsonObject): string[] {
  const { canary, blueGreen } = asObject(asObject(rollout.spec).strategy);
  const { stableService, canaryService, pingPong } = asObject(canary);
  const { pingService, pongService } = asObject(pingPong);
  const { activeService, previewService } = asObject(blueGreen);
  const names = [stableService, canaryService, pingService, pongService, activeService, previewService];
  return names.map(asText).filter((name) => name !== '');
}

function leftServices(before: JsonObject, after: JsonObject): string[] {
  const kept = servicesOf(after);
  return servicesOf(before).filter((name) => !kept.includes(name));
}

function routesOtherwise(before: JsonObject, after: JsonObject): boolean {
  const routing = ({ spec }: JsonObject) => partOf(partOf(asObject(spec), 'strategy'), 'canary')?.trafficRouting;
  return !sameJson(servicesOf(before), servicesOf(after)) || !sameJson(routing(before), routing(after));
}

/** How a story ends whose edits have no effect, or stop the controller. */
export function endOf(
  { refusal, invalid }: Edits,
  end: StoryEnd,
  why: string,
): { readonly end: StoryEnd; readonly why?: string } {
  if (refusal !== undefined) return { end: 'refused', why: refusal };
  if (invalid !== undefined) return { end: 'stuck', why: invalid };
  return end === 'stuck' ? { end, why } : { end };
}

/** A Rollout that `kubectl argo rollouts promote` resumes. */
export function resumed(rollout: JsonObject): JsonObject {
  return mergePatch(rollout, { spec: { paused: false } });
}

/** The edits of a Rollout that somebody resumes. */
export function resumedEdits({ applied, ...others }: Edits): Edits {
  return applied === undefined ? others : { ...others, applied: resumed(applied) };
}

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
function mistakeIn(verdict: ArgoVerdict, declared: () => ArgoVerdict): string | undefined {
  const lacks = (absent: AbsentObject) => mistakesIn(declared()).some((mistake) => sameAbsent(mistake.absent, absent));
  const mistake = mistakesIn(verdict).find(
    ({ absent }) => absent === undefined || (isRouting(absent) && !lacks(absent)),
  );
  if (mistake === undefined) return undefined;
  return `the edit makes the Rollout invalid, and the controller does nothing until it is corrected: ${formatPath(mistake.path)}: ${mistake.text}`;
}

function mistakesIn(verdict: ArgoVerdict): readonly ArgoProblem[] {
  if (verdict.allowed) return [];
  const { controller = verdict } = verdict;
  return controller.allowed ? [] : controller.problems;
}

function sameAbsent(a: AbsentObject | undefined, b: AbsentObject): boolean {
  return a?.kind === b.kind && a.name === b.name;
}

/** Other objects are no part of a release, and whether they exist is not known. */
function isRouting({ kind }: AbsentObject): boolean {
  return ['Service', 'Ingress', 'VirtualService', 'DestinationRule'].includes(kind);
}
