/** Argo Rollouts behind AWS load balancers, with their Services and Ingresses, as plain data. */
import { READINESS_LABEL } from '../rules/rollout-rules';
import { type IngressManifest, ingressManifest } from './ingress';
import type { ArgoAlbRolloutOptions, ArgoObjectMetadata } from './options';
import { planOf } from './plan';
import { problemsOf } from './problems';
import { type RolloutManifest, rolloutManifest } from './rollout';
import { type ServiceManifest, serviceManifests } from './services';

export * from './ingress-options';
export * from './options';
export * from './strategy';
export type { IngressManifest, RolloutManifest, ServiceManifest };

/** The objects of a Rollout. */
export interface ArgoAlbObjects {
  readonly rollout: RolloutManifest;
  /** The new Services. */
  readonly services: readonly ServiceManifest[];
  /** The Ingresses that Argo edits, in its order, then that of a preview. */
  readonly ingresses: readonly IngressManifest[];
}

/** The label of a namespace whose pods get a readiness gate of the load balancer. */
export const READINESS_GATE_LABELS: Readonly<Record<string, string>> = { [READINESS_LABEL]: 'enabled' };

/**
 * The Rollout, its Services and Ingresses. Throws an error with everything that Argo, Kubernetes or AWS would reject.
 *
 * @example
 * argoAlbObjects(
 *   { template, strategy: ArgoAlbStrategy.canary({ steps: [ArgoStep.setWeight(20), ArgoStep.pause()] }) },
 *   { name: 'web', namespace: 'shop' },
 * );
 */
export function argoAlbObjects(
  options: ArgoAlbRolloutOptions,
  metadata: ArgoObjectMetadata & { readonly name: string },
): ArgoAlbObjects {
  const { objects, problems } = drawArgoAlb(options, metadata);
  if (problems.length > 0) throw new Error(problems.map((problem) => `\n  - ${problem}`).join(''));
  return objects;
}

/** The same with the problems as data, for callers that know some of the values only later. */
export function drawArgoAlb(
  options: ArgoAlbRolloutOptions,
  metadata: ArgoObjectMetadata & { readonly name: string },
): { readonly objects: ArgoAlbObjects; readonly problems: readonly string[] } {
  const plan = planOf(options, metadata);
  const { ingresses, previewIngress } = plan;
  const objects = {
    rollout: rolloutManifest(plan),
    services: serviceManifests(plan),
    ingresses: [...ingresses, ...(previewIngress === undefined ? [] : [previewIngress])].map((ingress) =>
      ingressManifest(plan, ingress),
    ),
  };
  return { objects, problems: problemsOf(plan, objects) };
}
