/** Builds the Services of a Rollout. */
import type { ArgoObjectMetadata } from './options';
import { type AlbPlan, metadataFor } from './plan';

/** A Service as an API object. */
export interface ServiceManifest {
  readonly apiVersion: 'v1';
  readonly kind: 'Service';
  readonly metadata: ArgoObjectMetadata;
  readonly spec: object;
}

/** The new Services of a Rollout. They select all pods; Argo adds the hash of a version to their selectors. */
export function serviceManifests(plan: AlbPlan): ServiceManifest[] {
  const { services, ingresses, previewIngress, port, targetPort, labels } = plan;
  const hasNodePorts = [...ingresses, ...(previewIngress ? [previewIngress] : [])].some(
    ({ targetType }) => targetType === 'instance',
  );
  return services
    .filter(({ service }) => service.isMade)
    .map(({ service }) => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: metadataFor(plan, service.name, service.metadata),
      spec: {
        ...(hasNodePorts && { type: 'NodePort' }),
        selector: labels,
        ports: [{ name: 'http', port, targetPort }],
      },
    }));
}
