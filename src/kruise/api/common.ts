/** A 32-bit integer. @format int32 */
export type Int32 = number;

/** A 64-bit integer. @format int64 */
export type Int64 = number;

/** A number of pods, or a percentage of all pods such as `"20%"`. @intOrString */
export type IntOrString = number | string;

/** A point in time, `2025-01-31T12:00:00Z`. @format date-time */
export type Time = string;

/** A map of strings: labels or annotations. */
export interface StringMap {
  readonly [key: string]: string;
}

/** The metadata of an object. */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: StringMap;
  readonly annotations?: StringMap;
}

/** A reference to an object in the Rollout's namespace. */
export interface ObjectRef {
  /** The API group and version of the object: `apps/v1`. */
  readonly apiVersion: string;
  /** The kind of the object. */
  readonly kind: string;
  /** The name of the object. */
  readonly name: string;
}

/** Labels and annotations of the canary's pods, in addition to those of their template. */
export interface PatchPodTemplateMetadata {
  /** Annotations to add or to replace. */
  readonly annotations?: StringMap;
  /** Labels to add or to replace. */
  readonly labels?: StringMap;
}

/** A condition of an object. */
export interface RolloutCondition {
  /** The type of the condition. */
  readonly type: string;
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
  /** When the controller last updated the condition. */
  readonly lastUpdateTime?: Time;
  /** When the status last changed. */
  readonly lastTransitionTime?: Time;
  /** The reason in one word. */
  readonly reason: string;
  /** The reason in a sentence. */
  readonly message: string;
}
