import type { IConstruct } from 'constructs';
import type { ArgoCdIgnoreDifferences, FluxIgnoreRule, RewrittenFields } from '../kruise/gitops';
import { KruiseRolloutVersion } from '../kruise/version';
import { stackOf } from './stack';
import { readWorld } from './world';

/**
 * What a GitOps tool has to leave alone, because Kruise Rollouts rewrites it: exactly the fields that the Rollouts and the
 * install of a scope need. docs/rollouts-kruise.md tells what each tool makes of it.
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
   * @param scope The chart or construct whose Rollouts and install are meant; an App for all.
   */
  static argoCdIgnoreDifferences(scope: IConstruct, version?: KruiseRolloutVersion): ArgoCdIgnoreDifferences[] {
    return gitOps().argoCdIgnoreDifferences(rewrittenIn(scope, version));
  }

  /**
   * For `spec.ignore` of a Flux Kustomization, or `spec.driftDetection.ignore` of a HelmRelease.
   * @param scope The chart or construct whose Rollouts and install are meant; an App for all.
   */
  static fluxIgnoreRules(scope: IConstruct, version?: KruiseRolloutVersion): FluxIgnoreRule[] {
    return gitOps().fluxIgnoreRules(rewrittenIn(scope, version));
  }

  private constructor() {}
}

function rewrittenIn(scope: IConstruct, version = KruiseRolloutVersion.LATEST): RewrittenFields[] {
  const world = readWorld(stackOf(scope));
  return gitOps().rewrittenIn(world, version, (manifest) => isWithin(manifest.construct, scope.node.path));
}

function isWithin(construct: string | undefined, ancestor: string): boolean {
  // The path of an App is empty.
  return ancestor === '' || construct === ancestor || (construct?.startsWith(`${ancestor}/`) ?? false);
}

// Loaded here, because most apps ask for it in one place or not at all.
function gitOps(): typeof import('../kruise/gitops') {
  return require('../kruise/gitops');
}
