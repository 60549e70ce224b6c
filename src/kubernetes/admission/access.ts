import { asList, asObject, asText, type Json, type JsonObject } from '../../core/json';
import type { Path } from '../../core/path';
import type { SchemaError } from '../../core/schema/error';
import { pathSegmentErrors, subdomainErrors } from '../../core/schema/names';
import {
  all,
  fields,
  forbidden,
  invalid,
  missing,
  needs,
  needsEntries,
  oneOf,
  type TypeCheck,
  text,
} from './field-checks';

const RBAC = 'rbac.authorization.k8s.io';

export const accessTypes: Readonly<Record<string, TypeCheck>> = {
  PolicyRule: all(needsEntries('verbs'), resources),
  RoleRef: all(needs('kind', 'name'), fields({ apiGroup: oneOf(RBAC), name: text(pathSegmentErrors) })),
  RoleBinding: roleKinds('ClusterRole', 'Role'),
  ClusterRoleBinding: all(roleKinds('ClusterRole'), placedSubjects),
  Subject: all(needs('name'), subject),
};

function roleKinds(...names: readonly string[]): TypeCheck {
  return fields({ roleRef: (value, path) => fields({ kind: oneOf(...names) })(value as JsonObject, path) });
}

/** The API group of each kind of subjects. */
const SUBJECTS: Readonly<Record<string, string>> = { ServiceAccount: '', User: RBAC, Group: RBAC };

function subject({ kind, apiGroup, name }: JsonObject, path: Path): SchemaError[] {
  if (typeof kind !== 'string') return [];
  const group = Object.hasOwn(SUBJECTS, kind) ? SUBJECTS[kind] : undefined;
  const unsupported = (field: string, words: readonly string[], value: Json): SchemaError => {
    const detail = `supported values: ${words.map((word) => JSON.stringify(word)).join(', ')}`;
    return invalid([...path, field], detail, value, 'FieldValueNotSupported');
  };
  if (group === undefined) return [unsupported('kind', Object.keys(SUBJECTS), kind)];
  const isOther = asText(apiGroup) !== '' && apiGroup !== group;
  return [
    ...(isOther ? [unsupported('apiGroup', [group], apiGroup!)] : []),
    ...(kind === 'ServiceAccount' ? text(subdomainErrors)(name ?? '', [...path, 'name']) : []),
  ];
}

/** What is bound in the whole cluster says in which namespace it is. */
function placedSubjects({ subjects }: JsonObject, path: Path): SchemaError[] {
  return asList(subjects).flatMap((one, index) => {
    const { kind, namespace } = asObject(one);
    return kind === 'ServiceAccount' && asText(namespace) === ''
      ? [missing([...path, 'subjects', index, 'namespace'])]
      : [];
  });
}

/** A rule is for resources of API groups, or for paths of URLs. */
function resources(rule: JsonObject, path: Path): SchemaError[] {
  const has = (name: string) => asList(rule[name]).length > 0;
  if (has('nonResourceURLs')) {
    const mixed = has('apiGroups') || has('resources') || has('resourceNames');
    return mixed
      ? [forbidden([...path, 'nonResourceURLs'], 'rules cannot apply to both regular resources and non-resource URLs')]
      : [];
  }
  return ['apiGroups', 'resources'].filter((name) => !has(name)).map((name) => missing([...path, name]));
}
