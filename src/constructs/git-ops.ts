import type { IConstruct } from 'constructs';
import { isWithinConstruct } from '../core/construct-path';
import type { ArgoCdIgnoreDifferences, FluxIgnoreRule, RewrittenFields } from '../core/gitops';
import type { KustomizeConfiguration } from '../core/kustomize';
import type { Manifest } from '../core/manifest';
import type { World } from '../core/world';
import type { FluxHealthCheckExpr } from '../kruise/health';
import { KruiseRolloutVersion } from '../kruise/version';
import { stackOf } from './stack';
import { worldOf } from './world';

// Loaded on first use, because most apps never call these methods.
const gitOps = () => require('../core/gitops') as typeof import('../core/gitops');
const argo = () => require('../argo/gitops') as typeof import('../argo/gitops');
const health = () => require('../kruise/health') as typeof import('../kruise/health');
const kruise = () => require('../kruise/gitops') as typeof import('../kruise/gitops');

/**
 * The fields that a GitOps tool must ignore because Argo Rollouts rewrites them: exactly those that the Rollouts of a scope
 * need. docs/argo-alb.md explains what each tool does with them.
 *
 * @example
 * new ApiObject(this, 'Application', {
 *   apiVersion: 'argoproj.io/v1alpha1',
 *   kind: 'Application',
 *   spec: { ...rest, ignoreDifferences: ArgoGitOps.argoCdIgnoreDifferences(chart) },
 * });
 */
export class ArgoGitOps {
  /**
   * For `spec.ignoreDifferences` of an Argo CD Application.
   * @param scope The chart or construct that holds the Rollouts; an App for all of them.
   */
  static argoCdIgnoreDifferences(scope: IConstruct): ArgoCdIgnoreDifferences[] {
    return gitOps().argoCdIgnoreDifferences(rewrittenBy(scope, argo().rewrittenByArgo));
  }

  /**
   * For `spec.ignore` of a Flux Kustomization, or `spec.driftDetection.ignore` of a HelmRelease.
   * @param scope The chart or construct that holds the Rollouts; an App for all of them.
   */
  static fluxIgnoreRules(scope: IConstruct): FluxIgnoreRule[] {
    return gitOps().fluxIgnoreRules(rewrittenBy(scope, argo().rewrittenByArgo));
  }

  /**
   * For `configurations` of a kustomization.yaml: where Rollouts, Experiments and analysis templates hold names of other
   * objects, labels and replicas. It is the same for all Rollouts. Write it with `Yaml.stringify`.
   *
   * @example Yaml.save('deploy/argo-rollouts-kustomize.yaml', [ArgoGitOps.kustomizeConfiguration()])
   */
  static kustomizeConfiguration(): KustomizeConfiguration {
    return (require('../argo/kustomize') as typeof import('../argo/kustomize')).ARGO_KUSTOMIZE;
  }

  private constructor() {}
}

/**
 * The fields that a GitOps tool must ignore because Kruise Rollouts rewrites them: exactly those that the Rollouts and the
 * install of a scope need. docs/rollouts-kruise.md explains what each tool does with them.
 *
 * @example
 * new ApiObject(this, 'Application', {
 *   apiVersion: 'argoproj.io/v1alpha1',
 *   kind: 'Application',
 *   spec: { ...rest, ignoreDifferences: KruiseGitOps.argoCdIgnoreDifferences(chart) },
 * });
 */
export class KruiseGitOps {
  /**
   * For `spec.ignoreDifferences` of an Argo CD Application.
   * @param scope The chart or construct that holds the Rollouts and the install; an App for all of them.
   */
  static argoCdIgnoreDifferences(scope: IConstruct, version?: KruiseRolloutVersion): ArgoCdIgnoreDifferences[] {
    return gitOps().argoCdIgnoreDifferences(rewrittenByKruise(scope, version));
  }

  /**
   * For `spec.ignore` of a Flux Kustomization, or `spec.driftDetection.ignore` of a HelmRelease.
   * @param scope The chart or construct that holds the Rollouts and the install; an App for all of them.
   */
  static fluxIgnoreRules(scope: IConstruct, version?: KruiseRolloutVersion): FluxIgnoreRule[] {
    return gitOps().fluxIgnoreRules(rewrittenByKruise(scope, version));
  }

  /**
   * For `configurations` of a kustomization.yaml: where Rollouts, TrafficRoutings and BatchReleases hold names of other
   * objects. It is the same for all Rollouts. Write it with `Yaml.stringify`.
   *
   * @example Yaml.save('deploy/kruise-rollouts-kustomize.yaml', [KruiseGitOps.kustomizeConfiguration()])
   */
  static kustomizeConfiguration(): KustomizeConfiguration {
    return (require('../kruise/kustomize') as typeof import('../kruise/kustomize')).KRUISE_KUSTOMIZE;
  }

  /**
   * For `data` of the ConfigMap argocd-cm: how Argo CD judges a Rollout. It is Suspended while a step waits for approval, and
   * Healthy when the release is over, also after a roll-back. docs/rollouts-kruise.md explains the other states.
   */
  static argoCdHealthCheck(): Readonly<Record<string, string>> {
    return health().KRUISE_ARGO_CD_HEALTH;
  }

  /**
   * For `spec.healthCheckExprs` of a Flux Kustomization: how Flux judges a Rollout. A step that waits for approval is in progress.
   * @param apiVersions those in which the manifests are written
   */
  static fluxHealthCheckExprs(apiVersions: readonly string[] = ['rollouts.kruise.io/v1beta1']): FluxHealthCheckExpr[] {
    return health().fluxHealthCheckExprs(apiVersions);
  }

  private constructor() {}
}

function rewrittenByKruise(scope: IConstruct, version = KruiseRolloutVersion.LATEST): RewrittenFields[] {
  return rewrittenBy(scope, (world, isMeant) => kruise().rewrittenIn(world, version, isMeant));
}

function rewrittenBy(
  scope: IConstruct,
  rewrittenIn: (world: World, isMeant: (manifest: Manifest) => boolean) => RewrittenFields[],
): RewrittenFields[] {
  return rewrittenIn(worldOf(stackOf(scope)), ({ construct }) => isWithinConstruct(construct, scope.node.path));
}
