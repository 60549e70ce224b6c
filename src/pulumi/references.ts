/** What arguments refer to: by name, or as the resource that makes it. */
import * as pulumi from '@pulumi/pulumi';
import { isPlainObject } from './output-placeholders';

/** A Kubernetes resource of the program: of `@pulumi/kubernetes`, of whichever kind. */
export interface KubernetesResource extends pulumi.Resource {
  /** The metadata of the object, with its name. */
  readonly metadata: pulumi.Output<{ readonly name: string }>;
}

/** An object with a name: a resource, or a component of this library. */
export type NamedInput = KubernetesResource | NamedComponent | { readonly name: pulumi.Input<string> };

/** Something with a name: a resource, a component of this library, or the name itself. */
export type NameInput = pulumi.Input<string> | NamedInput;

/** An object of any kind: a resource, a component of this library, or its kind and name. */
export type ObjectInput =
  | KubernetesResource
  | NamedComponent
  | { readonly apiVersion: string; readonly kind: string; readonly name: pulumi.Input<string> };

/** The Output of a name is made once for each resource, so that all who refer to it mean the same. */
const names = new WeakMap<object, pulumi.Output<string>>();

/** A component of this library that makes one object which others name. */
export interface NamedComponent extends pulumi.Resource {
  /** The API of the object. */
  readonly apiVersion: string;
  /** The kind of the object. */
  readonly kind: string;
  /** The name as it was given: a plain string where it was one, so that more can be checked before the update. */
  readonly objectName: pulumi.Input<string>;
}

/** What a resource is known by, the name still as it was given. */
interface Reference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name: pulumi.Input<string>;
}

/** Puts kind and name in the place of resources, and keeps the resources, whose objects the checks then know too. */
export class References {
  private readonly found = new Set<KubernetesResource>();
  private readonly named = new Set<pulumi.Resource>();

  /** Components of this library that were referred to; what refers to them is made after them. */
  get components(): readonly pulumi.Resource[] {
    return [...this.named];
  }

  /** The resources that were referred to. */
  get resources(): readonly KubernetesResource[] {
    return [...this.found];
  }

  /** Arguments with kind and name in the place of each resource, and with the name alone where a name is asked for. */
  resolve(value: unknown, key?: string): unknown {
    const resolved = this.referenceTo(value) ?? this.resolveEntries(value);
    return key === 'name' && isPlainObject(resolved) && 'name' in resolved ? resolved.name : resolved;
  }

  private resolveEntries(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((entry) => this.resolve(entry));
    if (!isPlainObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, this.resolve(entry, key)]));
  }

  private referenceTo(value: unknown): Reference | undefined {
    if (typeof value !== 'object' || value === null || isDeferredValue(value) || isPlainObject(value)) return undefined;
    if (isNamedComponent(value)) {
      const { apiVersion, kind, objectName } = value;
      this.named.add(value);
      return { apiVersion, kind, name: objectName };
    }
    if (isKubernetesResource(value)) {
      this.found.add(value);
      const name = names.get(value) ?? nameIn(value.metadata);
      names.set(value, name);
      return { ...kindOf(value)!, name };
    }
    // Of a class of the program's own that has an Output for a name.
    const { name, kind } = value as { readonly name?: unknown; readonly kind?: unknown };
    if (!isDeferredValue(name)) return undefined;
    return { name, ...(typeof kind === 'string' && { kind }) };
  }
}

/** A value that may be known only later. */
function isDeferredValue(value: unknown): value is pulumi.Output<string> | Promise<string> {
  return pulumi.Output.isInstance(value) || value instanceof Promise;
}

/** The name in the metadata of a resource; undefined where a mock of a test says nothing of it. */
export function nameIn(metadata: pulumi.Output<{ readonly name: string } | undefined>): pulumi.Output<string> {
  return metadata.apply((known) => known?.name as string);
}

/** Kind and version of a resource: `kubernetes:apps/v1:Deployment`. Undefined where it is not one of Kubernetes. */
export function kindOf(resource: pulumi.Resource): { readonly apiVersion: string; readonly kind: string } | undefined {
  const type = (resource as unknown as { readonly __pulumiType: string }).__pulumiType;
  const [, apiVersion, kind] = /^kubernetes:([^:]+):([^:]+)$/.exec(type) ?? [];
  if (apiVersion === undefined || kind === undefined) return undefined;
  return { apiVersion: apiVersion.replace(/^core\//, ''), kind };
}

function isNamedComponent(reference: unknown): reference is NamedComponent {
  return pulumi.Resource.isInstance(reference) && 'objectName' in reference;
}

function isKubernetesResource(reference: unknown): reference is KubernetesResource {
  return pulumi.Resource.isInstance(reference) && kindOf(reference) !== undefined;
}
