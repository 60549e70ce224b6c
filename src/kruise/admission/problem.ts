import type { Json } from '../../core/json';
import type { Path } from '../../core/path';
import type { AdmissionRuleId } from './rules';

/** A reason for the webhook to refuse a Rollout. */
export interface AdmissionProblem {
  readonly rule: AdmissionRuleId;
  /** The field in the webhook's spelling: `Spec.Strategy.Canary.Steps[0].Replicas`. */
  readonly field: string;
  readonly type: 'FieldValueForbidden' | 'FieldValueInvalid';
  /** The webhook's own message. */
  readonly message: string;
  /** The path in the manifest. */
  readonly path: Path;
  /** Our own message, which follows the path. */
  readonly text: string;
  /** @default - the rule's own */
  readonly fix?: string;
  /** The step, counted from 0. */
  readonly step?: number;
  /** Whether the webhook reports the problem. It stops at the first problem of some groups. */
  readonly reported: boolean;
}

/** A problem before it is known whether the webhook reports it. */
export type Problem = Omit<AdmissionProblem, 'reported' | 'type'> & Partial<Pick<AdmissionProblem, 'type'>>;

/** Marks a group of problems that the webhook reports completely. */
export function allReported(problems: readonly Problem[]): AdmissionProblem[] {
  return problems.map((problem) => ({ type: 'FieldValueInvalid', ...problem, reported: true }));
}

/** Marks a group of problems. The webhook reports only the first problem of a group. */
export function firstReported(problems: readonly Problem[]): AdmissionProblem[] {
  return problems.map((problem, index) => ({ type: 'FieldValueInvalid', ...problem, reported: index === 0 }));
}

/** Formats a value for a message. */
export function shown(value: Json | undefined): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
