import { isIP } from '../../core/ip-address';
import { asList, asText, isSet, type Json, type JsonObject } from '../../core/json';
import type { Path } from '../../core/path';
import type { SchemaError } from '../../core/schema/error';
import { hostErrors, portNameErrors, serviceNameErrors, subdomainErrors } from '../../core/schema/names';
import {
  all,
  anyText,
  each,
  fields,
  forbidden,
  invalid,
  missing,
  needs,
  needsEntries,
  oneOf,
  range,
  type TypeCheck,
  text,
} from './field-checks';

const PARTS = ['//', '/./', '/../', '%2f', '%2F'];
const ENDS = ['/..', '/.'];

export const ingressTypes: Readonly<Record<string, TypeCheck>> = {
  IngressClassSpec: all(needs('controller'), fields({ controller })),
  IngressClassParametersReference: all(needs('kind', 'name'), parameters),
  IngressSpec: all(fields({ ingressClassName: anyText(subdomainErrors) }), hasBackend),
  IngressRule: fields({ host: ruleHost }),
  IngressTLS: fields({ hosts: each(text(hostErrors)), secretName: text(subdomainErrors) }),
  HTTPIngressRuleValue: needsEntries('paths'),
  HTTPIngressPath: all(
    needs('pathType'),
    fields({ pathType: oneOf('Exact', 'ImplementationSpecific', 'Prefix') }),
    path,
  ),
  IngressBackend: backend,
  IngressServiceBackend: all(needs('name'), fields({ name: text(serviceNameErrors) }), portOfService),
  ServiceBackendPort: all(fields({ name: text(portNameErrors), number: range(0, 65535) }), nameOrNumber),
};

function controller(value: Json, at: Path): SchemaError[] {
  const text = asText(value);
  const slash = text.indexOf('/');
  if (text === '') return [];
  if (text.length > 250)
    return [{ path: at, type: 'FieldValueTooLong', detail: 'may not be more than 250 bytes', value }];
  if (slash <= 0) return [invalid(at, 'must be a domain-prefixed path (such as "acme.io/foo")', value)];
  const isPath = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(text.slice(slash + 1));
  return [
    ...subdomainErrors(text.slice(0, slash)).map((detail) => invalid(at, detail, value)),
    ...(isPath ? [] : [invalid(at, 'must be a domain-prefixed path (such as "acme.io/foo")', value)]),
  ];
}

function parameters({ scope, namespace }: JsonObject, at: Path): SchemaError[] {
  const isPlaced = asText(namespace) !== '';
  if (scope === 'Namespace') return isPlaced ? [] : [missing([...at, 'namespace'])];
  return isPlaced ? [forbidden([...at, 'namespace'], '`scope` is set to Cluster')] : [];
}

function hasBackend(spec: JsonObject, at: Path): SchemaError[] {
  if (asList(spec.rules).length > 0 || isSet(spec.defaultBackend)) return [];
  return [invalid(at, 'either `defaultBackend` or `rules` must be specified')];
}

function ruleHost(value: Json, at: Path): SchemaError[] {
  if (typeof value !== 'string') return [];
  if (value === '') return [];
  if (isIP(value) !== 0) return [invalid(at, 'must be a DNS name, not an IP address', value)];
  return text(hostErrors)(value, at);
}

function path(object: JsonObject, at: Path): SchemaError[] {
  const place = [...at, 'path'];
  const value = asText(object.path);
  const isPlain = object.pathType === 'Exact' || object.pathType === 'Prefix';
  if (!value.startsWith('/')) {
    return value !== '' || isPlain ? [invalid(place, 'must be an absolute path', value)] : [];
  }
  if (!isPlain) return [];
  return [
    ...PARTS.filter((part) => value.includes(part)).map((part) => invalid(place, `must not contain '${part}'`, value)),
    ...ENDS.filter((end) => value.endsWith(end)).map((end) => invalid(place, `cannot end with '${end}'`, value)),
  ];
}

function backend(object: JsonObject, at: Path): SchemaError[] {
  const hasService = isSet(object.service);
  if (hasService && isSet(object.resource)) {
    return [invalid(at, 'cannot set both resource and service backends')];
  }
  return hasService || isSet(object.resource) ? [] : [invalid(at, 'resource or service backend is required')];
}

/** The empty value of the port is no port. */
function portOfService(object: JsonObject, at: Path): SchemaError[] {
  return isSet(object.port) ? [] : [missing([...at, 'port'])];
}

function nameOrNumber(object: JsonObject, at: Path): SchemaError[] {
  const hasName = asText(object.name) !== '';
  const hasNumber = isSet(object.number) && object.number !== 0;
  if (hasName && hasNumber) return [forbidden(at, 'cannot set both port name & port number')];
  return hasName || hasNumber ? [] : [invalid(at, 'port name or number is required')];
}
