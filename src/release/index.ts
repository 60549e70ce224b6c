/** Releases in words that hold for every rollout controller. */
export { applied, appliedAgain, isFromCluster } from './applied';
export { autoscaled, autoscalerOf, boundsOf } from './autoscaler';
export type { ControllerKind, ReleaseController } from './controller';
export { imageOf, versionOf } from './image';
export { distinctMatches, type Match, type PathCondition, summaryOf, summaryOfAll, type ValueCondition } from './match';
export { type DeclaredShare, type Delay, type Moment, type PassedState, type ReleasePlay, sameWorld } from './moment';
export { notPlayed } from './not-played';
export {
  hashOf,
  isSelected,
  type PodGroup,
  podManifest,
  type Revision,
  samePods,
  selectedPods,
  selectorOf,
  versionLabels,
} from './pods';
export type { Entrance, Release, ReleaseStep, ReleaseTraffic } from './release';
export type {
  Advice,
  ReleaseStop,
  Remark,
  SeenOutcome,
  SeenRelease,
  SharedRule,
  Situation,
  Unreachable,
} from './remark';
export {
  deedText,
  isOfAnalysis,
  isOfLoadBalancer,
  LOAD_BALANCER_STATES,
  type LoadBalancerState,
  STORY_DEEDS,
  STORY_NAMES,
  type Story,
  type StoryAction,
  type StoryDeed,
  type StoryEnd,
  type StoryPatch,
  type StoryPlace,
  type StoryRequest,
  stepsToActAt,
  type ToldStory,
  type VersionWrite,
  waitsForPeople,
} from './story';
export { type Telling, tellAll } from './tell';
export { percent, whenOf } from './words';
export { writtenFrom } from './written';
