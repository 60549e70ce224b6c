import type { Finding } from '../core/finding';
import type { Manifest } from '../core/manifest';
import { World } from '../core/world';
import { type AdmissionOptions, admissionFindings, admitRollout } from './admission';
import { API_GROUP, type RolloutV1alpha1, type RolloutV1beta1 } from './api';

/** A Rollout of either API version. */
export type Rollout = RolloutV1alpha1 | RolloutV1beta1;

/** A Rollout read from a manifest, or the findings that prevent it. */
export type LoadedRollout =
  | { readonly rollout: Rollout; readonly findings: readonly Finding[] }
  | { readonly rollout?: undefined; readonly findings: readonly Finding[] };

/**
 * Reads a Rollout from existing YAML into the types of this library. Returns the object as the API server would store it:
 * with defaults, and without unknown fields, which the findings list. Returns no Rollout if the cluster would refuse it,
 * because it would not match the types.
 *
 * @example
 * const { rollout, findings } = loadRollout(manifest);
 * if (rollout?.apiVersion === 'rollouts.kruise.io/v1beta1') console.log(rollout.spec.workloadRef.name);
 */
export function loadRollout(manifest: Manifest, options: AdmissionOptions = {}): LoadedRollout {
  if (!isRollout(manifest)) {
    throw new Error(`expected a Rollout of ${API_GROUP}, got ${manifest.kind} of ${manifest.apiVersion}`);
  }
  const verdict = admitRollout(manifest.object, {}, options);
  const findings = admissionFindings(World.of([manifest]), options);
  return verdict.allowed ? { rollout: verdict.object as unknown as Rollout, findings } : { findings };
}

/** Whether a manifest is a Rollout of Kruise Rollouts, not of Argo Rollouts. */
function isRollout(manifest: Manifest): boolean {
  return manifest.groupKind === `Rollout.${API_GROUP}`;
}
