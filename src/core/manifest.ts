import type { Finding, ObjectRef, SourceLocation } from './finding';
import { type Json, type JsonObject, ownValue, stringsOf, textOf } from './json';
import { formatPath, type Path, toPath, valueAt } from './path';
import { type FindingDetails, findingOf, type Rule } from './rule';

/** Finds the values of an object in the user's file. */
export interface Origin {
  /** The place of the value at a path. If the path leaves the object, the place of the last part that exists. */
  locate(path: Path): SourceLocation;
  /**
   * The place where a line of a multi-line text begins, counted from 1. Undefined if the file does not have the text line
   * by line, as in a quoted string.
   */
  locateLine?(path: Path, line: number, text: string): SourceLocation | undefined;
}

/** The origin of a manifest. */
export interface ManifestOptions {
  /**
   * @default - the manifest was not read from a file
   */
  readonly origin?: Origin;
  /**
   * The path of the construct that created the manifest.
   * @default - no construct made it
   */
  readonly construct?: string;
}

/** The details that a check adds to a finding about a manifest. */
export type ManifestFindingDetails = Omit<FindingDetails, 'object' | 'path' | 'source'> & {
  /**
   * The field that the finding is about.
   * @default - the object as a whole
   */
  readonly path?: Path | string;
};

/**
 * One Kubernetes object, with the places of its values in the user's files. It is immutable.
 * @example Manifest.of({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' } }).name // 'web'
 */
export class Manifest {
  /** A manifest of plain data. */
  static of(object: object, options: ManifestOptions = {}): Manifest {
    return new Manifest(object as JsonObject, options.origin, options.construct);
  }

  /** Cached properties. They are private names, so that a comparison of manifests ignores them. */
  #groupKind: string | undefined;
  #annotations: Readonly<Record<string, string>> | undefined;

  private constructor(
    /** The object as it is sent to the API server. */
    readonly object: JsonObject,
    /** The places of its values; undefined if it was not read from a file. */
    readonly origin: Origin | undefined,
    /** The path of the construct that created it. */
    readonly construct: string | undefined,
  ) {}

  get apiVersion(): string {
    return textOf(this.object.apiVersion) ?? '';
  }

  get kind(): string {
    return textOf(this.object.kind) ?? '';
  }

  /** `networking.k8s.io`; empty for the core API. */
  get group(): string {
    return groupOf(this.apiVersion);
  }

  /** `v1` */
  get version(): string {
    return this.apiVersion.slice(this.apiVersion.indexOf('/') + 1);
  }

  /** Kind and group as kubectl writes them: `Ingress.networking.k8s.io`, `Service`. */
  get groupKind(): string {
    this.#groupKind ??= groupKindOf(this.kind, this.apiVersion);
    return this.#groupKind;
  }

  /** The name; empty for an object with `generateName`. */
  get name(): string {
    return textOf(this.metadata('name')) ?? '';
  }

  /** The namespace as written; undefined for the default namespace or a cluster-scoped object. */
  get namespace(): string | undefined {
    return textOf(this.metadata('namespace')) || undefined;
  }

  get labels(): Readonly<Record<string, string>> {
    return stringsOf(this.metadata('labels'));
  }

  get annotations(): Readonly<Record<string, string>> {
    this.#annotations ??= stringsOf(this.metadata('annotations'));
    return this.#annotations;
  }

  /** The reference to this object in a finding. */
  get ref(): ObjectRef {
    const { apiVersion, kind, namespace, name } = this;
    return namespace === undefined ? { apiVersion, kind, name } : { apiVersion, kind, namespace, name };
  }

  /**
   * The value at a path.
   * @example manifest.get('spec.rules[0].host')
   */
  get(path: Path | string): Json | undefined {
    return valueAt(this.object, toPath(path));
  }

  /** The place of a value; undefined if the manifest was not read from a file. */
  sourceOf(path: Path | string = []): SourceLocation | undefined {
    return this.origin?.locate(toPath(path));
  }

  /** This object as the second place of a finding: `the Service "web" is declared here`. */
  get declaration(): NonNullable<Finding['related']> {
    const source = this.sourceOf();
    return {
      message: `the ${this.kind} "${this.name}" is declared here`,
      object: this.ref,
      ...(source === undefined ? {} : { source }),
    };
  }

  /**
   * The place where a line of a multi-line text begins in the file, such as a line of a script in a ConfigMap.
   * @param line counted from 1
   */
  sourceOfLine(path: Path | string, line: number): SourceLocation | undefined {
    const text = this.get(path);
    return typeof text === 'string' ? this.origin?.locateLine?.(toPath(path), line, text) : undefined;
  }

  /** A finding about this object, with the place of the field. */
  finding(rule: Rule, { path, ...details }: ManifestFindingDetails): Finding {
    const field = path === undefined ? undefined : toPath(path);
    const source = this.sourceOf(field);
    return findingOf(rule, {
      ...details,
      object: this.ref,
      ...(field === undefined ? {} : { path: formatPath(field) }),
      ...(source === undefined ? {} : { source }),
      ...(this.construct === undefined ? {} : { construct: this.construct }),
    });
  }

  private metadata(key: string): Json | undefined {
    return ownValue(this.object.metadata, key);
  }
}

/** The group of an apiVersion; empty for the core API. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}

/** Kind and group as kubectl writes them: `Ingress.networking.k8s.io`, `Service`. */
export function groupKindOf(kind: string, apiVersion: string): string {
  const group = groupOf(apiVersion);
  return group === '' ? kind : `${kind}.${group}`;
}
