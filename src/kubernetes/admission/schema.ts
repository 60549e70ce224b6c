import { isJsonObject } from '../../core/json';
import { lazy } from '../../core/lazy';
import type { Definition } from '../../core/schema/definitions';
import type { StructuralSchema } from '../../core/schema/structural';
import { CUSTOM_KINDS, KUBERNETES_KINDS } from './kinds';

type Definitions = { readonly [name: string]: Definition };

/** The files are read with the first object of such a kind. */
const own = lazy(() => require('./definitions') as typeof import('./definitions'));
const custom = lazy(() => require('./custom-definitions') as typeof import('./custom-definitions'));

/** The minor version of Kubernetes that the schemas are of. */
export function schemaMinor(): number {
  return own().SCHEMA_MINOR;
}

/** The schema of a kind of Kubernetes; undefined for other kinds. Titles in it are the names of Kubernetes' types. */
export function kubernetesSchema(apiVersion: string, kind: string): StructuralSchema | undefined {
  return has(KUBERNETES_KINDS, apiVersion, kind) ? ownTypes().type(kind) : undefined;
}

/** The schema of a custom kind that a release touches; undefined for other kinds. */
export function customSchema(apiVersion: string, kind: string): StructuralSchema | undefined {
  return has(CUSTOM_KINDS, apiVersion, kind) ? customTypes().type(`${apiVersion} ${kind}`) : undefined;
}

function has(kinds: Readonly<Record<string, readonly string[]>>, apiVersion: string, kind: string): boolean {
  return Object.hasOwn(kinds, apiVersion) && kinds[apiVersion]!.includes(kind);
}

/** The schemas of definitions. Types are shared: the schemas of all kinds are as large as their definitions. */
class Types {
  private readonly known = new Map<string, StructuralSchema>();

  /** @param titled whether a schema has the name of its type as its title */
  constructor(
    private readonly definitions: Definitions,
    private readonly titled: boolean,
  ) {}

  type(name: string): StructuralSchema {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const schema = { ...this.resolved(this.definitions[name]!), ...(this.titled && { title: name }) };
    this.known.set(name, schema);
    return schema;
  }

  private resolved({ $ref, properties, items, additionalProperties, ...keywords }: Definition): StructuralSchema {
    if ($ref !== undefined) return this.type($ref);
    return {
      ...keywords,
      ...(properties && {
        properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, this.resolved(one)])),
      }),
      ...(items && { items: this.resolved(items) }),
      ...(isJsonObject(additionalProperties) && { additionalProperties: this.resolved(additionalProperties) }),
    };
  }
}

const ownTypes = lazy(() => new Types(own().DEFINITIONS, true));
const customTypes = lazy(() => new Types(custom().DEFINITIONS, false));
