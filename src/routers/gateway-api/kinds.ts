import type { ObjectKind } from '../kinds';

const group = 'gateway.networking.k8s.io';

export const HTTP_ROUTE: ObjectKind = { kind: 'HTTPRoute', group, plural: 'httproutes' };
export const GRPC_ROUTE: ObjectKind = { kind: 'GRPCRoute', group, plural: 'grpcroutes' };
export const TLS_ROUTE: ObjectKind = { kind: 'TLSRoute', group, plural: 'tlsroutes' };
export const TCP_ROUTE: ObjectKind = { kind: 'TCPRoute', group, plural: 'tcproutes' };
export const GATEWAY: ObjectKind = { kind: 'Gateway', group, plural: 'gateways' };
export const GATEWAY_CLASS: ObjectKind = { kind: 'GatewayClass', group, plural: 'gatewayclasses', clusterScoped: true };
export const REFERENCE_GRANT: ObjectKind = { kind: 'ReferenceGrant', group, plural: 'referencegrants' };
export const LISTENER_SET: ObjectKind = { kind: 'ListenerSet', group, plural: 'listenersets' };
/** The experimental ListenerSet, before Gateway API 1.5. */
export const X_LISTENER_SET: ObjectKind = {
  kind: 'XListenerSet',
  group: 'gateway.networking.x-k8s.io',
  plural: 'xlistenersets',
};
