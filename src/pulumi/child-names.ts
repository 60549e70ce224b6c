import { mentionsPlaceholder } from './output-placeholders';

/** An object, as far as its resource is called after it. */
interface NamedObject {
  readonly kind: string;
  readonly metadata: { readonly name?: string };
}

/**
 * The names of the objects' resources, which begin with that of the component. Each depends on its object alone, so that
 * no resource is replaced because another one comes or goes.
 *
 * @param several kinds of which the component makes several objects, told apart by their names
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
