import type { ObjectKind } from '../kinds';

export const INGRESS_CLASS_PARAMS: ObjectKind = {
  kind: 'IngressClassParams',
  group: 'elbv2.k8s.aws',
  plural: 'ingressclassparams',
  clusterScoped: true,
};
