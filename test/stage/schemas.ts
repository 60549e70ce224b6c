/** The schemas of Kubernetes' own kinds, as the API server publishes them, without descriptions. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KUBERNETES_KINDS } from '../../src/kubernetes/admission/kinds';
import type { Api, KubernetesObject } from './cluster/api';
import { KUBERNETES_VERSION } from './programs';

const FILE = join(__dirname, '..', '..', 'src', 'kubernetes', 'admission', 'schemas.json');

/** The types that are written in another way than their schema says. */
const TYPES: Readonly<Record<string, KubernetesObject>> = {
  IntOrString: { 'x-kubernetes-int-or-string': true },
  Quantity: { format: 'quantity' },
  Time: { type: 'string', format: 'date-time' },
  MicroTime: { type: 'string', format: 'date-time' },
};

/** Fields that the schema requires although the API server does without: an empty value is valid, or there is a default. */
const OPTIONAL = [
  'HTTPHeader.value',
  'ISCSIVolumeSource.lun',
  'PreferredSchedulingTerm.preference',
  'RoleRef.apiGroup',
  'ScaleIOVolumeSource.secretRef',
  'SleepAction.seconds',
  'Sysctl.value',
];

/** Checked for every kind alike, and what the API server itself writes. */
const LEFT_OUT = ['metadata', 'status'];

/** Writes the file that the library reads. */
export async function writeSchemas(api: Api): Promise<void> {
  const published: Record<string, KubernetesObject> = {};
  for (const apiVersion of Object.keys(KUBERNETES_KINDS)) {
    const path = apiVersion.includes('/') ? `apis/${apiVersion}` : `api/${apiVersion}`;
    Object.assign(published, (await api.get(`/openapi/v3/${path}`)).components.schemas);
  }
  const kinds = Object.entries(KUBERNETES_KINDS).flatMap(([apiVersion, names]) =>
    names.map((kind) => ({ apiVersion, kind })),
  );
  const definitions: Record<string, KubernetesObject> = {};
  const add = (reference: string) => {
    const name = nameOf(reference);
    if (definitions[name] !== undefined) return;
    const isKind = kinds.some(({ kind }) => kind === name);
    definitions[name] = {};
    definitions[name] = TYPES[name] ?? plain(name, withoutParts(published[reference]!, isKind), add);
  };
  for (const [reference, { 'x-kubernetes-group-version-kind': [type] = [] }] of Object.entries(published)) {
    const apiVersion = type?.group ? `${type.group}/${type.version}` : type?.version;
    if (kinds.some((one) => one.kind === type?.kind && one.apiVersion === apiVersion)) add(reference);
  }
  const lines = Object.keys(definitions)
    .sort()
    .map((name) => `    ${JSON.stringify(name)}: ${JSON.stringify(definitions[name])}`);
  const head = JSON.stringify({
    '//': 'Written by npm run stage -- schemas from what the API server publishes. Do not edit.',
    kubernetes: KUBERNETES_VERSION,
  });
  writeFileSync(FILE, `${head.slice(0, -1)},\n  "definitions": {\n${lines.join(',\n')}\n  }\n}\n`);
}

/** `io.k8s.api.core.v1.Service` */
function nameOf(reference: string): string {
  return reference.split('.').at(-1)!;
}

function withoutParts(schema: KubernetesObject, isKind: boolean): KubernetesObject {
  if (!isKind) return schema;
  const parts = LEFT_OUT.map((name) => [name, { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }]);
  const known = parts.filter(([name]) => name !== 'status' || schema.properties.status !== undefined);
  return { ...schema, properties: { ...schema.properties, ...Object.fromEntries(known) } };
}

/** A schema in the words that CRDs use, with references by name. */
function plain(name: string, schema: KubernetesObject, add: (reference: string) => void): KubernetesObject {
  const { allOf, $ref, properties, items, additionalProperties, required } = schema;
  const reference: string | undefined = $ref ?? allOf?.[0].$ref;
  if (reference !== undefined) {
    const target = reference.split('/').at(-1)!;
    add(target);
    return { $ref: nameOf(target) };
  }
  const inner = (one: KubernetesObject) => plain('', one, add);
  const needed = required?.filter((field: string) => !OPTIONAL.includes(`${name}.${field}`)) ?? [];
  return {
    ...kept(schema),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries<KubernetesObject>(properties).map(([key, one]) => [key, inner(one)]),
      ),
    }),
    ...(needed.length > 0 && { required: needed }),
    ...(items && { items: inner(items) }),
    ...(additionalProperties && { additionalProperties: inner(additionalProperties) }),
  };
}

const KEPT = [
  'type',
  'format',
  'enum',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-preserve-unknown-fields',
];

/** Keywords without structure. Defaults count where a list is distinguished by them; those of Go's own are none. */
function kept(schema: KubernetesObject): KubernetesObject {
  const words = KEPT.filter((word) => schema[word] !== undefined && schema[word] !== 'atomic');
  // How base64 is written is for Go's decoder.
  if (schema.format === 'byte') return { type: 'string' };
  const isDefault = typeof schema.default === 'string' && schema.default !== '';
  return {
    ...Object.fromEntries(words.map((word) => [word, schema[word]])),
    ...(isDefault && { default: schema.default }),
  };
}
