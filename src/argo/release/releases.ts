/** The releases of Argo Rollouts. */
import type { Manifest, World } from '../../core';
import { autoscalerOf, type Release, type ReleaseController } from '../../release';
import { ARGO_ROLLOUT } from '../admission/findings';
import { withIdleActions } from '../controller';
import { mergeEffects } from '../merge';
import { controllersOf, verifiesTargetGroups } from '../rules/install';
import type { ArgoRolloutsVersion } from '../version';
import { argoAdvice } from './advice';
import { before, entranceOf, playArgo, tellArgo } from './play';
import { pluginConfigsOf, pluginRouterRemark, pluginStepRemarks, untilMissingPlugin } from './plugins';
import { refusalOf } from './refusal';
import {
  abortRemarks,
  fixUnreachable,
  newTargetRemarks,
  otherRouterRemark,
  previewRemarks,
  unmanagedRemarks,
  weightByPodsRemarks,
  weightsStayRemarks,
} from './remarks';
import { argoReleaseRules } from './rules';
import { stepsOf } from './steps';
import { storiesOf } from './stories';
import { type ArgoSubject, argoSubjectsOf } from './subject';
import { verificationRemarks } from './verification';

/** What the releases of Argo Rollouts depend on in addition to the manifests. */
export interface ArgoReleaseOptions {
  /**
   * The version of Argo Rollouts.
   * @default ArgoRolloutsVersion.LATEST
   */
  readonly argoVersion?: ArgoRolloutsVersion;
}

/**
 * The releases of the Rollouts that route traffic. A Rollout that only replaces pods has none.
 * @example releasesOf(world).map(({ manifest }) => manifest.name)
 */
export function releasesOf(world: World, { argoVersion }: ArgoReleaseOptions = {}): Release[] {
  let verifies: boolean | undefined;
  const isVerified = () => (verifies ??= verifiesTargetGroups(world));
  return argoSubjectsOf(world).map((subject) => releaseOf(subject, world, { isVerified, argoVersion }));
}

interface ReleaseOptions {
  readonly argoVersion?: ArgoRolloutsVersion | undefined;
  /**
   * Whether the controller verifies target groups.
   * @default - read from the install in the World
   */
  readonly isVerified?: () => boolean;
}

/** The release of one Rollout. */
export function releaseOf(
  subject: ArgoSubject,
  world: World,
  { isVerified = () => verifiesTargetGroups(world), argoVersion }: ReleaseOptions = {},
): Release {
  const { manifest, namespace, style, path, traffic, matches, workload, otherRouter } = subject;
  const found = workload === undefined ? undefined : world.get(workload);
  const autoscaler = autoscalerOf(world, manifest, namespace);
  const isShared = subject.sharedServices.includes(traffic.stableService);
  const notPlayed = () =>
    refusalOf(world, manifest, argoVersion) ??
    (otherRouter === 'plugins' ? pluginRouterRemark(subject, world) : undefined) ??
    (otherRouter === undefined ? undefined : otherRouterRemark(subject, otherRouter));
  return {
    manifest,
    namespace,
    style,
    path,
    steps: stepsOf(subject),
    traffic,
    needs: [manifest, found, autoscaler].filter((each) => each !== undefined),
    matches,
    // Read only for releases that are rehearsed.
    get notPlayed() {
      return notPlayed();
    },
    needsLoadBalancer: style === 'argo-blue-green' || (!subject.hasRouting && isShared),
    // What several Rollouts write to one Ingress does not get in each other's way.
    coexists: true,
    play: (scope) =>
      notPlayed() === undefined
        ? untilMissingPlugin(subject, playArgo(scope, subject, argoVersion), world)
        : before(scope),
    ...storiesPart(subject, { autoscaler, world }, { version: argoVersion, isVerified }),
    entranceOf: (before) => entranceOf(before, subject),
    advise: (situation) => argoAdvice(situation, subject),
    fixUnreachable: (unreachable) => fixUnreachable(subject, unreachable),
    remarksOn: (seen) => [
      ...unmanagedRemarks(subject, seen),
      ...newTargetRemarks(subject, seen),
      ...abortRemarks(subject, seen),
      ...previewRemarks(subject, seen),
      ...weightByPodsRemarks(subject, seen),
      ...(isVerified() ? verificationRemarks(subject, seen) : []),
      ...weightsStayRemarks(subject, seen),
      ...pluginStepRemarks(subject, world),
    ],
  };
}

function storiesPart(
  subject: ArgoSubject,
  beside: { readonly autoscaler: Manifest | undefined; readonly world: World },
  { version, isVerified }: { readonly version: ArgoRolloutsVersion | undefined; readonly isVerified: () => boolean },
): Pick<Release, 'stories' | 'tell'> {
  if (subject.otherRouter !== undefined) return {};
  return {
    stories: () => storiesOf(subject, { ...beside, isVerified: isVerified() }),
    tell: (scope, stories) => tellArgo(scope, subject, stories, { version, verifies: isVerified() }) ?? [],
  };
}

/** Argo Rollouts, for rehearsals. */
export const argo = {
  name: 'Argo Rollouts',
  reads: [
    { group: 'argoproj.io', kind: 'Rollout', plural: 'rollouts' },
    { group: 'argoproj.io', kind: 'AnalysisTemplate', plural: 'analysistemplates' },
    { group: 'argoproj.io', kind: 'ClusterAnalysisTemplate', plural: 'clusteranalysistemplates', clusterScoped: true },
    { group: 'argoproj.io', kind: 'AnalysisRun', plural: 'analysisruns', onlyWhereUsed: true },
  ],
  rules: argoReleaseRules,
  releasesOf,
  mergeEffects,
  // Neighbours on a load balancer answer with the actions that Argo has written for them.
  idle: (world: World, { argoVersion }: ArgoReleaseOptions = {}) =>
    withIdleActions(
      world,
      world.list(ARGO_ROLLOUT).filter((manifest) => refusalOf(world, manifest, argoVersion) === undefined),
    ),
  installed: (world: World) => [...controllersOf({ world }).map(({ manifest }) => manifest), ...pluginConfigsOf(world)],
} satisfies ReleaseController;
