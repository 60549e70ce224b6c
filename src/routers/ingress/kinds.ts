import type { ObjectKind } from '../kinds';

const group = 'networking.k8s.io';

export const INGRESS: ObjectKind = { kind: 'Ingress', group, plural: 'ingresses' };
export const INGRESS_CLASS: ObjectKind = {
  kind: 'IngressClass',
  group,
  plural: 'ingressclasses',
  clusterScoped: true,
};
