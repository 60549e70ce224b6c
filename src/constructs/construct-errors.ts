import type { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { dataProblems } from '../core/props';

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

/** Throws one error with all properties that are missing, unknown, or not as their types say, for plain JavaScript and casts. */
export function checkProps(construct: IConstruct, props: object | undefined): void {
  const problems = dataProblems(props);
  if (problems.length === 0) problems.push(...shapeProblemsOf(construct, props === undefined ? {} : props));
  if (problems.length > 0) throw new Error(`${construct.node.path}: ${problems.join('; ')}`);
}

/** What of the properties is not as their type says. */
function shapeProblemsOf(construct: IConstruct, props: object): string[] {
  // Loaded on first use, because a program without constructs needs no shapes.
  const { packageShapes } = require('../core/package-shapes') as typeof import('../core/package-shapes');
  const { shapeProblems } = require('../core/prop-shape') as typeof import('../core/prop-shape');
  const { constructs, types } = packageShapes;
  const name = classesOf(construct).find((one) => Object.hasOwn(constructs, one));
  return name === undefined ? [] : shapeProblems(props, constructs[name]!, types);
}

/** The class of a construct and those that it extends. */
function classesOf(construct: object): string[] {
  const prototype = Object.getPrototypeOf(construct);
  return prototype === null ? [] : [prototype.constructor?.name ?? '', ...classesOf(prototype)];
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
