import type { StructuralSchema } from '../../../core/schema/structural';

/** Fields by name; a name that ends in `!` has to be there. */
export interface Fields {
  readonly [name: string]: StructuralSchema;
}

export const text: StructuralSchema = { type: 'string' };
export const flag: StructuralSchema = { type: 'boolean' };
export const int32: StructuralSchema = { type: 'integer', format: 'int32' };
export const int64: StructuralSchema = { type: 'integer', format: 'int64' };
export const dateTime: StructuralSchema = { type: 'string', format: 'date-time' };

/** Text that is empty where it is not written. */
export const textOrEmpty: StructuralSchema = { type: 'string', default: '' };

export const intOrString: StructuralSchema = {
  'x-kubernetes-int-or-string': true,
  anyOf: [{ type: 'integer' }, { type: 'string' }],
};

/** An amount of a resource, as in `100m`. */
export const quantity: StructuralSchema = {
  ...intOrString,
  pattern:
    '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$',
};

/** What the CRD leaves to others: kept as it is, checked by nobody. */
export const anything: StructuralSchema = { 'x-kubernetes-preserve-unknown-fields': true };

/** An object of which the CRD knows no field and keeps all. */
export const anyObject: StructuralSchema = { type: 'object', ...anything };

/** An object without fields of its own. */
export const emptyObject: StructuralSchema = { type: 'object' };

/** An object with these fields. */
export function object(fields: Fields): StructuralSchema {
  const names = Object.keys(fields);
  const required = names.filter((name) => name.endsWith('!')).map((name) => name.slice(0, -1));
  const properties = Object.fromEntries(names.map((name) => [name.replace(/!$/, ''), fields[name]!]));
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** A map from any key to values of this kind. */
export function mapOf(values: StructuralSchema): StructuralSchema {
  return { type: 'object', additionalProperties: values };
}

export function listOf(items: StructuralSchema): StructuralSchema {
  return { type: 'array', items };
}

/** A list without equal items. */
export function setOf(items: StructuralSchema): StructuralSchema {
  return { type: 'array', items, 'x-kubernetes-list-type': 'set' };
}

/** A list in which these fields tell the items apart. */
export function keyedList(keys: readonly string[], items: StructuralSchema): StructuralSchema {
  return { type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys };
}

export const texts = listOf(text);
export const textMap = mapOf(text);

/** A selector of labels. */
export const labelSelector = object({
  matchExpressions: listOf(object({ 'key!': text, 'operator!': text, values: texts })),
  matchLabels: textMap,
});

/** Labels and annotations. */
export const labelsAndAnnotations = object({ annotations: textMap, labels: textMap });
