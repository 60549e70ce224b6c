import type { ApiObject, ApiObjectMetadata } from 'cdk8s';
import type { Construct } from 'constructs';
import type { ArgoCdIgnoreDifferences, FluxIgnoreRule } from '../core/gitops';
import { type KruiseRolloutOptions, kruiseRollout } from '../kruise/objects';
import { KruiseRolloutVersion } from '../kruise/version';
import { CheckedObject } from './checked-object';
import { addChecks, type KruiseCheckProps } from './checks';
import { checkProps } from './construct-errors';
import { KruiseGitOps } from './git-ops';
import { addMainObject } from './objects';

/** Properties of a `KruiseRollout`. */
export interface KruiseRolloutProps extends KruiseRolloutOptions, KruiseCheckProps {
  /**
   * Name, namespace, labels and annotations of the Rollout. Its namespace is that of every object that it names.
   * @default - a name made of the construct's path, in the namespace of the chart
   */
  readonly metadata?: ApiObjectMetadata;
}

/**
 * A Rollout of Kruise Rollouts: releases of a workload, step by step, each with its share of pods and traffic.
 *
 * The synth checks it together with every object that it names: what the API server or the webhook would refuse, and what
 * they accept although it fails later. The synth fails with all findings.
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
    checkProps(this, props);
    this.version = props.kruiseVersion ?? KruiseRolloutVersion.LATEST;
    this.apiObject = addMainObject(this, () => kruiseRollout(props, props.metadata, props.kruiseVersion));
    addChecks(this, props);
  }

  /**
   * `spec.ignoreDifferences` of an Argo CD Application: exactly the fields of this app's objects that the controller
   * rewrites during a release. docs/rollouts-kruise.md has the sync option that goes with it.
   */
  argoCdIgnoreDifferences(): ArgoCdIgnoreDifferences[] {
    return KruiseGitOps.argoCdIgnoreDifferences(this, this.version);
  }

  /**
   * `spec.ignore` of a Flux Kustomization, or `spec.driftDetection.ignore` of a HelmRelease: exactly the fields that the
   * controller rewrites during a release.
   */
  fluxIgnoreRules(): FluxIgnoreRule[] {
    return KruiseGitOps.fluxIgnoreRules(this, this.version);
  }
}
