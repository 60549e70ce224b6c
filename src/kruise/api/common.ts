/** A whole number of 32 bits. @format int32 */
export type Int32 = number;

/** A whole number of 64 bits. @format int64 */
export type Int64 = number;

/** A number of pods, or a share of all pods as in `"20%"`. @intOrString */
export type IntOrString = number | string;

/** A point in time, `2025-01-31T12:00:00Z`. @format date-time */
export type Time = string;

/** Text by text: labels and annotations. */
export interface StringMap {
  readonly [key: string]: string;
}

/** What every object here carries. */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: StringMap;
  readonly annotations?: StringMap;
}

/** Names an object in the Rollout's own namespace. */
export interface ObjectRef {
  /** Group and version of the object, `apps/v1`. */
  readonly apiVersion: string;
  /** Kind of the object. */
  readonly kind: string;
  /** Name of the object. */
  readonly name: string;
}

/** Labels and annotations that the pods of the canary get on top of their template's. */
export interface PatchPodTemplateMetadata {
  /** Annotations to add or to replace. */
  readonly annotations?: StringMap;
  /** Labels to add or to replace. */
  readonly labels?: StringMap;
}

/** One aspect of the state of an object. */
export interface RolloutCondition {
  /** Which aspect. */
  readonly type: string;
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
  /** When the controller last wrote it. */
  readonly lastUpdateTime?: Time;
  /** When the status last changed. */
  readonly lastTransitionTime?: Time;
  /** One word on why. */
  readonly reason: string;
  /** A sentence on why. */
  readonly message: string;
}
