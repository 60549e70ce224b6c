/** Autoscalers: with one, the number of pods is not what the workload declares. */
import { asObject, asText, numberOf } from '../core/json';
import { groupOf, type Manifest } from '../core/manifest';
import type { World } from '../core/world';

/** What an autoscaler names. */
export interface ScaleTarget {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

/** The HorizontalPodAutoscaler of a workload; undefined if there is none among the manifests. */
export function autoscalerOf(world: World, target: ScaleTarget, namespace: string): Manifest | undefined {
  return world.memo(autoscalersByTarget).get(keyOf(target, namespace));
}

/** The bounds of an autoscaler. */
export function boundsOf(autoscaler: Manifest): { readonly min: number; readonly max: number } {
  const { minReplicas, maxReplicas } = asObject(autoscaler.get('spec'));
  const min = numberOf(minReplicas) ?? 1;
  return { min, max: Math.max(min, numberOf(maxReplicas) ?? min) };
}

/** The number of pods before the release: within the bounds of the autoscaler, which never wakes up a workload without pods. */
export function autoscaled(replicas: number, autoscaler: Manifest | undefined): number {
  if (autoscaler === undefined || replicas === 0) return replicas;
  const { min, max } = boundsOf(autoscaler);
  return Math.min(Math.max(replicas, min), max);
}

function autoscalersByTarget(world: World): ReadonlyMap<string, Manifest> {
  const all = world.list('HorizontalPodAutoscaler.autoscaling');
  return new Map(
    all.map((autoscaler) => {
      const { apiVersion, kind, name } = asObject(asObject(autoscaler.get('spec')).scaleTargetRef);
      const target = { apiVersion: asText(apiVersion), kind: asText(kind), name: asText(name) };
      return [keyOf(target, world.namespaceOf(autoscaler)), autoscaler];
    }),
  );
}

function keyOf({ apiVersion, kind, name }: ScaleTarget, namespace: string): string {
  return [groupOf(apiVersion), kind, namespace, name].join('\n');
}
