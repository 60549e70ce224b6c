import { isIP } from '../../core/ip-address';
import { asList, asObject, asText, isSet, type Json, type JsonObject, textsOf } from '../../core/json';
import type { Path } from '../../core/path';
import type { SchemaError } from '../../core/schema/error';
import { labelErrors, portNameErrors, qualifiedNameErrors, subdomainErrors } from '../../core/schema/names';
import {
  all,
  duplicates,
  each,
  type FieldCheck,
  fields,
  forbidden,
  invalid,
  missing,
  oneOf,
  range,
  type TypeCheck,
  text,
} from './field-checks';
import { labelsErrors } from './labels';

const PORT = range(1, 65535);

/** A port by its number or name. */
export const portOrName: FieldCheck = (value, path) =>
  typeof value === 'string' ? text(portNameErrors)(value, path) : PORT(value, path);

/** The default of a target port is the port: 0 and an empty text are none. */
const targetPort: FieldCheck = (value, path) => (value === 0 ? [] : portOrName(value, path));

const DAY = 86_400;

export const serviceTypes: Readonly<Record<string, TypeCheck>> = {
  ServiceSpec: all(
    fields({
      selector: labelsErrors,
      type: oneOf('ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'),
      externalName: text((name) => subdomainErrors(name.replace(/\.$/, ''))),
      loadBalancerClass: text(qualifiedNameErrors),
      externalIPs: each(address),
      clusterIP: clusterAddress,
      ipFamilies,
    }),
    portsOfSpec,
    fieldsOfType,
  ),
  ServicePort: fields({
    port: PORT,
    name: text(labelErrors),
    targetPort,
    appProtocol: text(qualifiedNameErrors),
  }),
  ClientIPConfig: fields({ timeoutSeconds: range(1, DAY) }),
};

function address(value: Json, path: Path): SchemaError[] {
  return typeof value === 'string' && isIP(value) === 0
    ? [invalid(path, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)', value)]
    : [];
}

function ipFamilies(value: Json, path: Path): SchemaError[] {
  const families = asList(value);
  return [
    ...families.flatMap((family, index) => (family === '' ? [missing([...path, index])] : [])),
    ...each(oneOf('IPv4', 'IPv6'))(value, path),
    ...duplicates(families.map((family, index) => [asText(family), [...path, index]])),
  ];
}

function clusterAddress(value: Json, path: Path): SchemaError[] {
  return value === 'None' || value === '' ? [] : address(value, path);
}

function typeOf({ type }: JsonObject): string {
  return asText(type) || 'ClusterIP';
}

function portsOfSpec(spec: JsonObject, path: Path): SchemaError[] {
  const ports = asList(spec.ports).map(asObject);
  const at = (index: number, name: string) => [...path, 'ports', index, name];
  const needsPorts = typeOf(spec) !== 'ExternalName' && spec.clusterIP !== 'None';
  const keyOf = (number: string) => (port: JsonObject) => `${port[number]}/${asText(port.protocol) || 'TCP'}`;
  const named = ports.map(({ name }, index) => [asText(name), at(index, 'name')] as const);
  const nodePorts = ports.map((port, index) => [keyOf('nodePort')(port), at(index, 'nodePort')] as const);
  return [
    ...(needsPorts && ports.length === 0 ? [missing([...path, 'ports'])] : []),
    ...(ports.length > 1 ? named.flatMap(([name, place]) => (name === '' ? [missing(place)] : [])) : []),
    ...duplicates(named.filter(([name]) => name !== '')),
    ...duplicates(ports.map((port, index) => [keyOf('port')(port), [...path, 'ports', index]])),
    ...duplicates(nodePorts.filter((_, index) => Number(ports[index]!.nodePort ?? 0) > 0)),
  ];
}

/** Fields that only some types of Services have. */
function fieldsOfType(spec: JsonObject, path: Path): SchemaError[] {
  const type = typeOf(spec);
  const isOpen = type === 'NodePort' || type === 'LoadBalancer';
  const isReachable = isOpen || (type === 'ClusterIP' && textsOf(spec.externalIPs).length > 0);
  return [
    ...(type === 'ExternalName' && asText(spec.externalName) === '' ? [missing([...path, 'externalName'])] : []),
    ...(type === 'LoadBalancer' && spec.clusterIP === 'None'
      ? [invalid([...path, 'clusterIP'], "may not be set to 'None' for LoadBalancer services", 'None')]
      : []),
    ...(isReachable || asText(spec.externalTrafficPolicy) === ''
      ? []
      : [
          invalid(
            [...path, 'externalTrafficPolicy'],
            'may only be set for externally-accessible services',
            spec.externalTrafficPolicy,
          ),
        ]),
    ...(type !== 'LoadBalancer' && isSet(spec.loadBalancerClass)
      ? [forbidden([...path, 'loadBalancerClass'], "may only be used when `type` is 'LoadBalancer'")]
      : []),
    ...(isOpen
      ? []
      : asList(spec.ports).flatMap((port, index) =>
          Number(asObject(port).nodePort ?? 0) > 0 && type === 'ClusterIP'
            ? [forbidden([...path, 'ports', index, 'nodePort'], "may not be used when `type` is 'ClusterIP'")]
            : [],
        )),
  ];
}
