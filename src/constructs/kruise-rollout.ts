import { ApiObject, type ApiObjectMetadata } from 'cdk8s';
import type { Construct } from 'constructs';
import type { ArgoCdIgnoreDifferences, FluxIgnoreRule } from '../core/gitops';
import { kruiseRollout } from '../kruise/objects';
import type { NameReference, ObjectReference, TrafficRoutingOptions } from '../kruise/references';
import type { KruiseRolloutStrategy } from '../kruise/strategy';
import { KruiseRolloutVersion } from '../kruise/version';
import { CheckedObject } from './checked-object';
import { addChecks, type KruiseCheckProps } from './checks';
import { KruiseGitOps } from './git-ops';
import { requireProps } from './place';

/** Properties of a `KruiseRollout`. */
export interface KruiseRolloutProps extends KruiseCheckProps {
  /**
   * Name, namespace, labels and annotations of the Rollout. It has to be in the namespace of everything it names.
   * @default - a name made of the construct's path, in the namespace of the chart
   */
  readonly metadata?: ApiObjectMetadata;

  /** The workload whose releases go step by step: a Deployment, or another kind that the controller knows. */
  readonly workload: ObjectReference;

  /** How a release happens, with its steps. */
  readonly strategy: KruiseRolloutStrategy;

  /**
   * Where the traffic of the steps is split: the Service, and what routes to it.
   * @default - traffic is not routed: requests reach the new version in proportion to its pods
   */
  readonly trafficRouting?: TrafficRoutingOptions;

  /**
   * A TrafficRouting that is in force during the release, for a Service in front of the one that is released. Written as
   * the field, and as the annotation that the controllers really read.
   * @default - none
   */
  readonly trafficRoutingRef?: NameReference;

  /**
   * Holds a release where it is.
   * @default false
   */
  readonly paused?: boolean;

  /**
   * Lets releases pass as if there were no Rollout.
   * @default false
   */
  readonly disabled?: boolean;
}

/**
 * A Rollout of Kruise Rollouts: releases of a workload, step by step, each with its share of pods and traffic.
 *
 * At synth it is checked together with everything that it names: what the API server or the webhook would refuse, and
 * what they let in although it fails later. The synth fails with all that was found.
 *
 * @example
 * new KruiseRollout(this, 'Rollout', {
 *   workload: deployment,
 *   strategy: KruiseRolloutStrategy.canary({
 *     steps: [
 *       KruiseRolloutStep.matches([HeaderMatch.exact('user-agent', 'pc')], { replicas: 1 }),
 *       KruiseRolloutStep.traffic('20%', { pause: Duration.minutes(10) }),
 *       KruiseRolloutStep.traffic('100%'),
 *     ],
 *   }),
 *   trafficRouting: { service, ingress, classType: 'nginx' },
 * });
 */
export class KruiseRollout extends CheckedObject {
  /** The Rollout itself. */
  readonly apiObject: ApiObject;

  private readonly version: KruiseRolloutVersion;

  constructor(scope: Construct, id: string, props: KruiseRolloutProps) {
    super(scope, id);
    requireProps(this, props, 'workload', 'strategy');
    this.version = props.version ?? KruiseRolloutVersion.LATEST;
    this.apiObject = new ApiObject(this, 'Resource', kruiseRollout(props));
    addChecks(this, props);
  }

  /**
   * For `spec.ignoreDifferences` of an Argo CD Application: the fields of this app's objects that the controller rewrites
   * during a release, and no others. See docs/rollouts-kruise.md for the sync option that belongs to it.
   */
  argoCdIgnoreDifferences(): ArgoCdIgnoreDifferences[] {
    return KruiseGitOps.argoCdIgnoreDifferences(this, this.version);
  }

  /**
   * For `spec.ignore` of a Flux Kustomization, or `spec.driftDetection.ignore` of a HelmRelease: the fields that the
   * controller rewrites during a release, and no others.
   */
  fluxIgnoreRules(): FluxIgnoreRule[] {
    return KruiseGitOps.fluxIgnoreRules(this, this.version);
  }
}
