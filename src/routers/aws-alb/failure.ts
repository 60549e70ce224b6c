import type { Path } from '../../core';
import type { Ingress } from './ingress';

/** The kinds of mistakes for which the controller applies nothing of a whole group. */
export type ErrorClass =
  /** An `actions.*`, `conditions.*` or `transforms.*` annotation that is used does not decode. */
  | 'json'
  | 'action-type'
  | 'action-config'
  | 'action-weight-missing'
  | 'condition-config'
  | 'condition-values-and-regex'
  | 'transform'
  | 'path-type'
  | 'path-wildcard'
  | 'bool-annotation'
  | 'service-not-found'
  | 'service-port'
  | 'target-group-port'
  | 'target-type'
  /** A setting of target groups (protocol, health check, attributes, tags) that the controller refuses. */
  | 'target-group-setting'
  | 'resource-backend'
  | 'group-order'
  | 'group-setting'
  | 'group-setting-conflict'
  | 'default-backend-conflict'
  | 'listen-ports'
  | 'listener-conflict'
  | 'ssl-redirect';

/** The first error that the controller meets while it builds a group. */
export class BuildFailure extends Error {
  constructor(
    readonly errorClass: ErrorClass,
    message: string,
    /** The Ingress that holds the mistake, where one does. */
    readonly ingress?: Ingress,
    /** The field that holds it. */
    readonly path?: Path,
  ) {
    super(message);
    this.name = 'BuildFailure';
  }
}

/** Runs a part of the build for one Ingress; a failure says which, as the controller does. */
export function forIngress<T>(ingress: Ingress, build: () => T): T {
  try {
    return build();
  } catch (error) {
    if (!(error instanceof BuildFailure)) throw error;
    const { errorClass, message, path } = error;
    throw new BuildFailure(errorClass, `ingress: ${ingress.key}: ${message}`, ingress, path);
  }
}
