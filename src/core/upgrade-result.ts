/** What changes for one stack between two releases of what its cluster runs: plain data, so that reports need no model. */
import type { Finding, ObjectRef, SourceLocation } from './finding';
import type { Json } from './json';
import type { RehearsalPhase, RehearsedCell, RehearsedRequest, RehearsedStop } from './rehearsal-result';

/** What changes for a stack. */
export interface UpgradeReport {
  readonly releases: readonly UpgradedRelease[];
  /** The findings that only the new releases have, in report order. */
  readonly appears: readonly Finding[];
  /** The findings that only the old releases have, in report order. */
  readonly gone: readonly Finding[];
  /** The number of findings that both have. */
  readonly stays: number;
  /** How many Rollouts and TrafficRoutings were rehearsed with the new releases. */
  readonly rehearsed: number;
  /** The Rollouts and TrafficRoutings whose release takes another course. */
  readonly rollouts: readonly UpgradedRollout[];
  /** The differences between the releases that change something for this stack. */
  readonly facts: readonly UpgradedFact[];
  /** With how many of the rehearsed Rollouts the differences were tried: one of each kind that differs. */
  readonly triedWith: number;
  /** How many differences between the releases change nothing for this stack. */
  readonly otherFacts: number;
  /** The fields of kinds in the stack that only one of the releases has. */
  readonly fields: readonly UpgradedFields[];
  /** The routing scripts that Rollouts of the stack run, where the releases run others. */
  readonly scripts: readonly UpgradedScript[];
}

/** The software whose release changes, by the names that `--to` takes. */
export type Software =
  | 'kruise'
  | 'argo'
  | 'aws-load-balancer-controller'
  | 'ingress-nginx'
  | 'traefik'
  | 'istio'
  | 'kubernetes';

/** One release that replaces another. */
export interface UpgradedRelease {
  readonly software: Software;
  /** `Kruise Rollouts` */
  readonly title: string;
  /** `0.5.5` */
  readonly from: string;
  readonly to: string;
}

/** One of the two sides. */
export type UpgradeSide = 'from' | 'to';

/** A Rollout or TrafficRouting whose release takes another course. */
export interface UpgradedRollout {
  readonly rollout: ObjectRef;
  readonly source?: SourceLocation;
  /**
   * The side that alone rehearses it: the other one has no such kind, or refuses the object.
   * @default - both do
   */
  readonly only?: UpgradeSide;
  /** The straight road first, then the stories that were asked for; those without a difference are left out. */
  readonly stories: readonly UpgradedStory[];
}

/** The differences of one story. */
export interface UpgradedStory {
  /** `straight`, or the name of the story. */
  readonly name: string;
  readonly moments: readonly UpgradedMoment[];
  /** What the controller writes otherwise, the first time that it does. */
  readonly writes: readonly UpgradedWrite[];
  /**
   * How the story ends, where that differs: `released`, `stuck`.
   * @default - the ends are the same, or nobody asked for stories
   */
  readonly ends?: Readonly<Record<UpgradeSide, string>>;
  /**
   * Where the controller stops, if only one side stops or the reasons differ.
   * @default - both stop the same way, or neither does
   */
  readonly stops?: Readonly<Partial<Record<UpgradeSide, RehearsedStop>>>;
}

/** A moment at which requests go elsewhere. */
export interface UpgradedMoment {
  readonly phase: RehearsalPhase;
  /** Counted from 0, as in `steps[0]`. */
  readonly step?: number;
  /** `steps[0]: 20%` */
  readonly title: string;
  /**
   * The side that alone has this moment.
   * @default - both have it
   */
  readonly only?: UpgradeSide;
  /** The requests whose answer differs; for a moment of one side, all requests. */
  readonly requests: readonly UpgradedRequest[];
}

/** One request, and where it goes on each side. */
export interface UpgradedRequest {
  readonly request: Pick<RehearsedRequest, 'label' | 'text'>;
  readonly from?: UpgradedCell;
  readonly to?: UpgradedCell;
}

/** Where a request goes. */
export type UpgradedCell = Pick<RehearsedCell, 'shares' | 'answer' | 'verdict'>;

/** An object that the controller leaves in another state. */
export interface UpgradedWrite {
  readonly object: ObjectRef;
  /** The title of the moment. */
  readonly title: string;
  /**
   * The side that alone has the object then.
   * @default - both have it
   */
  readonly only?: UpgradeSide;
  /** Field by field; empty if only one side has the object. */
  readonly fields: readonly UpgradedValue[];
}

/** A field with its value on each side; a side without a value does not have the field. */
export interface UpgradedValue {
  /** `metadata.annotations["nginx.ingress.kubernetes.io/canary-weight"]` */
  readonly path: string;
  readonly from?: Json;
  readonly to?: Json;
}

/** A fact that differs between the releases, and that this stack meets. */
export interface UpgradedFact {
  readonly software: Software;
  /** As in docs/releases.md, and the part of it that differs: `pinsStableServiceFirst`, `finalising.rollback`. */
  readonly name: string;
  /** `Whether the stable Service selects only the old pods before the first step creates new ones.` */
  readonly text: string;
  readonly from: Json;
  readonly to: Json;
  /** The release with which it changed. */
  readonly since: string;
  /**
   * Where the software says so: `pkg/trafficrouting/manager.go, #226`.
   * @default - a recording shows it
   */
  readonly source?: string;
  /** The rules of the findings that it changes. */
  readonly rules: readonly string[];
  /** The Rollouts and TrafficRoutings, of those it was tried with, whose release it changes. */
  readonly rollouts: readonly ObjectRef[];
}

/** The fields and versions of a kind that only one side has. */
export interface UpgradedFields {
  readonly software: Software;
  readonly kind: string;
  /** `rollouts.kruise.io/v1beta1` */
  readonly apiVersion: string;
  /** Fields that become available in objects of the stack: `spec.strategy.canary.steps[*].matches[*].path`. */
  readonly added: readonly string[];
  /** Fields that the new release does not have. */
  readonly removed: readonly string[];
  /** Other versions of the API of this kind that become available. */
  readonly newVersions: readonly string[];
}

/** A routing script that differs. */
export interface UpgradedScript {
  /** `ingress.nginx`, `VirtualService.networking.istio.io` */
  readonly name: string;
  readonly from: ScriptOrigin;
  readonly to: ScriptOrigin;
  /** The number of lines that the script of the new release adds and drops. */
  readonly lines: { readonly added: number; readonly dropped: number };
  /** Who runs it. */
  readonly rollouts: readonly ObjectRef[];
}

/** Where a script comes from; `assumed` is the library's, where nobody knows what the cluster's ConfigMap has. */
export type ScriptOrigin = 'builtin' | 'ConfigMap' | 'assumed' | 'missing';
