import { asText, isSet, type Json, type JsonObject } from '../../core/json';
import type { Path } from '../../core/path';
import type { SchemaError } from '../../core/schema/error';
import {
  configKeyErrors,
  headerNameErrors,
  labelValueErrors,
  qualifiedNameErrors,
  subdomainErrors,
} from '../../core/schema/names';
import { podProblems } from '../pods/template';
import { parseQuantity } from '../quantity';
import { all, each, fields, invalid, needs, range, type TypeCheck, text } from './field-checks';
import { asErrors, selectorErrors } from './labels';

const MODE = range(0, 0o777);

/** The shortest life of a token of a ServiceAccount, in seconds. */
const SHORTEST_TOKEN = 600;

const THOUSANDS = [0, 1, 2, 3, 4, 5, 6];

/** The units in which an amount of a resource can be told to a container. */
const DIVISORS = {
  cpu: [1, 0.001],
  other: [...THOUSANDS.map((power) => 1000 ** power), ...THOUSANDS.map((power) => 1024 ** power)],
};

/** What pods ask of their parts, beyond the checks of `pods/template`. */
export const podTypes: Readonly<Record<string, TypeCheck>> = {
  ConfigMapEnvSource: nameOfObject,
  ConfigMapKeySelector: fields({ name: text(subdomainErrors), key: text(configKeyErrors) }),
  ConfigMapVolumeSource: fields({ defaultMode: MODE }),
  EmptyDirVolumeSource: fields({ sizeLimit: notNegative }),
  EnvFromSource: oneSource,
  HTTPHeader: fields({ name: text(headerNameErrors) }),
  KeyToPath: fields({ mode: MODE }),
  NodeSelectorRequirement: fields({ key: text(qualifiedNameErrors), values: each(text(labelValueErrors)) }),
  Pod: (pod, path) => asErrors(podProblems(pod, path)),
  PodAffinityTerm: fields({
    topologyKey: text(qualifiedNameErrors),
    labelSelector: selectorErrors,
    namespaceSelector: selectorErrors,
  }),
  ProjectedVolumeSource: fields({ defaultMode: MODE }),
  ResourceFieldSelector: divisor,
  SeccompProfile: needs('type'),
  SecretEnvSource: nameOfObject,
  SecretKeySelector: fields({ name: text(subdomainErrors), key: text(configKeyErrors) }),
  SecretVolumeSource: fields({ defaultMode: MODE }),
  ServiceAccountTokenProjection: fields({ expirationSeconds: range(SHORTEST_TOKEN, 2 ** 32) }),
  Toleration: fields({ key: text(qualifiedNameErrors) }),
  TopologySpreadConstraint: fields({ labelSelector: selectorErrors }),
};

function nameOfObject(object: JsonObject, path: Path): SchemaError[] {
  // The name counts as the beginning of one, which may end with a hyphen.
  const name = text((beginning) => subdomainErrors(beginning.replace(/-$/, 'a')));
  return all(needs('name'), fields({ name }))(object, path);
}

function oneSource({ configMapRef, secretRef }: JsonObject, path: Path): SchemaError[] {
  if (isSet(configMapRef) !== isSet(secretRef)) return [];
  return [invalid(path, 'must specify one of: `configMapRef` or `secretRef`')];
}

function notNegative(value: Json, path: Path): SchemaError[] {
  return (parseQuantity(value) ?? 0) < 0 ? [invalid(path, 'must be greater than or equal to 0', value)] : [];
}

function divisor(object: JsonObject, path: Path): SchemaError[] {
  const value = object.divisor;
  const amount = parseQuantity(value) ?? 0;
  const isCpu = asText(object.resource).endsWith('.cpu');
  const isPower = typeof value === 'string' && /e[-+]?\d+$/i.test(value);
  const isKnown = (isCpu ? DIVISORS.cpu : DIVISORS.other).includes(amount);
  if (amount === 0 || (isKnown && !(isPower && amount !== 1))) return [];
  const known = isCpu ? '1m and 1' : '1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi and 1Ei';
  return [invalid([...path, 'divisor'], `only the divisors ${known} are supported`, value)];
}
