/** What an object refers to: by name, or as the resource that makes it. */
import * as pulumi from '@pulumi/pulumi';

/** A Kubernetes resource of the program: of `@pulumi/kubernetes`, of whichever kind. */
export interface KubernetesResource extends pulumi.Resource {
  /** The metadata of the object, with its name. */
  readonly metadata: pulumi.Output<{ readonly name: string }>;
}

/** Something with a name: a resource, a component of this library, or the name itself. */
export type NameInput =
  | pulumi.Input<string>
  | KubernetesResource
  | NamedComponent
  | { readonly name: pulumi.Input<string> };

/** An object of any kind: a resource, a component of this library, or its kind and name. */
export type ObjectInput =
  | KubernetesResource
  | NamedComponent
  | { readonly apiVersion: string; readonly kind: string; readonly name: pulumi.Input<string> };

/** Kind and name, the name still as it was given. */
export interface NamedKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: pulumi.Input<string>;
}

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

/** Finds the resources among references, whose objects the checks then know too. */
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

  /** The name; of a resource together with its kind, so that one of a wrong kind is told. */
  name(reference: NameInput): pulumi.Input<string> | { readonly kind?: string; readonly name: pulumi.Input<string> } {
    if (isKubernetesResource(reference) || isNamedComponent(reference)) return this.object(reference);
    if (typeof reference === 'string' || pulumi.Output.isInstance(reference) || reference instanceof Promise) {
      return reference;
    }
    const { kind } = reference as { readonly kind?: unknown };
    const { name } = reference as { readonly name: pulumi.Input<string> };
    return typeof kind === 'string' ? { kind, name } : { name };
  }

  /** The name alone, of what has no other kind. */
  nameAlone(reference: NameInput): pulumi.Input<string> {
    const name = this.name(reference);
    return isNamed(name) ? name.name : name;
  }

  /** Kind and name. */
  object(reference: ObjectInput): NamedKind {
    if (isNamedComponent(reference)) {
      const { apiVersion, kind, objectName } = reference;
      this.named.add(reference);
      return { apiVersion, kind, name: objectName };
    }
    if (!isKubernetesResource(reference)) {
      const { apiVersion, kind, name } = reference;
      return { apiVersion, kind, name };
    }
    this.found.add(reference);
    const name = names.get(reference) ?? nameIn(reference.metadata);
    names.set(reference, name);
    return { ...kindOf(reference)!, name };
  }
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

/** An Output answers to every key. */
function isNamed(
  name: pulumi.Input<string> | { readonly name: pulumi.Input<string> },
): name is { readonly name: pulumi.Input<string> } {
  return typeof name === 'object' && !pulumi.Output.isInstance(name) && !(name instanceof Promise);
}

function isNamedComponent(reference: unknown): reference is NamedComponent {
  return pulumi.Resource.isInstance(reference) && 'objectName' in reference;
}

function isKubernetesResource(reference: unknown): reference is KubernetesResource {
  return pulumi.Resource.isInstance(reference) && kindOf(reference) !== undefined;
}
