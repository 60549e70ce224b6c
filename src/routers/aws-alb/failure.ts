import type { Path } from '../../core';
import type { Ingress } from '../ingress/ingress';

/** The kinds of mistakes that make the controller apply nothing of a group. */
export type ErrorClass =
  /** An `actions.*`, `conditions.*` or `transforms.*` annotation of a backend does not decode. */
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
  /** The controller rejects a setting of target groups: protocol, health check, attributes, tags. */
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
    /** The Ingress with the mistake, if one Ingress has it. */
    readonly ingress?: Ingress,
    /** The field with the mistake. */
    readonly path?: Path,
  ) {
    super(message);
    this.name = 'BuildFailure';
  }
}

/** Runs a part of the build for one Ingress. A failure has the Ingress, although the controller's message does not name it. */
export function locating<T>(ingress: Ingress, build: () => T): T {
  try {
    return build();
  } catch (error) {
    if (!(error instanceof BuildFailure)) throw error;
    throw new BuildFailure(error.errorClass, error.message, ingress, error.path);
  }
}

/** Runs a part of the build for one Ingress. A failure names the Ingress, as in the controller. */
export function forIngress<T>(ingress: Ingress, build: () => T): T {
  try {
    return build();
  } catch (error) {
    if (!(error instanceof BuildFailure)) throw error;
    const { errorClass, message, path } = error;
    throw new BuildFailure(errorClass, `ingress: ${ingress.key}: ${message}`, ingress, path);
  }
}
