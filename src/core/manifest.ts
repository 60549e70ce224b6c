import type { Finding, ObjectRef, SourceLocation } from './finding';
import { type Json, type JsonObject, ownValue, stringsOf, textOf } from './json';
import { formatPath, type Path, toPath, valueAt } from './path';
import { type FindingDetails, findingOf, type Rule } from './rule';

/** Knows where the values of an object stand in the user's file. */
export interface Origin {
  /** Where the value at the end of the path stands; where a path leads out of the object, where its last part does. */
  locate(path: Path): SourceLocation;
  /**
   * Where a line of a text of several lines begins, counted from 1; undefined where the file does not have the text line
   * by line, as in a string in quotes.
   */
  locateLine?(path: Path, line: number, text: string): SourceLocation | undefined;
}

/** Where a manifest comes from. */
export interface ManifestOptions {
  /**
   * @default - the manifest was not read from a file
   */
  readonly origin?: Origin;
  /**
   * The path of the construct that made it.
   * @default - no construct made it
   */
  readonly construct?: string;
}

/** What a check adds when it finds something in a manifest. */
export type ManifestFindingDetails = Omit<FindingDetails, 'object' | 'path' | 'source'> & {
  /**
   * The field that the finding is about.
   * @default - the object as a whole
   */
  readonly path?: Path | string;
};

/**
 * One Kubernetes object, and where each of its values stands in the user's files. Neither is ever changed.
 * @example Manifest.of({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' } }).name // 'web'
 */
export class Manifest {
  /** A manifest of plain data. */
  static of(object: object, options: ManifestOptions = {}): Manifest {
    return new Manifest(object as JsonObject, options.origin, options.construct);
  }

  /** What is asked for often, once it was; private by name, so that it does not count when manifests are compared. */
  #groupKind: string | undefined;
  #annotations: Readonly<Record<string, string>> | undefined;

  private constructor(
    /** The object itself, as the API server would be sent it. */
    readonly object: JsonObject,
    /** Knows where its values stand; undefined when it was not read from a file. */
    readonly origin: Origin | undefined,
    /** The path of the construct that made it. */
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

  /** Empty when the object has none, as one with `generateName`. */
  get name(): string {
    return textOf(this.metadata('name')) ?? '';
  }

  /** As written; undefined leaves it to the default namespace, or the object has no namespace at all. */
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

  /** How a finding names this object. */
  get ref(): ObjectRef {
    const { apiVersion, kind, namespace, name } = this;
    return namespace === undefined ? { apiVersion, kind, name } : { apiVersion, kind, namespace, name };
  }

  /**
   * The value at the end of a path.
   * @example manifest.get('spec.rules[0].host')
   */
  get(path: Path | string): Json | undefined {
    return valueAt(this.object, toPath(path));
  }

  /** Where a value stands, or undefined when the manifest was not read from a file. */
  sourceOf(path: Path | string = []): SourceLocation | undefined {
    return this.origin?.locate(toPath(path));
  }

  /**
   * Where a line of a text of several lines begins in the file, such as that of a script in a ConfigMap.
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
