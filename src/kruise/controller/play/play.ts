/** What every part of a play reads and changes. */
import type { StringMap } from '../../../core/json';
import type { RolloutSubject, RouteSubject } from '../../subject';
import type { KruiseRolloutVersion } from '../../version';
import type { ControllerError } from '../error';
import type { Provider } from '../providers';
import type { Journal } from './journal';
import type { Workload } from './workload';

/** One release while it is played. */
export interface Play {
  readonly rollout: RolloutSubject;
  readonly version: KruiseRolloutVersion;
  readonly workload: Workload;
  /** The labels that only the pods of an extra canary workload get. */
  readonly canaryLabels: StringMap;
  readonly journal: Journal;
  /** Whether the workload cannot replace its pods, as the new ones never become ready. */
  readonly keepsPods?: boolean;
  /**
   * The routes.
   * @default - the Rollout routes no traffic
   */
  readonly routing?: Routing;
}

/** The routes of a release, and what the controller changes them with. */
export interface Routing {
  readonly route: RouteSubject;
  readonly providers: readonly Provider[];
}

/** A workload with 0 pods has no ReplicaSet that tells the controller the old version; partition style needs none. */
export function waitsForScale({ rollout, workload }: Play): boolean {
  return workload.replicas === 0 && rollout.style !== 'partition';
}

/** The controller cannot continue. Only a play throws and catches it. */
export class Stopped extends Error {
  constructor(readonly error: ControllerError) {
    super(error.message);
  }
}
