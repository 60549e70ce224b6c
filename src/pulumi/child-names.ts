import { mentionsPlaceholder } from './output-placeholders';

/** The parts of an object that decide the name of its resource. */
interface NamedObject {
  readonly kind: string;
  readonly metadata: { readonly name?: string };
}

/**
 * The names of the objects' resources. They begin with the name of the component. Each depends only on its own object, so
 * that adding or removing an object replaces no other resource.
 *
 * @param several kinds with several objects in the component; their resource names contain the names of the objects
 * @example childNames('kruise', [{ kind: 'ClusterRole', metadata: { name: 'manager' } }], []) // ['kruise-cluster-role']
 */
export function childNames(component: string, objects: readonly NamedObject[], several: readonly string[]): string[] {
  return objects.map(({ kind, metadata: { name = '' } }, index) => {
    const words = `${component}-${kind.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase()}`;
    if (!several.includes(kind)) return words;
    // A resource has its name before an Output has its value.
    return `${words}-${mentionsPlaceholder(name) ? index : name}`;
  });
}
