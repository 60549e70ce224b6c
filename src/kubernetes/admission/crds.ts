import { asList, asObject, asText, isSet, type JsonObject } from '../../core/json';
import type { SchemaError } from '../../core/schema/error';
import { validateMetadata } from '../../core/schema/metadata';
import { labelErrors, subdomainErrors } from '../../core/schema/names';
import { invalid, missing } from './field-checks';

/** What the API server says first to a CustomResourceDefinition. What its schemas say is not looked at. */
export function crdErrors(object: JsonObject): SchemaError[] {
  const spec = asObject(object.spec);
  const names = asObject(spec.names);
  const [group, plural] = [asText(spec.group), asText(names.plural)];
  const absent = ['group', 'scope', 'versions'].filter((name) => !isSet(spec[name]) || spec[name] === '');
  const { name } = asObject(object.metadata);
  const isNamed = group === '' || plural === '' || name === `${plural}.${group}`;
  return [
    ...validateMetadata(object),
    ...absent.map((field) => missing(['spec', field])),
    ...['kind', 'plural'].filter((field) => !isSet(names[field])).map((field) => missing(['spec', 'names', field])),
    ...subdomainErrors(group || 'absent').map((detail) => invalid(['spec', 'group'], detail, group)),
    ...(isNamed ? [] : [invalid(['metadata', 'name'], 'must be spec.names.plural+"."+spec.group', name)]),
    ...(isSet(spec.scope) && !['Cluster', 'Namespaced'].includes(asText(spec.scope))
      ? [invalid(['spec', 'scope'], 'supported values: "Cluster", "Namespaced"', spec.scope, 'FieldValueNotSupported')]
      : []),
    ...versionErrors(spec),
  ];
}

function versionErrors(spec: JsonObject): SchemaError[] {
  const versions = asList(spec.versions).map(asObject);
  const stored = versions.filter(({ storage }) => storage === true).length;
  const path = ['spec', 'versions'];
  return [
    ...versions.flatMap((version, index) => {
      const at = [...path, index];
      const schema = asObject(version.schema);
      const root = asObject(schema.openAPIV3Schema);
      return [
        ...['name', 'served', 'storage'].filter((name) => !isSet(version[name])).map((name) => missing([...at, name])),
        ...(isSet(version.name)
          ? labelErrors(asText(version.name)).map((detail) => invalid([...at, 'name'], detail, version.name))
          : []),
        ...(isSet(schema.openAPIV3Schema)
          ? root.type === 'object'
            ? []
            : [invalid([...at, 'schema', 'openAPIV3Schema', 'type'], 'must be object at the root', root.type)]
          : [missing([...at, 'schema', 'openAPIV3Schema'])]),
      ];
    }),
    ...(versions.length > 0 && stored !== 1
      ? [invalid(path, 'must have exactly one version marked as storage version')]
      : []),
  ];
}
