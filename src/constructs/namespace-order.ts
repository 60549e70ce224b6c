/** Namespaces that installs create, and objects of other constructs that are in them: an apply follows the order of the file. */
import { type ApiObject, Chart } from 'cdk8s';

interface Created {
  namespace?: ApiObject;
  readonly waiting: ApiObject[];
}

const byChart = new WeakMap<Chart, Map<string, Created>>();

function createdIn(object: ApiObject, name: string): Created {
  const chart = Chart.of(object);
  const all = byChart.get(chart) ?? new Map<string, Created>();
  byChart.set(chart, all);
  const created = all.get(name) ?? { waiting: [] };
  all.set(name, created);
  return created;
}

/** Puts the objects that wait for a Namespace after it, whichever construct is made first. */
export function createsNamespace(namespace: ApiObject): void {
  const created = createdIn(namespace, namespace.name);
  created.namespace = namespace;
  for (const object of created.waiting) object.addDependency(namespace);
}

/** Puts an object after the Namespace that a construct of its chart creates. */
export function waitsForNamespace(object: ApiObject, name: string): void {
  const { namespace, waiting } = createdIn(object, name);
  if (namespace !== undefined) object.addDependency(namespace);
  else waiting.push(object);
}
