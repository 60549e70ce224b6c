import type { KubernetesObject, PolicyRule } from '../../../src/kubernetes/api';

/** Every single permission: `apps/deployments get`. */
export function permissions(rules: readonly PolicyRule[]): Set<string> {
  return new Set(
    rules.flatMap(({ apiGroups, resources, verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) => verbs.map((verb) => `${group}/${resource} ${verb}`)),
      ),
    ),
  );
}

/** The permissions of one role of an install. */
export function granted(objects: readonly KubernetesObject[], kind: string, name = 'argo-rollouts'): Set<string> {
  return permissions(objects.find((object) => object.kind === kind && object.metadata.name === name)?.rules ?? []);
}

/** The permissions of the first without those of the second, as `resource verb,verb`. */
export function without(a: ReadonlySet<string>, b: ReadonlySet<string>): string[] {
  const verbs = new Map<string, string[]>();
  for (const entry of [...a].filter((one) => !b.has(one)).sort()) {
    const [resource = '', verb = ''] = entry.split(' ');
    verbs.set(resource, [...(verbs.get(resource) ?? []), verb]);
  }
  return [...verbs].map(([resource, list]) => `${resource} ${list.join(',')}`);
}
