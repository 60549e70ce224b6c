import type { ObjectKind } from '../kinds';

export const ALB_CONFIG: ObjectKind = {
  kind: 'AlbConfig',
  group: 'alibabacloud.com',
  plural: 'albconfigs',
  clusterScoped: true,
};
