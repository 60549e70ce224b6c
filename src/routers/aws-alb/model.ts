import type { Path } from '../../core';
import type { Ingress } from '../ingress/ingress';
import type { BuildFailure } from './failure';

/** An IngressGroup as the controller builds it: one load balancer. */
export interface AlbGroup {
  /** The group's name; `namespace/name` of an Ingress that names no group. */
  readonly name: string;
  /** The Ingresses in the order of their rules. */
  readonly members: readonly Ingress[];
  /** False if the order has a mistake; the order of the members is then meaningless. */
  readonly isOrdered: boolean;
  /** Why the controller applies nothing of this group. */
  readonly failure: BuildFailure | undefined;
  /** By port; empty if there is a failure. */
  readonly listeners: readonly AlbListener[];
}

/** What the controller makes of all Ingresses. */
export interface AlbModel {
  /** By name. */
  readonly groups: readonly AlbGroup[];
  /** Ingresses of other classes, or whose group name is invalid: they get no load balancer. By `namespace/name`. */
  readonly ungrouped: readonly Ingress[];
}

export type Protocol = 'HTTP' | 'HTTPS';

export interface AlbListener {
  readonly port: number;
  readonly protocol: Protocol;
  /** By ascending priority. */
  readonly rules: readonly ListenerRule[];
  /** For requests that no rule matches. */
  readonly defaultActions: readonly Action[];
  /** The Ingress with the default backend; undefined if no member has one. */
  readonly defaultIngress: Ingress | undefined;
}

export interface ListenerRule {
  /** 1, 2, 3, … */
  readonly priority: number;
  readonly ingress: Ingress;
  /** The path of the Ingress that made the rule. */
  readonly path: Path;
  /** All must match. */
  readonly conditions: readonly Condition[];
  readonly actions: readonly Action[];
  readonly transforms: readonly Transform[];
}

/** One of the values must match: plain text with wildcards, or regular expressions. */
export type Condition = TextCondition | HeaderCondition | QueryCondition;

export interface TextCondition {
  readonly field: 'host-header' | 'path-pattern' | 'http-request-method' | 'source-ip';
  readonly values?: readonly string[];
  readonly regexValues?: readonly string[];
}

export interface HeaderCondition {
  readonly field: 'http-header';
  readonly httpHeaderName: string;
  readonly values?: readonly string[];
  readonly regexValues?: readonly string[];
}

export interface QueryCondition {
  readonly field: 'query-string';
  readonly values: readonly QueryPair[];
}

export interface QueryPair {
  /** Undefined matches the value of any parameter. */
  readonly key?: string;
  readonly value: string;
}

export type Action = ForwardAction | FixedResponseAction | RedirectAction;

export interface ForwardAction {
  readonly type: 'forward';
  readonly targetGroups: readonly WeightedTargetGroup[];
  readonly stickiness?: { readonly enabled?: boolean; readonly durationSeconds?: number };
}

/** A port of a Service, or an existing target group of AWS. */
export type TargetGroup =
  | { readonly namespace: string; readonly service: string; readonly port: number | string }
  | { readonly targetGroupARN: string }
  | { readonly targetGroupName: string };

export type WeightedTargetGroup = TargetGroup & {
  /** Undefined if the annotation has none, which is valid for a single target group only. */
  readonly weight?: number;
};

export interface FixedResponseAction {
  readonly type: 'fixed-response';
  readonly fixedResponse: {
    readonly statusCode: string;
    readonly contentType?: string;
    readonly messageBody?: string;
  };
}

export interface RedirectAction {
  readonly type: 'redirect';
  readonly redirect: {
    readonly host?: string;
    readonly path?: string;
    readonly port?: string;
    readonly protocol?: string;
    readonly query?: string;
    readonly statusCode: string;
  };
}

export interface Transform {
  readonly type: 'host-header-rewrite' | 'url-rewrite';
  readonly rewrites: readonly { readonly regex: string; readonly replace: string }[];
}
