import { asList, asObject, asText, type Json, type JsonObject } from '../../core/json';
import type { Path } from '../../core/path';
import type { SchemaError } from '../../core/schema/error';
import { qualifiedNameErrors } from '../../core/schema/names';
import { parseQuantity } from '../quantity';
import { all, fields, invalid, missing, type TypeCheck } from './field-checks';

const COMPUTE = ['cpu', 'limits.cpu', 'limits.memory', 'memory', 'requests.cpu', 'requests.memory'];

/** Resources that are counted: there is no half of one. */
const COUNTED = [
  'configmaps',
  'persistentvolumeclaims',
  'pods',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
  'services.loadbalancers',
  'services.nodeports',
];

const STORAGE = ['ephemeral-storage', 'limits.ephemeral-storage', 'requests.ephemeral-storage', 'requests.storage'];

const STANDARD = [...COMPUTE, ...COUNTED, ...STORAGE];

/** The standard resources that quotas of a scope can limit. */
const OF_SCOPES: Readonly<Record<string, readonly string[]>> = {
  BestEffort: ['pods'],
  CrossNamespacePodAffinity: ['pods', ...COMPUTE],
  NotBestEffort: ['pods', ...COMPUTE],
  NotTerminating: ['pods', ...COMPUTE],
  PriorityClass: ['pods', ...COMPUTE],
  Terminating: ['pods', ...COMPUTE],
};

const CONFLICTS: readonly (readonly [string, string])[] = [
  ['BestEffort', 'NotBestEffort'],
  ['NotTerminating', 'Terminating'],
];

export const quotaTypes: Readonly<Record<string, TypeCheck>> = {
  ResourceQuotaSpec: all(fields({ hard }), scopes),
  ScopedResourceSelectorRequirement: values,
};

function hard(limits: Json, path: Path): SchemaError[] {
  return Object.entries(asObject(limits)).flatMap(([name, limit]) => {
    const at = [...path, name];
    const amount = parseQuantity(limit) ?? 0;
    const isStandard = name.includes('/') || STANDARD.includes(name) || /^(requests\.)?hugepages-/.test(name);
    return [
      ...qualifiedNameErrors(name).map((detail) => invalid(at, detail, name)),
      ...(isStandard ? [] : [invalid(at, 'must be a standard resource for quota', name)]),
      ...(amount < 0 ? [invalid(at, 'must be greater than or equal to 0', limit)] : []),
      ...(COUNTED.includes(name) && !(Number.isInteger(amount) && amount < 2 ** 63)
        ? [invalid(at, 'must be an integer', limit)]
        : []),
    ];
  });
}

function values({ operator, values: given }: JsonObject, path: Path): SchemaError[] {
  const isAny = asList(given).length > 0;
  const at = [...path, 'values'];
  if (operator === 'In' || operator === 'NotIn') return isAny ? [] : [missing(at)];
  return isAny ? [invalid(at, "must be no value when `operator` is 'Exists' or 'DoesNotExist'", given)] : [];
}

function scopes(spec: JsonObject, path: Path): SchemaError[] {
  const at = [...path, 'scopes'];
  const names = asList(spec.scopes).map(asText);
  const limited = Object.keys(asObject(spec.hard)).filter((name) => STANDARD.includes(name));
  const unknown = names.filter((name) => !Object.hasOwn(OF_SCOPES, name) && name !== 'VolumeAttributesClass');
  const unfit = names.flatMap((scope) => {
    const fitting = Object.hasOwn(OF_SCOPES, scope) ? OF_SCOPES[scope] : undefined;
    return limited.filter((name) => fitting?.includes(name) === false).map((name) => [scope, name] as const);
  });
  const conflict = CONFLICTS.find((pair) => pair.every((scope) => names.includes(scope)));
  return [
    ...unknown.map((name) => invalid(at, 'unsupported scope', name)),
    ...unfit.slice(0, 1).map(([scope, name]) => invalid(at, `unsupported scope applied to resource ${name}`, scope)),
    ...(conflict === undefined ? [] : [invalid(at, 'conflicting scopes', conflict.join(', '))]),
  ];
}
