import type { IConstruct } from 'constructs';
import type { ArgoCdIgnoreDifferences, FluxIgnoreRule, RewrittenFields } from '../kruise/gitops';
import { stackOf } from './stack';
import { readWorld } from './world';

/**
 * What a GitOps tool has to leave alone, because Argo Rollouts rewrites it: exactly the fields that the Rollouts of a scope
 * need. docs/argo-alb.md tells what each tool makes of it.
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
   * @param scope The chart or construct whose Rollouts are meant; an App for all.
   */
  static argoCdIgnoreDifferences(scope: IConstruct): ArgoCdIgnoreDifferences[] {
    return formats().argoCdIgnoreDifferences(rewrittenIn(scope));
  }

  /**
   * For `spec.ignore` of a Flux Kustomization, or `spec.driftDetection.ignore` of a HelmRelease.
   * @param scope The chart or construct whose Rollouts are meant; an App for all.
   */
  static fluxIgnoreRules(scope: IConstruct): FluxIgnoreRule[] {
    return formats().fluxIgnoreRules(rewrittenIn(scope));
  }

  private constructor() {}
}

function rewrittenIn(scope: IConstruct): RewrittenFields[] {
  const { rewrittenByArgo } = require('../argo/gitops') as typeof import('../argo/gitops');
  const world = readWorld(stackOf(scope));
  return rewrittenByArgo(world, ({ construct }) => isWithin(construct, scope.node.path));
}

function isWithin(construct: string | undefined, ancestor: string): boolean {
  // The path of an App is empty.
  return ancestor === '' || construct === ancestor || (construct?.startsWith(`${ancestor}/`) ?? false);
}

// Loaded here, because most apps ask for it in one place or not at all.
function formats(): typeof import('../kruise/gitops') {
  return require('../kruise/gitops');
}
