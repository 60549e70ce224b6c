/** References in arguments: names, and resources. */
import * as pulumi from '@pulumi/pulumi';
import { isPlainObject } from './output-placeholders';

/** A resource of `@pulumi/kubernetes`, of any kind. */
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

/** One Output for the name of each resource, so that all references to it are equal. */
const names = new WeakMap<object, pulumi.Output<string>>();

/** A component of this library with one main object that others refer to. */
export interface NamedComponent extends pulumi.Resource {
  /** The API of the object. */
  readonly apiVersion: string;
  /** The kind of the object. */
  readonly kind: string;
  /** The name as given. A plain string stays one, so that more checks run before the update. */
  readonly objectName: pulumi.Input<string>;
}

/** Kind and name of a resource, with the name as given. */
interface Reference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name: pulumi.Input<string>;
}

/** Replaces resources by their kind and name, and collects the resources, so that their objects are checked too. */
export class References {
  private readonly found = new Set<KubernetesResource>();
  private readonly named = new Set<pulumi.Resource>();

  /** The components of this library in the arguments. Whatever refers to them depends on them. */
  get components(): readonly pulumi.Resource[] {
    return [...this.named];
  }

  /** The other Kubernetes resources in the arguments. */
  get resources(): readonly KubernetesResource[] {
    return [...this.found];
  }

  /** The arguments with kind and name in place of each resource; at the key `name`, with the name alone. */
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
    // An instance of the program's own class with an Output as its name.
    const { name, kind } = value as { readonly name?: unknown; readonly kind?: unknown };
    if (!isDeferredValue(name)) return undefined;
    return { name, ...(typeof kind === 'string' && { kind }) };
  }
}

/** A value that may be known only later. */
function isDeferredValue(value: unknown): value is pulumi.Output<string> | Promise<string> {
  return pulumi.Output.isInstance(value) || value instanceof Promise;
}

/** The name in the metadata of a resource; undefined if a mock in a test returns no metadata. */
export function nameIn(metadata: pulumi.Output<{ readonly name: string } | undefined>): pulumi.Output<string> {
  return metadata.apply((known) => known?.name as string);
}

/** Kind and version of a resource: `kubernetes:apps/v1:Deployment`. Undefined for other providers. */
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
