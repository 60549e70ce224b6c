/** What a look at a cluster ends with: plain data, which reports show without asking the cluster again. */
import type { ObjectRef } from './finding';

/** What became of a question: `unknown` could not be looked at, `not-applicable` need not be. */
export type CheckupStatus = 'ok' | 'problem' | 'unknown' | 'not-applicable';

/** One question, and what the cluster answers. */
export interface CheckupItem {
  /** Stable, for machines: `kruise-config-map`. */
  readonly id: string;
  /** As a person asks it: `is the ConfigMap of scripts there?` */
  readonly question: string;
  readonly status: CheckupStatus;
  /** One sentence, with names and values. */
  readonly answer: string;
  /** The objects and fields that were looked at. */
  readonly looked: readonly string[];
  /**
   * Lines that show more: a diff, where requests go.
   * @default - the answer says all
   */
  readonly details?: readonly string[];
  /**
   * The smallest thing that mends it.
   * @default - nothing is to be mended
   */
  readonly fix?: string;
  /**
   * The permission that the person who asks would need to know: `list ingresses.networking.k8s.io`.
   * @default - none is missing
   */
  readonly permission?: string;
}

/** Questions about one thing: a controller, a Rollout, a namespace. */
export interface CheckupSection {
  /** `Rollout shop/web` */
  readonly title: string;
  /**
   * The object that it is about.
   * @default - a system as a whole
   */
  readonly object?: ObjectRef;
  readonly items: readonly CheckupItem[];
}

/** All questions, in the order in which they are asked. */
export interface Checkup {
  /** Where the answers come from: `https://10.0.0.1:6443 (context prod)`, `dump.yaml`. */
  readonly from: string;
  readonly sections: readonly CheckupSection[];
}
