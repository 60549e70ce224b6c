/** What an object refers to: by name, or as the resource that makes it. */
import * as pulumi from '@pulumi/pulumi';

/** A Kubernetes resource of the program: of `@pulumi/kubernetes`, of whichever kind. */
export interface KubernetesResource extends pulumi.Resource {
  readonly metadata: pulumi.Output<{ readonly name: string }>;
}

/** Something with a name: a resource, a component of this library, or the name itself. */
export type NameInput = pulumi.Input<string> | KubernetesResource | { readonly name: pulumi.Input<string> };

/** An object of any kind: a resource, a component of this library, or its kind and name. */
export type ObjectInput =
  | KubernetesResource
  | { readonly apiVersion: string; readonly kind: string; readonly name: pulumi.Input<string> };

/** Kind and name, the name still as it was given. */
export interface NamedKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: pulumi.Input<string>;
}

/** The Output of a name is made once for each resource, so that all who refer to it mean the same. */
const names = new WeakMap<object, pulumi.Output<string>>();

/** Finds the resources among references, whose objects the checks then know too. */
export class References {
  private readonly found = new Set<KubernetesResource>();

  /** The resources that were referred to. */
  get resources(): readonly KubernetesResource[] {
    return [...this.found];
  }

  /** The name; of a resource together with its kind, so that one of a wrong kind is told. */
  name(reference: NameInput): pulumi.Input<string> | { readonly kind?: string; readonly name: pulumi.Input<string> } {
    if (isKubernetesResource(reference)) return this.object(reference);
    if (typeof reference === 'string' || pulumi.Output.isInstance(reference) || reference instanceof Promise) {
      return reference;
    }
    const { kind } = reference as { readonly kind?: unknown };
    const { name } = reference as { readonly name: pulumi.Input<string> };
    return typeof kind === 'string' ? { kind, name } : { name };
  }

  /** Kind and name. */
  object(reference: ObjectInput): NamedKind {
    if (!isKubernetesResource(reference)) {
      const { apiVersion, kind, name } = reference;
      return { apiVersion, kind, name };
    }
    this.found.add(reference);
    const name = names.get(reference) ?? reference.metadata.apply(({ name: own }) => own);
    names.set(reference, name);
    return { ...kindOf(reference)!, name };
  }
}

/** Kind and version of a resource: `kubernetes:apps/v1:Deployment`. Undefined where it is not one of Kubernetes. */
export function kindOf(resource: pulumi.Resource): { readonly apiVersion: string; readonly kind: string } | undefined {
  const type = (resource as unknown as { readonly __pulumiType: string }).__pulumiType;
  const [, apiVersion, kind] = /^kubernetes:([^:]+):([^:]+)$/.exec(type) ?? [];
  if (apiVersion === undefined || kind === undefined) return undefined;
  return { apiVersion: apiVersion.replace(/^core\//, ''), kind };
}

function isKubernetesResource(reference: unknown): reference is KubernetesResource {
  return pulumi.Resource.isInstance(reference) && kindOf(reference) !== undefined;
}
