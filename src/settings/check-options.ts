import type { Budget } from '../core/budget';
import type { Finding, ObjectRef } from '../core/finding';
import type { FindingStore } from '../core/finding-store';
import type { Manifest } from '../core/manifest';
import type { Suppression, Trust } from '../core/suppression';
import type { ScriptSet } from '../kruise/scripts/library';
import type { RehearsalRequest } from '../rehearsal';
import type { StoryRequest } from '../release';
import type { Router } from '../routers';
import type { Versions } from './versions';

/** How the Rollouts of a stack are rehearsed. */
export interface RehearsalOptions {
  /**
   * Requests to send in addition to those that are derived from the manifests.
   * @default - none
   */
  readonly probes?: readonly RehearsalRequest[];
  /**
   * Stories to play in addition to the straight road.
   * @default - none
   */
  readonly stories?: StoryRequest;
  /**
   * Which Rollouts are rehearsed.
   * @default - all
   */
  readonly only?: (rollout: Manifest) => boolean;
  /**
   * Whether to return the rehearsals themselves, for a report. Without them a check is faster and returns only findings.
   * @default true
   */
  readonly reports?: boolean;
}

/** What users state about the cluster that a stack is for. */
export interface ClusterOptions extends Versions {
  /**
   * The namespace of the Kruise Rollouts controller, where it looks for the ConfigMap of scripts.
   * @default - the namespace of the install in the stack, or 'kruise-rollout'
   */
  readonly controllerNamespace?: string;
  /**
   * The largest percentage of a partition step of Kruise Rollouts: the flag `--partition-percent-limit` of its controller.
   * @default - the flag of the install in the stack, or 50
   */
  readonly partitionPercentLimit?: number;
  /**
   * The routing scripts of Kruise Rollouts in the ConfigMap of the cluster, where the stack does not bring the ConfigMap:
   * `[LuaScripts.fromLibrary('aws-alb')]`.
   * @default - none where the stack has the controller; otherwise those of this library are assumed, with a warning
   */
  readonly scripts?: readonly ScriptSet[];
  /**
   * Objects that exist in the cluster although they are not in the stack: made by a Helm chart, by another repository.
   * One without `namespace` is external in every namespace.
   * @default - none
   */
  readonly external?: readonly ObjectRef[];
  /**
   * Virtual environments of KtEnv that requests name. For one namespace alone its VirtualEnvironment names them, in the
   * annotation `rollout-constructs.io/environments`.
   * @default - those of the annotations
   */
  readonly environments?: readonly string[];
}

/**
 * How a stack is checked. Every shell makes these options and nothing else of what its users state; what they leave open
 * is found in the stack itself by `clusterOf`, so that the same manifests have the same findings everywhere.
 */
export interface StackCheckOptions extends ClusterOptions {
  /**
   * The load balancers, proxies and meshes that are known.
   * @default - all that this library has
   */
  readonly routers?: readonly Router[];
  /**
   * How Rollouts are rehearsed; `false` turns rehearsals off.
   * @default - every Rollout, with derived requests
   */
  readonly rehearsal?: RehearsalOptions | false;
  /**
   * ConfigMaps with scripts that have passed their testdata, which are not checked again.
   * @default - none
   */
  readonly isProven?: (configMap: Manifest) => boolean;
  /**
   * Keeps the findings of scripts, which cost more than all other checks of a small stack.
   * @default - scripts are checked each time
   */
  readonly scriptStore?: FindingStore;
  /**
   * Findings from before the check, such as those of reading files; suppressions apply to them too.
   * @default - none
   */
  readonly earlier?: readonly Finding[];
  /**
   * Findings that are accepted as they are.
   * @default - only those that annotations accept
   */
  readonly suppressions?: readonly Suppression[];
  /**
   * Whose suppressions count.
   * @default - everybody's
   */
  readonly trusts?: Trust;
  /**
   * How much time and memory may be spent; what is left out has findings that say so.
   * @default - any amount
   */
  readonly budget?: Budget;
}
