/** What an edit of a workload means: to the webhook, which may begin a release, and to the pods. */
import { asObject, type JsonObject, sameJson, textOf } from '../../../core/json';
import { imageOf, versionOf } from '../../../release';
import { RELEASE_ID_ANNOTATION } from '../../api';
import { WORKLOAD_TYPE_LABEL } from '../../install/names';

/** What an edit of a workload means. */
export interface WorkloadChange {
  /** The version that the new image names. */
  readonly version?: string;
  /** The number of pods that it asks for. */
  readonly replicas?: number;
  /** Whether the webhook lets a change of the pod template pass: the workload then replaces its pods by itself, without a release. */
  readonly bypasses: boolean;
  /** Whether the pod template changes and the image does not, as with `kubectl rollout restart`. */
  readonly changesTemplate: boolean;
  /** Whether the release id alone changes, which begins a release without a new version. */
  readonly changesReleaseId: boolean;
}

/**
 * Reads a merge patch of a workload.
 * @param before the workload without the patch
 * @param after the workload with it
 */
export function workloadChangeOf(patch: JsonObject, before: JsonObject, after: JsonObject): WorkloadChange {
  const { labels } = asObject(patch.metadata);
  const { replicas } = asObject(patch.spec);
  const [old, image] = [imageOf(before), imageOf(after)];
  const version = image === undefined || image === old ? undefined : versionOf(image);
  const changesTemplate = version === undefined && !sameJson(templateOf(before), templateOf(after));
  const kept = keptReleaseId(before, after);
  const isUnseen = replicas === 0 || asObject(labels)[WORKLOAD_TYPE_LABEL] === null;
  return {
    ...(version === undefined ? {} : { version }),
    ...(typeof replicas === 'number' ? { replicas } : {}),
    bypasses: (version !== undefined || changesTemplate) && (isUnseen || kept !== undefined),
    changesTemplate,
    changesReleaseId: version === undefined && kept === undefined && releaseIdOf(after) !== undefined,
  };
}

/** The release id that a workload has before and after a change; undefined if it has none, or another one. */
export function keptReleaseId(before: JsonObject, after: JsonObject): string | undefined {
  const id = releaseIdOf(after);
  return id === releaseIdOf(before) ? id : undefined;
}

/** The id that begins a release when it changes. The webhook then looks at nothing else. */
function releaseIdOf({ metadata }: JsonObject): string | undefined {
  return textOf(asObject(asObject(metadata).annotations)[RELEASE_ID_ANNOTATION]) || undefined;
}

/** Whether a change is about the pods, or begins a release. */
export function isOfPods({ version, replicas, changesTemplate, changesReleaseId }: WorkloadChange): boolean {
  return version !== undefined || replicas !== undefined || changesTemplate || changesReleaseId;
}

function templateOf({ spec }: JsonObject): JsonObject {
  return asObject(asObject(spec).template);
}
