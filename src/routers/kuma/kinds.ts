import type { ObjectKind } from '../kinds';

const group = 'kuma.io';

export const MESH_HTTP_ROUTE: ObjectKind = { kind: 'MeshHTTPRoute', group, plural: 'meshhttproutes' };
export const TRAFFIC_ROUTE: ObjectKind = { kind: 'TrafficRoute', group, plural: 'trafficroutes', clusterScoped: true };
export const MESH: ObjectKind = { kind: 'Mesh', group, plural: 'meshes', clusterScoped: true };
export const MESH_GATEWAY: ObjectKind = { kind: 'MeshGateway', group, plural: 'meshgateways', clusterScoped: true };
