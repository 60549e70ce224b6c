/** Kinds of which a component makes several, told apart by the names of the objects. */
const SEVERAL = new Set(['CustomResourceDefinition', 'Role', 'RoleBinding', 'Service']);

/**
 * The name of an object's resource, which begins with that of the component. It depends on the object alone, so that no
 * resource is replaced because another one comes or goes.
 *
 * @example childName('kruise', { kind: 'ClusterRole', metadata: { name: 'manager' } }) // 'kruise-cluster-role'
 */
export function childName(
  component: string,
  { kind, metadata }: { readonly kind: string; readonly metadata: { readonly name?: string } },
): string {
  const words = kind.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase();
  return SEVERAL.has(kind) ? `${component}-${words}-${metadata.name}` : `${component}-${words}`;
}
