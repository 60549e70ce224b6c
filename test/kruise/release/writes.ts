/** What the tests of this folder read of a rehearsal. */
import type { Rehearsal } from '../../../src/core/rehearsal-result';

/** Every moment with what the controller writes for it, in its order: `end: routes restored: deleted Ingress web-canary`. */
export function writesOf({ moments }: Rehearsal): string[] {
  return moments.map(({ title, changes }) => {
    const writes = changes.map(({ action, object }) => `${action} ${object.kind} ${object.name}`);
    return [title, ...writes].join('; ');
  });
}

/** An application behind ingress-nginx. */
export const NGINX = {
  ingressClassName: 'nginx',
  annotations: {},
  port: { number: 80 },
  route: { ingress: { name: 'web', classType: 'nginx' } },
};

/** An application behind a Gateway. */
export const GATEWAY_API = {
  ...NGINX,
  route: { gateway: { httpRouteName: 'web' } },
  more: [
    {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'Gateway',
      metadata: { name: 'public', namespace: 'shop' },
      spec: { gatewayClassName: 'example', listeners: [{ name: 'http', port: 80, protocol: 'HTTP' }] },
    },
    {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'HTTPRoute',
      metadata: { name: 'web', namespace: 'shop' },
      spec: {
        parentRefs: [{ name: 'public' }],
        hostnames: ['api.example.com'],
        rules: [{ backendRefs: [{ name: 'web', port: 80 }] }],
      },
    },
  ],
};

/** Options of a Rollout that replaces the pods of its workload. */
export const PARTITION = { enableExtraWorkloadForCanary: false };

/** Steps that the webhook accepts in partition style. */
export const PARTITION_STEPS = [{ traffic: '20%', replicas: '20%' }, { replicas: '100%' }];
