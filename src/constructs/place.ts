import type { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';

/** Says of an error in which construct it came about. */
export function inConstruct<T>(construct: IConstruct, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // Where TypeScript would have seen it, had it been asked.
    if (error instanceof TypeError) {
      throw new TypeError(`${construct.node.path}: a property is of another type than it has to be: ${error.message}`);
    }
    throw new Error(`${construct.node.path}: ${error.message}`);
  }
}

/** Properties without which nothing can be written: told by name to who has no compiler that does. */
export function requireProps<Props extends object>(
  construct: IConstruct,
  props: Props | undefined,
  ...required: readonly (keyof Props & string)[]
): void {
  const missing = required.filter((name) => props?.[name] === undefined || props[name] === null);
  if (missing.length === 0) return;
  const names = missing.map((name) => `"${name}"`).join(' and ');
  throw new Error(
    `${construct.node.path}: ${names} ${missing.length === 1 ? 'is' : 'are'} missing from the properties`,
  );
}

/** An Ingress reaches Services of its own namespace only. What is known by its name alone is taken to be there. */
export function checkNamespace(construct: IConstruct, ingress: ApiObject, service: { readonly name: string }): void {
  const theirs = namespaceOf(service);
  const ours = ingress.metadata.namespace;
  if (theirs === undefined || theirs === (ours ?? 'default')) return;
  throw new Error(
    `${construct.node.path}: the service "${service.name}" is in the namespace "${theirs}" and the Ingress in "${ours ?? 'default'}": ` +
      'an Ingress reaches Services of its own namespace only',
  );
}

/** Constructs of cdk8s and cdk8s-plus carry their metadata. */
function namespaceOf(service: object): string | undefined {
  const metadata = 'metadata' in service ? service.metadata : undefined;
  const namespace =
    typeof metadata === 'object' && metadata !== null && 'namespace' in metadata ? metadata.namespace : undefined;
  return typeof namespace === 'string' ? namespace : undefined;
}
