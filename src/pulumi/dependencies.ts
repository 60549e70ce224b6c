/** What has to be there before an object is made: the rest Pulumi makes at the same time. */
import type { KubernetesObject } from '../kubernetes/api';

/**
 * For each object the indexes of those before it that it needs. All need the Namespace that they are in. A Deployment
 * needs what comes before it: CRDs, permissions, Services, and the webhooks that its process looks for. Webhooks that
 * come after it are answered by it.
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
