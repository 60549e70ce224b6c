import type { LuaScripts } from '../files/scripts/lua-scripts';
import type { CheckSettings, KruiseCheckSettings, MemberRehearsal } from '../settings/members';
import type { Versions } from '../settings/versions';

/** How the Rollouts of a component are rehearsed. */
export interface RehearsalArgs extends MemberRehearsal {}

/** The settings of checks that every component takes. */
export interface CheckArgs extends CheckSettings {
  /**
   * The rehearsal of releases, when the whole stack exists: each Rollout is played step by step through its controller and
   * the load balancers. A request that goes elsewhere than its step declares is a finding.
   * @default - every Rollout, with requests derived from its routes
   */
  readonly rehearsal?: RehearsalArgs;
}

/** The same for components of Kruise Rollouts. */
export interface KruiseCheckArgs extends CheckArgs, Omit<KruiseCheckSettings, keyof CheckSettings> {
  /**
   * The routing scripts of Kruise Rollouts in the ConfigMap of the cluster, where the stack does not bring the ConfigMap:
   * `[LuaScripts.fromLibrary('aws-alb')]`.
   * @default - none where the stack has the controller; otherwise those of this library are assumed, with a warning
   */
  readonly scripts?: readonly LuaScripts[];
}

/** What a component states about the cluster; it holds for the whole stack. */
export interface StackFacts extends KruiseCheckArgs, Versions {
  /** Whether the component has run the testdata of its scripts. */
  readonly provesScripts?: boolean;
}
