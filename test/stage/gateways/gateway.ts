/** A released gateway on the stage. */
import type { Api, KubernetesObject } from '../cluster/api';
import type { ControlPlane } from '../cluster/control-plane';
import type { Running } from '../cluster/processes';

/** Where a gateway takes requests. */
export interface StartedGateway {
  readonly port: number;
  readonly processes: readonly Running[];
}

/** A gateway that the stage can start. */
export interface GatewayOnStage {
  /** The release, with that of Envoy where there is one. */
  readonly release: string;
  /** Fetches what the network of the stage cannot reach. */
  prepare(): void;
  /** CRDs beside those of the labs. */
  crds(): readonly KubernetesObject[];
  /** What its operator adds to a cluster, such as a Gateway. */
  readonly objects: readonly KubernetesObject[];
  start(plane: ControlPlane, folder: string): Promise<StartedGateway>;
  /**
   * Called once the objects of the cases are applied, for a gateway that does not watch them.
   * @default - nothing
   */
  applied?(api: Api, folder: string): Promise<void>;
  /**
   * How many seconds it may take until Envoy has what changed.
   * @default 3
   */
  readonly settlesAfter?: number;
}

/** Objects of a route, and the requests that are sent. */
export interface GatewayCase {
  readonly case: string;
  readonly gateway: string;
  readonly objects: readonly KubernetesObject[];
  readonly requests: readonly string[];
  /**
   * Whether it takes the requests of all hosts, so that no other case may be asked beside it.
   * @default false
   */
  readonly takesAll?: boolean;
}

/** Who answers which share of the requests: `service/v`, or a status code. */
export type Shares = Readonly<Record<string, number>>;

/** A case with the answers of the real gateway. */
export interface AnsweredCase extends Omit<GatewayCase, 'requests'> {
  readonly requests: readonly { readonly request: string; readonly real: Shares; readonly sent: number }[];
}
