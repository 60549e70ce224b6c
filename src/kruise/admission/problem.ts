import type { Json } from '../../core/json';
import type { Path } from '../../core/path';
import type { AdmissionRuleId } from './rules';

/** Something that the webhook refuses. */
export interface AdmissionProblem {
  readonly rule: AdmissionRuleId;
  /** The field as the webhook spells it, `Spec.Strategy.Canary.Steps[0].Replicas`. */
  readonly field: string;
  readonly type: 'FieldValueForbidden' | 'FieldValueInvalid';
  /** The webhook's own message. */
  readonly message: string;
  /** Where the problem is in the manifest. */
  readonly path: Path;
  /** What is wrong, in our words, after the place. */
  readonly text: string;
  /** @default - the rule's own */
  readonly fix?: string;
  /** The step, from 0. */
  readonly step?: number;
  /** False for what the webhook does not get to, as it stops at an earlier problem of the same group. */
  readonly reported: boolean;
}

/** A problem before it is known whether the webhook gets to it. */
export type Problem = Omit<AdmissionProblem, 'reported' | 'type'> & Partial<Pick<AdmissionProblem, 'type'>>;

/** Problems of a group of which the webhook reports every one. */
export function allReported(problems: readonly Problem[]): AdmissionProblem[] {
  return problems.map((problem) => ({ type: 'FieldValueInvalid', ...problem, reported: true }));
}

/** Problems of a group of which the webhook reports the first one only. */
export function firstReported(problems: readonly Problem[]): AdmissionProblem[] {
  return problems.map((problem, index) => ({ type: 'FieldValueInvalid', ...problem, reported: index === 0 }));
}

/** A value for a message. */
export function shown(value: Json | undefined): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
