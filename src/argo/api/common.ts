/** A whole number of 32 bits. @format int32 */
export type Int32 = number;

/** A whole number of 64 bits. @format int64 */
export type Int64 = number;

/** A number, or a text: a share as in `"20%"`, or a placeholder as in `"{{args.times}}"`. @intOrString */
export type IntOrString = number | string;

/** A point in time, `2025-01-31T12:00:00Z`. @format date-time */
export type Time = string;

/** A length of time as Go writes it: `30s`, `5m`, `1h30m`. */
export type Duration = string;

/**
 * An amount of a resource, as in `100m` or `1Gi`.
 *
 * @intOrString
 * @pattern ^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$
 */
export type Quantity = number | string;

/** Text by text: labels and annotations. */
export interface StringMap {
  readonly [key: string]: string;
}

/** Amounts by the names of the resources. */
export interface Quantities {
  readonly [resource: string]: Quantity;
}

/**
 * An object of which the API knows no field and keeps all.
 *
 * @preserved object
 */
export interface AnyObject {
  readonly [key: string]: unknown;
}

/** What every object here carries. */
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
  /** Name of the label. */
  readonly key: string;
  /**
   * How the values are compared.
   * @open
   */
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  /** The values; none for `Exists` and `DoesNotExist`. */
  readonly values?: readonly string[];
}

/**
 * Which labels an object must have, all of them.
 *
 * @mapAtomic
 */
export interface LabelSelector {
  /** Labels with their values. */
  readonly matchLabels?: StringMap;
  /** Conditions on labels. */
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

/** One aspect of the state of an object. */
export interface Condition {
  /** Which aspect. */
  readonly type: string;
  /** `True`, `False` or `Unknown`. */
  readonly status: string;
  /** When the controller last wrote it. */
  readonly lastUpdateTime: Time;
  /** When the status last changed. */
  readonly lastTransitionTime: Time;
  /** One word on why. */
  readonly reason: string;
  /** A sentence on why. */
  readonly message: string;
}

/** A name and a value. */
export interface NamedValue {
  /** The name. */
  readonly name: string;
  /** The value. */
  readonly value: string;
}
