/** The dependencies between the objects of a component. Pulumi creates all other objects in parallel. */
import type { KubernetesObject } from '../kubernetes/api';

/**
 * For each object, the indexes of the earlier objects that it depends on. Each object depends on its Namespace. A
 * Deployment depends on everything before it: CRDs, permissions, Services, and the webhooks that its process looks up.
 * Webhooks after the Deployment depend on it, because it answers them.
 */
export function dependenciesOf(objects: readonly KubernetesObject[]): number[][] {
  return objects.map((object, index) => {
    const before = objects.slice(0, index);
    const indexes = before.map((_, at) => at);
    if (object.kind === 'Deployment') return indexes;
    return indexes.filter((at) => {
      const { kind, metadata } = before[at]!;
      if (kind === 'Namespace') return object.metadata.namespace === metadata.name;
      return kind === 'Deployment' && /WebhookConfiguration$/.test(object.kind);
    });
  });
}
