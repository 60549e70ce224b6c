/** A 32-bit integer. @format int32 */
export type Int32 = number;

/** A 64-bit integer. @format int64 */
export type Int64 = number;

/** A number, or text: a percentage such as `"20%"`, or a placeholder such as `"{{args.times}}"`. @intOrString */
export type IntOrString = number | string;

/** A point in time, `2025-01-31T12:00:00Z`. @format date-time */
export type Time = string;

/** A duration in Go's format: `30s`, `5m`, `1h30m`. */
export type Duration = string;

/**
 * A quantity of a resource, such as `100m` or `1Gi`.
 *
 * @intOrString
 * @pattern ^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$
 */
export type Quantity = number | string;

/** A map of strings: labels or annotations. */
export interface StringMap {
  readonly [key: string]: string;
}

/** Quantities by resource name. */
export interface Quantities {
  readonly [resource: string]: Quantity;
}

/**
 * An object with arbitrary fields, which the API server keeps.
 *
 * @preserved object
 */
export interface AnyObject {
  readonly [key: string]: unknown;
}

/** The metadata of an object. */
export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: StringMap;
  readonly annotations?: StringMap;
}

/** Labels and annotations. */
export interface LabelsAndAnnotations {
  /** Annotations to set. */
  readonly annotations?: StringMap;
  /** Labels to set. */
  readonly labels?: StringMap;
}

/** One condition on labels. */
export interface LabelSelectorRequirement {
  /** The name of the label. */
  readonly key: string;
  /**
   * How to compare the values.
   * @open
   */
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  /** The values; none for `Exists` and `DoesNotExist`. */
  readonly values?: readonly string[];
}

/**
 * The labels that an object must have.
 *
 * @mapAtomic
 */
export interface LabelSelector {
  /** Labels with their values. */
  readonly matchLabels?: StringMap;
  /** Conditions on labels. */
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

/** A condition of an object. */
export interface Condition {
  /** The type of the condition. */
  readonly type: string;
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
  /** When the controller last updated the condition. */
  readonly lastUpdateTime: Time;
  /** When the status last changed. */
  readonly lastTransitionTime: Time;
  /** The reason in one word. */
  readonly reason: string;
  /** The reason in a sentence. */
  readonly message: string;
}

/** A name and a value. */
export interface NamedValue {
  /** The name. */
  readonly name: string;
  /** The value. */
  readonly value: string;
}
