import type { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { type AnyPropTable, dataProblems, propProblems } from '../core/props';

/** Puts the path of the construct before the message of an error. */
export function inConstruct<T>(construct: IConstruct, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // The compiler would have rejected the properties, but plain JavaScript and casts pass it by.
    if (error instanceof TypeError) {
      throw new TypeError(`${construct.node.path}: a property has the wrong type: ${error.message}`);
    }
    throw new Error(`${construct.node.path}: ${error.message}`);
  }
}

/**
 * Throws one error with all properties that are missing, have the wrong type, or cannot be written, for plain JavaScript
 * and casts.
 */
export function checkProps(construct: IConstruct, props: object | undefined, table: AnyPropTable): void {
  const problems = [...dataProblems(props), ...propProblems(props, { ...table, metadata: 'object' })];
  if (problems.length > 0) throw new Error(`${construct.node.path}: ${problems.join('; ')}`);
}

/** Checks that a Service is in the namespace of its Ingress. A Service that is given by its name alone passes. */
export function checkNamespace(construct: IConstruct, ingress: ApiObject, service: { readonly name: string }): void {
  const theirs = namespaceOf(service);
  const ours = ingress.metadata.namespace;
  if (theirs === undefined || theirs === (ours ?? 'default')) return;
  throw new Error(
    `${construct.node.path}: the service "${service.name}" is in the namespace "${theirs}" and the Ingress in "${ours ?? 'default'}": ` +
      'an Ingress reaches Services of its own namespace only',
  );
}

/** The namespace in the metadata of a construct of cdk8s or cdk8s-plus. */
function namespaceOf(service: object): string | undefined {
  const metadata = 'metadata' in service ? service.metadata : undefined;
  const namespace =
    typeof metadata === 'object' && metadata !== null && 'namespace' in metadata ? metadata.namespace : undefined;
  return typeof namespace === 'string' ? namespace : undefined;
}
