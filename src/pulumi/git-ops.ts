/** The fields that a controller rewrites during a release, and that Pulumi has to ignore. */
import type { RewrittenFields } from '../core/gitops';
import { Manifest } from '../core/manifest';
import { World } from '../core/world';
import type { ObjectMeta, TrafficRoutingRef } from '../kruise/api';
import { rewrittenByRollout } from '../kruise/gitops';
import { rolloutManifest } from '../kruise/manifests';
import { KruiseRolloutStep } from '../kruise/steps';
import { KruiseRolloutStrategy } from '../kruise/strategy';
import { KruiseRolloutVersion } from '../kruise/version';
import { propertyPath } from './component';

/** The Rollout that names the object. */
export interface IgnoreChangesOptions {
  /**
   * The strategy of the Rollout. In partition and blue-green style the controller rewrites more fields.
   * @default - an extra canary workload
   */
  readonly strategy?: KruiseRolloutStrategy;
  /**
   * The release of Kruise Rollouts.
   * @default KruiseRolloutVersion.LATEST
   */
  readonly kruiseVersion?: KruiseRolloutVersion;
}

const SOME_STEPS = KruiseRolloutStrategy.canary({ steps: [KruiseRolloutStep.traffic('50%')] });

const WORKLOADS = ['CloneSet', 'DaemonSet', 'Deployment', 'StatefulSet'];

/** The fields that Kruise Rollouts rewrites, and that a GitOps tool has to ignore. */
export class KruiseGitOps {
  /**
   * The option `ignoreChanges` of a resource that a Rollout names: exactly the fields that the controller rewrites.
   *
   * @example
   * const ignoreChanges = KruiseGitOps.ignoreChanges({ apiVersion: 'apps/v1', kind: 'Deployment' });
   * new k8s.apps.v1.Deployment('web', args, { ignoreChanges });
   */
  static ignoreChanges(
    object: { readonly apiVersion: string; readonly kind: string },
    { strategy = SOME_STEPS, kruiseVersion: version = KruiseRolloutVersion.LATEST }: IgnoreChangesOptions = {},
  ): string[] {
    const { apiVersion, kind } = object;
    const named = { apiVersion, kind, name: 'it' };
    const isWorkload = WORKLOADS.includes(kind);
    const rollout = rolloutManifest({
      metadata: { name: 'it' },
      workload: isWorkload ? named : { apiVersion: 'apps/v1', kind: 'Deployment', name: 'other' },
      strategy,
      ...(isWorkload ? {} : { trafficRouting: routeThrough(named) }),
    });
    return rewrittenBy(rollout, [], version)
      .filter((fields) => fields.object.kind === kind && fields.object.name === 'it')
      .flatMap(({ pointers }) => pointers.map(propertyPath));
  }

  private constructor() {}
}

function routeThrough(object: { apiVersion: string; kind: string; name: string }): TrafficRoutingRef {
  if (object.kind === 'HTTPRoute') return { service: 'other', gateway: { httpRouteName: object.name } };
  if (object.kind === 'Service') return { service: object.name, gateway: { httpRouteName: 'other' } };
  return { service: 'other', customNetworkRefs: [object] };
}

/** The fields of the objects of a route that any release rewrites. */
export function rewrittenByRoute(
  objects: readonly object[],
  metadata: Partial<ObjectMeta>,
  trafficRouting: TrafficRoutingRef,
): RewrittenFields[] {
  const workload = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'any' };
  const { namespace } = metadata;
  const rollout = rolloutManifest({
    metadata: { name: 'any', ...(namespace === undefined ? {} : { namespace }) },
    workload,
    strategy: SOME_STEPS,
    trafficRouting,
  });
  return rewrittenBy(rollout, objects, KruiseRolloutVersion.LATEST);
}

function rewrittenBy(rollout: object, objects: readonly object[], version: KruiseRolloutVersion): RewrittenFields[] {
  const manifest = Manifest.of(rollout);
  return rewrittenByRollout(manifest, World.of([manifest, ...objects.map((object) => Manifest.of(object))]), version);
}
