/** What a controller's folder contributes to the findings of a rehearsal. */
import type { Severity } from '../core/finding';
import type { Manifest, ManifestFindingDetails } from '../core/manifest';
import type { RehearsedAnswer, RehearsedRule, RehearsedShares } from '../core/rehearsal-result';
import type { Rule } from '../core/rule';
import type { World } from '../core/world';
import type { Moment } from './moment';

/** The rules that every rehearsal has, as far as controllers report them too. */
export type SharedRule =
  | 'rehearsal-controller-panics'
  | 'rehearsal-controller-stuck'
  | 'rehearsal-incomplete'
  | 'rehearsal-never-settles'
  | 'rehearsal-refused'
  | 'rehearsal-requests-fail'
  | 'rehearsal-target-group-empty';

/** A finding about the object of the release. */
export interface Remark extends ManifestFindingDetails {
  /** A rule of the controller's own, or the id of a rule that every rehearsal has. */
  readonly rule: Rule | SharedRule;
  /**
   * The text to search the controller's log for, which is added to `because`.
   * @default - the log says nothing
   */
  readonly log?: string;
}

/** The error at which a controller gets stuck. */
export interface ReleaseStop {
  /** The controller's name for this kind of error. */
  readonly class: string;
  /** The controller's message. */
  readonly message: string;
  /** The step, counted from 0. */
  readonly step: number;
  readonly remark: Remark;
}

/** Where a request went. */
export interface SeenOutcome {
  readonly answer: RehearsedAnswer;
  readonly shares: RehearsedShares;
  /** The rule of the load balancer that took the request. */
  readonly rule?: RehearsedRule;
  /** The object that the rule was made of. */
  readonly manifest?: Manifest;
}

/** What a rehearsal saw of a release. */
export interface SeenRelease {
  /** Every moment with one outcome for each request, always in the same order. */
  readonly moments: readonly { readonly moment: Moment; readonly outcomes: readonly SeenOutcome[] }[];
  /** Whether a load balancer leads to the application. */
  readonly isReached: boolean;
  /** A request by its index, as a command line has it: `GET https://shop.example.com/cart`. */
  requestText(index: number): string;
}

/** A wrong outcome that a rehearsal is about to report. */
export interface Situation {
  /** The id of the rule. */
  readonly rule: string;
  /** The router whose load balancer answered: `aws-alb`. */
  readonly router: string;
  readonly isFrozen: boolean;
  readonly moment: Moment;
  readonly outcome: SeenOutcome;
  /**
   * The declared share of the canary.
   * @default - nothing is declared
   */
  readonly expectedCanary?: number;
}

/** What a finding says instead of the texts of its rule. */
export interface Advice {
  readonly because?: string;
  readonly fix?: string;
  readonly severity?: Severity;
}

/** An Ingress that answers all requests with an error before the release begins. */
export interface Unreachable {
  readonly world: World;
  readonly ingress: Manifest;
  /** The path in the Ingress: `spec.rules[0].http.paths[1]`. */
  readonly path: string;
  readonly service: string;
}
