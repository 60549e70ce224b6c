/** A release that some controller carries out, in words that hold for every controller. */
import type { ObjectRef } from '../core/finding';
import type { Manifest } from '../core/manifest';
import type { Path } from '../core/path';
import type { World } from '../core/world';
import type { Match } from './match';
import type { Delay, ReleasePlay } from './moment';
import type { Advice, Remark, SeenOutcome, SeenRelease, Situation, Unreachable } from './remark';
import type { Story, StoryDeed, ToldStory } from './story';

/** A step of a release. */
export interface ReleaseStep {
  readonly path: Path;
  /** The field that declares the traffic of the step; the step itself where it declares none. */
  readonly trafficPath: Path;
  /**
   * The requests that the step itself sends to the canary.
   * @default - it names none
   */
  readonly matches?: readonly Match[];
  /**
   * How long its pause lasts.
   * @default - there is none, or people end it
   */
  readonly lasts?: Delay;
  /**
   * What people do to end its pause: `approve`.
   * @default - the step does not wait for people
   */
  readonly approval?: StoryDeed;
}

/** How a request entered the application before the release began. */
export type Entrance =
  /** Through a route that the controller splits. */
  | 'split'
  /** Through a route that leads to the canary Service only. */
  | 'canary'
  /** Through a route that leads to the preview Service only. */
  | 'preview'
  /** Through a route that the controller leaves alone. */
  | 'unmanaged';

/** The Services and routes of a release. */
export interface ReleaseTraffic {
  readonly namespace: string;
  /** The field of the release that names them. */
  readonly path: Path;
  readonly stableService: string;
  /** The same as `stableService` where the release has no canary Service. */
  readonly canaryService: string;
  /** The objects that the release routes through, in its namespace: Ingresses, HTTPRoutes, Services. */
  readonly objects: readonly ObjectRef[];
  /** Names by which routes refer to the release: its Services, objects that other routes delegate to. */
  readonly names: readonly string[];
  /**
   * The names that the release gives to its load balancers, as an ingress class does.
   * @default - none
   */
  readonly classTypes?: readonly string[];
  /**
   * The routers that the controller can split traffic with.
   * @default - all
   */
  readonly routers?: readonly string[];
  /**
   * Services whose Ingresses must answer while no release is under way.
   * @default - this is not checked
   */
  readonly entryServices?: readonly string[];
  /** The finding for a release that no load balancer leads to. */
  readonly notReached: Remark;
}

/**
 * A release: what a controller is asked to do with one application, and how it does it.
 *
 * A controller's folder makes these of its objects. The rehearsal, the shards and the doctor know nothing else of it.
 */
export interface Release {
  /** The object that declares the release. */
  readonly manifest: Manifest;
  readonly namespace: string;
  /** The way to release, for reports: `canary`, `blueGreen`. */
  readonly style: string;
  /** The field that holds the strategy. */
  readonly path: Path;
  readonly steps: readonly ReleaseStep[];
  /**
   * How long the controller waits after each change of the routes.
   * @default - not at all
   */
  readonly grace?: Delay;
  /**
   * The Services and routes.
   * @default - the release routes no traffic, and there is nothing to rehearse
   */
  readonly traffic?: ReleaseTraffic;
  /**
   * Whether the controller ignores the object for now.
   * @default false
   */
  readonly isDisabled?: boolean;
  /** Objects that the play reads in addition to routes and Services: the workload. */
  readonly needs: readonly Manifest[];
  /** The different matches of all steps, in their order. */
  readonly matches: readonly Match[];
  /**
   * Why the release cannot be played. `play` then gives the state before the release only.
   * @default - it can be played
   */
  readonly notPlayed?: Remark;
  /**
   * Whether there is nothing to rehearse unless a load balancer leads to the release.
   * @default false
   */
  readonly needsLoadBalancer?: boolean;
  /**
   * Whether releases of this kind can share a load balancer at any time, because the controller adds no routes.
   * @default false
   */
  readonly coexists?: boolean;
  /**
   * Whether target groups of AWS load balancers come and go with the objects that the controller writes.
   * @default false
   */
  readonly changesTargetGroups?: boolean;
  /**
   * Plays the release. Never throws; an error of the controller is part of the result.
   * @param world the objects that concern the release
   */
  play(world: World): ReleasePlay;
  /**
   * The stories that this release can take, the straight road first. Called only where somebody asks for stories.
   * @default - none
   */
  stories?(): readonly Story[];
  /**
   * Plays stories. Never throws. What several stories have in common is played once.
   * @param world the objects that concern the release
   * @default - the controller's stories are not known
   */
  tell?(world: World, stories: readonly Story[]): readonly ToldStory[];
  /**
   * How a request entered the application before the release began.
   * @default - every request for the stable Service is split
   */
  entranceOf?(before: Pick<SeenOutcome, 'answer' | 'manifest'>): Entrance;
  /**
   * What to say about a wrong outcome instead of the texts of the rule.
   * @default - the texts of the rule
   */
  advise?(situation: Situation): Advice;
  /**
   * How to make an Ingress answer that answers with errors before the release begins.
   * @default - the text of the rule
   */
  fixUnreachable?(unreachable: Unreachable): string;
  /**
   * Findings that only this controller's folder can make.
   * @default - none
   */
  remarksOn?(seen: SeenRelease): readonly Remark[];
}
