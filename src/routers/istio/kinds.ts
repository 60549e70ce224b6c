import type { ObjectKind } from '../kinds';

const group = 'networking.istio.io';

export const VIRTUAL_SERVICE: ObjectKind = { kind: 'VirtualService', group, plural: 'virtualservices' };
export const DESTINATION_RULE: ObjectKind = { kind: 'DestinationRule', group, plural: 'destinationrules' };
export const GATEWAY: ObjectKind = { kind: 'Gateway', group, plural: 'gateways' };
export const SERVICE_ENTRY: ObjectKind = { kind: 'ServiceEntry', group, plural: 'serviceentries' };
