import type { ObjectKind } from '../kinds';

const group = 'apisix.apache.org';

export const APISIX_ROUTE: ObjectKind = { kind: 'ApisixRoute', group, plural: 'apisixroutes' };
export const APISIX_UPSTREAM: ObjectKind = { kind: 'ApisixUpstream', group, plural: 'apisixupstreams' };
