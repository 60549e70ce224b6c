import { compact } from '../core/json';
import type { Suppression } from '../core/suppression';
import type { Story } from '../release';
import type { ClusterOptions, StackCheckOptions } from './check-options';
import { readProbe } from './probe';
import { readStory, readStoryName } from './story';
import { VERSION_NAMES } from './versions';

/** How the Rollouts of one construct or component are rehearsed. */
export interface MemberRehearsal {
  /**
   * Whether Rollouts are rehearsed.
   * @default true
   */
  readonly enabled?: boolean;

  /**
   * Requests to send in addition to those that are derived, written as for curl: `GET https://shop.example.com/cart -H "user-agent: pc"`.
   * @default - none
   */
  readonly probes?: readonly string[];

  /**
   * Stories to play in addition to the straight road: `all`, names such as `roll-back` or `delete@1`, or stories of your own.
   * @default - none
   */
  readonly stories?: readonly (string | Story)[];
}

/** The settings of checks that every construct and component takes. */
export interface CheckSettings extends Pick<ClusterOptions, 'kubernetesVersion' | 'external'> {
  /**
   * Findings that are accepted, each with the reason: findings in the objects of this construct, or in the object that is
   * named. A suppression that matches nothing is itself a finding.
   * @default - none
   */
  readonly suppressions?: readonly Omit<Suppression, 'construct' | 'source'>[];

  /**
   * Whether warnings are printed, or fail like errors.
   * @default 'print'
   */
  readonly warnings?: 'print' | 'fail';

  /**
   * The rehearsal of releases: each Rollout is played step by step through its controller and the load balancers. A request
   * that goes elsewhere than its step declares is a finding.
   * @default - every Rollout, with requests derived from its routes
   */
  readonly rehearsal?: MemberRehearsal;
}

/** The same for constructs and components of Kruise Rollouts. */
export interface KruiseCheckSettings
  extends CheckSettings,
    Pick<ClusterOptions, 'kruiseVersion' | 'controllerNamespace' | 'partitionPercentLimit' | 'scripts'> {}

/** What a construct or component states: about the cluster, which holds for the whole stack, and about its own objects. */
export interface MemberSettings extends ClusterOptions, Pick<CheckSettings, 'suppressions' | 'rehearsal'> {}

/** A construct or component of a stack. */
export interface Member {
  /** The construct that its objects are below; empty for the whole stack. */
  readonly id: string;
  readonly settings: MemberSettings;
}

/**
 * How a stack is checked that several constructs or components make together. The first that states a version wins.
 * @param ownerOf the member that made the object of a construct
 */
export function optionsOfMembers(
  members: readonly Member[],
  ownerOf: (construct: string | undefined) => Member | undefined,
): StackCheckOptions {
  const first = <Name extends keyof ClusterOptions>(name: Name): ClusterOptions[Name] =>
    members.find(({ settings }) => settings[name] !== undefined)?.settings[name];
  return {
    ...compact(Object.fromEntries(VERSION_NAMES.map((name) => [name, first(name)]))),
    ...compact({
      controllerNamespace: first('controllerNamespace'),
      partitionPercentLimit: first('partitionPercentLimit'),
      scripts: first('scripts'),
    }),
    external: members.flatMap(({ settings }) => settings.external ?? []),
    suppressions: members.flatMap(suppressionsOf),
    rehearsal: {
      probes: members.flatMap(({ id, settings }) =>
        (settings.rehearsal?.probes ?? []).map((one) => readProbe(one, id)),
      ),
      stories: members.flatMap(({ id, settings }) =>
        (settings.rehearsal?.stories ?? []).map((one) =>
          typeof one === 'string' ? readStoryName(one, `${id}: rehearsal.stories`) : readStory(one, id),
        ),
      ),
      only: ({ construct }) => ownerOf(construct)?.settings.rehearsal?.enabled ?? true,
    },
  };
}

/** A suppression without an object is about the objects of its member. */
function suppressionsOf({ id, settings: { suppressions = [] } }: Member): Suppression[] {
  const own = id === '' ? {} : { construct: id };
  return suppressions.map((one) => (one.object === undefined ? { ...one, ...own } : one));
}
