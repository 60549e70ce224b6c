import { isIP } from '../../core/ip-address';
import { asText, isSet, type Json, type JsonObject } from '../../core/json';
import type { Path } from '../../core/path';
import type { SchemaError } from '../../core/schema/error';
import { all, each, type FieldCheck, fields, forbidden, invalid, missing, type TypeCheck } from './field-checks';
import { selectorErrors } from './labels';
import { portOrName } from './services';

/** A word of a fixed list, where an empty one is none of them. */
function word(...words: readonly string[]): FieldCheck {
  const detail = `supported values: ${words.map((one) => JSON.stringify(one)).join(', ')}`;
  return (value, path) =>
    typeof value !== 'string' || words.includes(value) ? [] : [invalid(path, detail, value, 'FieldValueNotSupported')];
}

export const policyTypes: Readonly<Record<string, TypeCheck>> = {
  NetworkPolicySpec: fields({ podSelector: selectorErrors, policyTypes: each(word('Ingress', 'Egress')) }),
  NetworkPolicyPeer: all(fields({ podSelector: selectorErrors, namespaceSelector: selectorErrors }), peer),
  NetworkPolicyPort: all(fields({ port: portOrName, protocol: word('TCP', 'UDP', 'SCTP') }), lastPort),
  IPBlock: fields({ cidr, except: each(cidr) }),
};

function peer(object: JsonObject, path: Path): SchemaError[] {
  const hasSelector = isSet(object.podSelector) || isSet(object.namespaceSelector);
  if (!isSet(object.ipBlock)) return hasSelector ? [] : [missing(path)];
  return hasSelector ? [forbidden(path, 'may not specify both ipBlock and another peer')] : [];
}

function lastPort({ port, endPort }: JsonObject, path: Path): SchemaError[] {
  if (typeof endPort !== 'number') return [];
  const at = [...path, 'endPort'];
  if (!isSet(port)) return [invalid(at, 'may not be specified when `port` is not specified', endPort)];
  if (typeof port === 'string') return [invalid(at, 'may not be specified when `port` is non-numeric', endPort)];
  const isRange = typeof port === 'number' && endPort >= port && endPort <= 65535;
  return isRange ? [] : [invalid(at, 'must be greater than or equal to `port`', endPort)];
}

/** How many bits an address of a version has; no text is longer. */
const LONGEST = { 0: -1, 4: 32, 6: 128 } as const;

function cidr(value: Json, path: Path): SchemaError[] {
  const [address = '', bits = '', ...rest] = asText(value).split('/');
  const longest = LONGEST[isIP(address)];
  const isValid = rest.length === 0 && /^(0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= longest;
  return isValid ? [] : [invalid(path, 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)', value)];
}
