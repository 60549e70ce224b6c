import type { AbsentObject, Severity } from './finding';
import { groupKindOf, type Manifest } from './manifest';
import type { World } from './world';

/**
 * How bad it is that an object is not among the manifests, the same for every controller: an error if the namespace has others
 * of its kind, or another namespace has the object; a warning if the namespace has objects of others; a note if nothing is known.
 * @param from the object that names it
 */
export function severityOfAbsence(world: World, from: Manifest, ref: AbsentObject): Severity {
  const namespace = ref.namespace ?? world.namespaceOf(from);
  const sameKind = world.list(groupKindOf(ref.kind, ref.apiVersion ?? ''));
  const isKnown = sameKind.some((each) => world.namespaceOf(each) === namespace || each.name === ref.name);
  if (isKnown) return 'error';
  return world.inNamespace(namespace).some(({ group }) => group !== from.group) ? 'warning' : 'note';
}
