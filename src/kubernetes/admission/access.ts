import { asList, type JsonObject } from '../../core/json';
import type { Path } from '../../core/path';
import type { SchemaError } from '../../core/schema/error';
import { pathSegmentErrors } from '../../core/schema/names';
import { all, fields, forbidden, missing, needs, needsEntries, oneOf, type TypeCheck, text } from './field-checks';

export const accessTypes: Readonly<Record<string, TypeCheck>> = {
  PolicyRule: all(needsEntries('verbs'), resources),
  RoleRef: all(
    needs('kind', 'name'),
    fields({ apiGroup: oneOf('rbac.authorization.k8s.io'), name: text(pathSegmentErrors) }),
  ),
  RoleBinding: roleKinds('ClusterRole', 'Role'),
  ClusterRoleBinding: roleKinds('ClusterRole'),
  Subject: needs('name'),
};

function roleKinds(...names: readonly string[]): TypeCheck {
  return fields({ roleRef: (value, path) => fields({ kind: oneOf(...names) })(value as JsonObject, path) });
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
