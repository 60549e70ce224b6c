/** Configuration of Kustomize's transformers, for kinds that it does not know. */

/** A field, by the kind that has it and the path in it. */
export interface KustomizeFieldSpec {
  /**
   * The API group of the kind.
   * @default - any
   */
  readonly group?: string;
  /**
   * The kind that has the field.
   * @default - any
   */
  readonly kind?: string;
  /** `spec/workloadRef/name`; a path goes through every item of a list. */
  readonly path: string;
  /** Whether to create the field. @default false */
  readonly create?: boolean;
}

/** The fields that hold the name of an object of a kind. */
export interface KustomizeNameReference {
  /**
   * The API group of the objects that are named.
   * @default - any
   */
  readonly group?: string;
  /** The kind of the objects that are named. */
  readonly kind: string;
  /** The fields that hold a name. */
  readonly fieldSpecs: readonly KustomizeFieldSpec[];
}

/** The content of a file under `configurations:` of a kustomization.yaml. */
export interface KustomizeConfiguration {
  /** Where names are, so that `namePrefix`, `nameSuffix` and the hashes of generators reach them. */
  readonly nameReference: readonly KustomizeNameReference[];
  /** Where the labels of `commonLabels`, and of `labels` with `includeSelectors`, belong. @default - nowhere else */
  readonly commonLabels?: readonly KustomizeFieldSpec[];
  /** Where the labels of `labels` with `includeTemplates` belong. @default - nowhere else */
  readonly labels?: readonly KustomizeFieldSpec[];
  /** Where annotations belong. @default - nowhere else */
  readonly commonAnnotations?: readonly KustomizeFieldSpec[];
  /** Where `replicas` sets a number. @default - nowhere else */
  readonly replicas?: readonly KustomizeFieldSpec[];
}

/** A kind in a group. */
export interface KustomizeKind {
  readonly group: string;
  readonly kind: string;
}

/** Fields of some kinds that hold the name of an object of another kind. */
export function nameReference(
  { group, kind }: Partial<KustomizeKind> & { readonly kind: string },
  ...referrers: readonly (readonly [KustomizeKind, readonly string[]])[]
): KustomizeNameReference {
  const fieldSpecs = referrers.flatMap(([referrer, paths]) => paths.map((path) => ({ ...referrer, path })));
  return { ...(group === undefined ? {} : { group }), kind, fieldSpecs };
}
