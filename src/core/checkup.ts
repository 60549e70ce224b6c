/** The result of examining a cluster: plain data, so that a report does not have to ask the cluster again. */
import type { ObjectRef } from './finding';
import type { RehearsedCell, RehearsedLoadBalancer, RehearsedRequest } from './rehearsal-result';

/** The answer to a question. `unknown`: the objects could not be read. `not-applicable`: the question does not arise. */
export type CheckupStatus = 'ok' | 'problem' | 'unknown' | 'not-applicable';

/** One question and its answer. */
export interface CheckupItem {
  /** A stable id: `kruise-config-map`. */
  readonly id: string;
  /** The question as text: `does the ConfigMap of scripts exist?` */
  readonly question: string;
  readonly status: CheckupStatus;
  /** One sentence, with names and values. */
  readonly answer: string;
  /** The objects and fields that the answer is based on. */
  readonly looked: readonly string[];
  /**
   * More lines, such as a diff or the routes of requests.
   * @default - the answer says all
   */
  readonly details?: readonly string[];
  /**
   * The smallest change that fixes the problem.
   * @default - nothing is to be mended
   */
  readonly fix?: string;
  /**
   * The permission that the user needs for an answer: `list ingresses.networking.k8s.io`.
   * @default - none is missing
   */
  readonly permission?: string;
  /**
   * Where each request of a release goes.
   * @default - the question is about something else, or nothing is known of it
   */
  readonly traffic?: CheckupTraffic;
}

/** The requests of a release, and the answers of its load balancers. */
export interface CheckupTraffic {
  readonly loadBalancers: readonly RehearsedLoadBalancer[];
  readonly requests: readonly CheckupRequest[];
}

/** A request and its answer. */
export interface CheckupRequest extends RehearsedRequest, Omit<RehearsedCell, 'rule'> {}

/** Questions about one subject: a controller, a Rollout, a namespace. */
export interface CheckupSection {
  /** `Rollout shop/web` */
  readonly title: string;
  /**
   * The object that the questions are about.
   * @default - a system as a whole
   */
  readonly object?: ObjectRef;
  readonly items: readonly CheckupItem[];
}

/** All questions in order. */
export interface Checkup {
  /** The source of the answers: `https://10.0.0.1:6443 (context prod)`, `dump.yaml`. */
  readonly from: string;
  readonly sections: readonly CheckupSection[];
}
