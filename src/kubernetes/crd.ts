/** CustomResourceDefinitions. Each system generates their schemas from its types. */
import { compact, type JsonObject } from '../core/json';
import type { StructuralSchema } from '../core/schema/structural';

/** Labels and annotations of the CustomResourceDefinitions of an install. */
export interface CrdMetadata {
  /**
   * Labels of every CustomResourceDefinition.
   * @default - none
   */
  readonly labels?: { readonly [key: string]: string };
  /**
   * Annotations of every CustomResourceDefinition.
   * @default - none
   */
  readonly annotations?: { readonly [key: string]: string };
}

/** A column that `kubectl get` prints. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: 'date' | 'integer' | 'string';
  readonly jsonPath: string;
  readonly description?: string;
}

/** A printer column. */
export function column(
  name: string,
  type: PrinterColumn['type'],
  jsonPath: string,
  description: string,
): PrinterColumn {
  return { name, type, jsonPath, description };
}

/** One version of a kind. */
export interface CrdVersion {
  readonly name: string;
  readonly schema: StructuralSchema;
  /**
   * Whether objects are stored in this version.
   * @default true
   */
  readonly storage?: boolean;
  /** @default - none */
  readonly subresources?: JsonObject;
  /** @default - none */
  readonly columns?: readonly PrinterColumn[];
}

/** A kind of an API group. */
export interface CustomKind {
  readonly group: string;
  readonly kind: string;
  /** The plural of the kind, in lower case: `rollouts`. */
  readonly plural: string;
  /** @default - none */
  readonly shortNames?: readonly string[];
  /** @default 'Namespaced' */
  readonly scope?: 'Cluster' | 'Namespaced';
  /** How versions are converted. @default - not at all */
  readonly conversion?: JsonObject;
  readonly versions: readonly CrdVersion[];
}

/** The CustomResourceDefinition of a kind. */
export function crdOf(custom: CustomKind, { labels, annotations }: CrdMetadata = {}): JsonObject {
  const { group, kind, plural, shortNames, scope = 'Namespaced', conversion, versions } = custom;
  return plain({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: compact({ name: `${plural}.${group}`, labels, annotations }),
    spec: compact({
      group,
      names: compact({ kind, listKind: `${kind}List`, plural, shortNames, singular: kind.toLowerCase() }),
      scope,
      conversion,
      versions: versions.map(({ name, schema, storage = true, subresources, columns = [] }) =>
        compact({
          name,
          served: true,
          storage,
          schema: { openAPIV3Schema: schema },
          subresources,
          additionalPrinterColumns: columns.length === 0 ? undefined : columns,
        }),
      ),
    }),
  });
}

/** Schemas and columns are plain data, although their types have optional fields. */
function plain(object: object): JsonObject {
  return object as JsonObject;
}
