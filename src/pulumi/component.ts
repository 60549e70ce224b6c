import * as pulumi from '@pulumi/pulumi';
import { keysOfPointer, type RewrittenFields } from '../core/gitops';
import { formatPath } from '../core/path';
import { madeAt } from '../files/made-at';
import type { StackFacts } from './checks';
import type { AnyComponentObjects } from './component-objects';
import { dependenciesOf } from './dependencies';
import { kubernetesResource, type ObjectWithOutputs } from './kubernetes-resources';
import { mentionsPlaceholder } from './output-placeholders';
import { nameIn } from './references';
import { watch } from './watch';

/** The parts of a component. */
export interface ComponentParts {
  readonly objects: AnyComponentObjects;
  readonly facts: StackFacts;
  /** The fields of its objects that controllers rewrite. @default - none */
  readonly rewritten?: readonly RewrittenFields[];
  /** Kinds whose objects stay in the cluster when the component is deleted. @default - none */
  readonly retained?: readonly string[];
  /** What its objects depend on. Values that are no resources of the program are ignored. @default - nothing */
  readonly after?: readonly unknown[];
}

/** A component that creates Kubernetes objects. */
export abstract class KubernetesComponent extends pulumi.ComponentResource {
  /** The resources of its objects, each after the resources that it depends on. */
  readonly resources: readonly pulumi.CustomResource[];

  protected constructor(parts: ComponentParts, options: pulumi.ComponentResourceOptions | undefined) {
    const { objects, facts, rewritten = [], retained = [], after = [] } = parts;
    super(`rollout-constructs:index:${objects.type}`, objects.name, {}, options);
    const { placeholders, references, childNames } = objects;
    const dependencies = dependenciesOf(objects.objects);
    const before = [...references.components, ...after.filter((each) => pulumi.Resource.isInstance(each))];
    const made: pulumi.CustomResource[] = [];
    for (const [index, object] of objects.objects.entries()) {
      const ignoreChanges = ignoredPaths(object, rewritten);
      const resource = kubernetesResource(
        childNames[index]!,
        placeholders.withOutputs(object) as ObjectWithOutputs,
        pulumi.mergeOptions(
          // The objects inherit the dependencies of the component.
          options?.dependsOn === undefined ? {} : { dependsOn: options.dependsOn },
          {
            parent: this,
            dependsOn: [...before, ...dependencies[index]!.map((at) => made[at]!)],
            ...(ignoreChanges.length === 0 ? {} : { ignoreChanges }),
            ...(retained.includes(object.kind) ? { retainOnDelete: true } : {}),
          },
        ),
      );
      made.push(resource);
    }
    this.resources = made;
    watch({
      component: this,
      madeAt: madeAt(),
      objects,
      facts,
      children: new Map(childNames.map((name, index) => [name, made[index]!])),
      references: references.resources,
    });
  }

  /** The resource of the first object of a kind. */
  protected resourceOf(kind: string): pulumi.CustomResource | undefined {
    return this.resources.find((resource) => typeOf(resource).endsWith(`:${kind}`));
  }

  /** The resources of all objects of a kind. */
  protected resourcesOf(kind: string): pulumi.CustomResource[] {
    return this.resources.filter((resource) => typeOf(resource).endsWith(`:${kind}`));
  }
}

function typeOf(resource: pulumi.Resource): string {
  return (resource as unknown as { readonly __pulumiType: string }).__pulumiType;
}

/** The name of an object, from its resource. */
export function nameOfResource(resource: pulumi.CustomResource): pulumi.Output<string> {
  const { metadata } = resource as unknown as { readonly metadata: pulumi.Output<{ readonly name: string }> };
  return nameIn(metadata);
}

/** The fields of an object that a controller rewrites, as property paths of Pulumi. */
function ignoredPaths(
  { kind, metadata }: { readonly kind: string; readonly metadata: { readonly name?: string } },
  rewritten: readonly RewrittenFields[],
): string[] {
  const pointers = rewritten
    .filter(({ object }) => object.kind === kind && object.name === (metadata.name ?? ''))
    .flatMap((fields) => fields.pointers);
  return [...new Set(pointers.map(propertyPath))].sort();
}

/**
 * A JSON pointer as a property path of Pulumi: `metadata.annotations["a.b/c"]`. The path ends before a key that is not
 * known yet.
 */
export function propertyPath(pointer: string): string {
  const keys = keysOfPointer(pointer);
  const unknown = keys.findIndex(mentionsPlaceholder);
  const known = unknown < 0 ? keys : keys.slice(0, unknown);
  return formatPath(known.map((key) => (/^\d+$/.test(key) ? Number(key) : key)));
}
