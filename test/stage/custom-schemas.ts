/**
 * The schemas of custom kinds that a release touches, from CRDs in Go modules, without descriptions. They take what some
 * release takes: the newest ones of `programs/schemas`, with experimental fields, as far as those of `programs/crds`, against
 * which the API server judged the test vectors, are no more patient.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { CUSTOM_KINDS } from '../../src/kubernetes/admission/kinds';
import type { KubernetesObject } from './cluster/api';
import { filesOf, moduleFolder } from './cluster/crds';

const FILE = join(__dirname, '..', '..', 'src', 'kubernetes', 'admission', 'custom-schemas.json');

const PROGRAMS = join(__dirname, 'programs');

/** Where a module has its CRDs. */
const MODULES: Readonly<Record<string, string>> = {
  'github.com/openkruise/kruise': 'config/crd/bases',
  'istio.io/api': 'kubernetes/customresourcedefinitions.gen.yaml',
  'sigs.k8s.io/gateway-api': 'config/crd/experimental',
};

/** A part that comes up again is written once where its text is longer than this. */
const WORTH_A_NAME = 120;

/** Texts for people, and what only OpenAPI clients read. */
const LEFT_OUT = ['description', 'title', 'example', 'externalDocs'];

/** Checked for every kind alike, and what controllers write. */
const ANYTHING = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** Writes the file that the library reads. */
export function writeCustomSchemas(): void {
  const found = kindsOfModules();
  const named = new Shared(found.map(({ schema }) => schema));
  const kinds = Object.fromEntries(found.map(({ name, schema }) => [name, named.written(schema)]));
  const entries = (record: Readonly<Record<string, unknown>>) =>
    Object.keys(record)
      .sort()
      .map((name) => `    ${JSON.stringify(name)}: ${JSON.stringify(record[name])}`)
      .join(',\n');
  writeFileSync(
    FILE,
    `{"//":"Written by npm run stage -- schemas from the CRDs of programs/schemas/go.mod. Do not edit.",\n` +
      `  "kinds": {\n${entries(kinds)}\n  },\n  "definitions": {\n${entries(named.definitions)}\n  }\n}\n`,
  );
}

function kindsOfModules(): { readonly name: string; readonly schema: KubernetesObject }[] {
  const newest = kindsOf(join(PROGRAMS, 'schemas'));
  const judged = new Map(kindsOf(join(PROGRAMS, 'crds')).map(({ name, schema }) => [name, schema]));
  return newest.map(({ name, schema }) => ({ name, schema: asPatientAs(judged.get(name)!, schema) }));
}

/** What a schema asks of a value. A newer release may ask more. */
const DEMANDS = ['minItems', 'minLength', 'minProperties', 'minimum', 'pattern'];

/** A schema that asks no more than an older one does of the values that both have. */
function asPatientAs(older: KubernetesObject | undefined, newer: KubernetesObject): KubernetesObject {
  if (older === undefined) return newer;
  const kept = Object.entries(newer).filter(([key]) => !DEMANDS.includes(key));
  const demands = Object.entries(older).filter(([key]) => DEMANDS.includes(key));
  const {
    properties,
    items,
    additionalProperties,
    'x-kubernetes-validations': rules,
    ...words
  } = Object.fromEntries(kept);
  const before: { rule: string }[] = older['x-kubernetes-validations'] ?? [];
  const common = (rules as { rule: string }[] | undefined)?.filter(({ rule }) =>
    before.some((one) => one.rule === rule),
  );
  return {
    ...words,
    ...Object.fromEntries(demands),
    ...(common !== undefined && common.length > 0 && { 'x-kubernetes-validations': common }),
    ...(properties && {
      properties: {
        ...older.properties,
        ...Object.fromEntries(
          Object.entries<KubernetesObject>(properties).map(([name, one]) => [
            name,
            asPatientAs(older.properties?.[name], one),
          ]),
        ),
      },
    }),
    ...(items && { items: asPatientAs(older.items, items) }),
    ...(additionalProperties && {
      additionalProperties:
        typeof additionalProperties === 'object'
          ? asPatientAs(older.additionalProperties, additionalProperties)
          : additionalProperties,
    }),
  };
}

function kindsOf(folder: string): { readonly name: string; readonly schema: KubernetesObject }[] {
  const crds = Object.entries(MODULES).flatMap(([module, path]) =>
    filesOf(join(moduleFolder(module, folder), path)).flatMap((file) =>
      parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS() as KubernetesObject),
    ),
  );
  return Object.entries(CUSTOM_KINDS).flatMap(([apiVersion, kinds]) =>
    kinds.map((kind) => {
      const [group, name] = apiVersion.split('/');
      const crd = crds.find((one) => one?.spec?.group === group && one?.spec.names.kind === kind);
      const version = crd?.spec.versions.find((one: KubernetesObject) => one.name === name && one.served);
      if (version === undefined) throw new Error(`no module has ${kind} of ${apiVersion}`);
      const { properties, ...schema } = version.schema.openAPIV3Schema;
      const plain = withoutTexts({ ...schema, properties: { ...properties, metadata: ANYTHING, status: ANYTHING } });
      return { name: `${apiVersion} ${kind}`, schema: plain };
    }),
  );
}

function withoutTexts(schema: KubernetesObject): KubernetesObject {
  const entries = Object.entries(schema).filter(([key]) => !LEFT_OUT.includes(key));
  return Object.fromEntries(entries.map(([key, value]) => [key, inPart(key, value, withoutTexts)]));
}

/** A keyword with its inner schemas changed. */
function inPart(key: string, value: unknown, change: (one: KubernetesObject) => KubernetesObject): unknown {
  const each = (record: object) => Object.fromEntries(Object.entries(record).map(([name, one]) => [name, change(one)]));
  if (key === 'properties') return each(value as object);
  if (key === 'items' || key === 'not') return change(value as KubernetesObject);
  if (key === 'additionalProperties' && typeof value === 'object') return change(value as KubernetesObject);
  if (['allOf', 'anyOf', 'oneOf'].includes(key)) return (value as KubernetesObject[]).map(change);
  return value;
}

/** Schemas whose equal parts have a name. */
class Shared {
  readonly definitions: Record<string, unknown> = {};
  private readonly counts = new Map<string, number>();
  private readonly names = new Map<string, string>();

  constructor(schemas: readonly KubernetesObject[]) {
    for (const schema of schemas) this.count(schema);
  }

  /** A schema with references to definitions. */
  written(schema: KubernetesObject): unknown {
    const text = JSON.stringify(schema);
    if (text.length < WORTH_A_NAME || this.counts.get(text)! < 2) return this.inner(schema);
    const known = this.names.get(text);
    if (known !== undefined) return { $ref: known };
    const name = `part${this.names.size + 1}`;
    this.names.set(text, name);
    this.definitions[name] = this.inner(schema);
    return { $ref: name };
  }

  private inner(schema: KubernetesObject): unknown {
    return Object.fromEntries(
      Object.entries(schema).map(([key, value]) => [
        key,
        // References are resolved where a value has its structure only.
        ['properties', 'items', 'additionalProperties'].includes(key)
          ? inPart(key, value, (one) => this.written(one) as KubernetesObject)
          : value,
      ]),
    );
  }

  private count(schema: KubernetesObject): void {
    const text = JSON.stringify(schema);
    const before = this.counts.get(text) ?? 0;
    this.counts.set(text, before + 1);
    if (before > 0) return;
    for (const [key, value] of Object.entries(schema)) {
      if (!['properties', 'items', 'additionalProperties'].includes(key)) continue;
      inPart(key, value, (one) => {
        this.count(one);
        return one;
      });
    }
  }
}
