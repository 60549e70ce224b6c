import type { ObjectRef } from '../core/finding';
import type { Suppression } from '../core/suppression';
import type { KruiseRolloutVersion } from '../kruise/version';
import type { Versions } from '../settings/versions';

/** What every component whose objects are checked takes. */
export interface CheckArgs extends Pick<Versions, 'kubernetesVersion'> {
  /**
   * Objects that exist in the cluster although no component of this stack makes or names them. One without `namespace` is
   * external in every namespace.
   * @default - none
   */
  readonly external?: readonly ObjectRef[];

  /**
   * Findings that are accepted as they are, each with the reason: about this component, or about the object that is
   * named. One that matches nothing is itself a finding.
   * @default - none
   */
  readonly suppressions?: readonly Omit<Suppression, 'construct'>[];

  /**
   * What becomes of findings that are warnings or notes: logged, or a failure like any error.
   * @default 'print'
   */
  readonly warnings?: 'print' | 'fail';

  /**
   * How releases are rehearsed when all of the stack is there: each Rollout is played step by step through its controller
   * and the load balancers, and requests that do not go where the step says are findings.
   * @default - every Rollout, with the requests that its routes tell apart
   */
  readonly rehearsal?: RehearsalArgs;
}

/** How the Rollouts of a component are rehearsed. */
export interface RehearsalArgs {
  /**
   * Whether Rollouts are rehearsed at all.
   * @default true
   */
  readonly enabled?: boolean;

  /**
   * Requests that are sent beside those that are derived, written as for curl: `GET https://shop.example.com/cart -H "user-agent: pc"`.
   * @default - none
   */
  readonly probes?: readonly string[];
}

/** What components of Kruise Rollouts take as well. */
export interface KruiseCheckArgs extends CheckArgs {
  /**
   * The release of the controller that will read the objects.
   * @default - that of the install in this stack, or KruiseRolloutVersion.LATEST
   */
  readonly kruiseVersion?: KruiseRolloutVersion;

  /**
   * The namespace in which the controller runs, and looks for the ConfigMap of scripts.
   * @default - that of the install in this stack, or 'kruise-rollout'
   */
  readonly controllerNamespace?: string;
}

/** What a component says of the cluster; what one says holds for all of the stack. */
export interface StackFacts extends KruiseCheckArgs, Versions {
  /** The component has proven the scripts that it writes. */
  readonly provesScripts?: boolean;
}
