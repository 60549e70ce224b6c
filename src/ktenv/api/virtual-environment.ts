import type { ObjectMeta } from './common';
import type { API_GROUP } from './names';

/** Another header by which a request may name its environment. */
export interface EnvHeaderAlias {
  /**
   * Name of the header.
   * @minLength 1
   */
  readonly name: string;
  /**
   * A regular expression for the header's value, in which the placeholder stands for the environment. An empty one asks
   * for exactly the environment. It only counts together with `placeholder`.
   */
  readonly pattern: string;
  /**
   * What stands for the environment in the pattern. Upstream documents `(@)` where it is left out, but the operator
   * never applies that: without a placeholder the pattern is ignored.
   * @default - none, and the pattern is ignored
   */
  readonly placeholder?: string;
}

/** The header by which a request names its environment. */
export interface EnvHeader {
  /**
   * Name of the header.
   * @default - X-Virtual-Env
   * @minLength 1
   */
  readonly name?: string;
  /**
   * Other headers that do as well.
   * @default - none
   */
  readonly aliases?: readonly EnvHeaderAlias[];
  /**
   * Whether sidecars add the header to what their pod sends, by an EnvoyFilter. Istio 1.19 and later ignore that filter.
   * @default - false
   */
  readonly autoInject?: boolean;
}

/** The label by which a pod names its environment. */
export interface EnvLabel {
  /**
   * Name of the label. The webhook's `envLabel` list has to hold it too.
   * @default - virtual-env
   * @minLength 1
   */
  readonly name?: string;
  /**
   * The one character between the levels of an environment: `dev.proj1` falls back to `dev`.
   * @default - .
   * @minLength 1
   * @maxLength 1
   */
  readonly splitter?: string;
  /**
   * The environment that answers requests that no route matches. It should exist for every routed Service.
   * @default - none, and such requests go to any pod of the Service
   * @minLength 1
   */
  readonly defaultSubset?: string;
}

/** How requests and pods name their environment. */
export interface VirtualEnvironmentSpec {
  /** The header of requests. */
  readonly envHeader?: EnvHeader;
  /** The label of pods. */
  readonly envLabel?: EnvLabel;
}

/** What the operator says of a VirtualEnvironment: nothing so far. */
// biome-ignore lint/suspicious/noEmptyInterface: upstream defines it, and has nothing in it
export interface VirtualEnvironmentStatus {}

/** The environments of one namespace, which has at most one VirtualEnvironment. */
export interface VirtualEnvironment {
  readonly apiVersion: `${typeof API_GROUP}/v1alpha2`;
  readonly kind: 'VirtualEnvironment';
  readonly metadata: ObjectMeta;
  /**
   * What is wanted; everything in it has a default.
   * @crdOptional
   */
  readonly spec: VirtualEnvironmentSpec;
  /** What the operator found. */
  readonly status?: VirtualEnvironmentStatus;
}
