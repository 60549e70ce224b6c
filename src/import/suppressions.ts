/** Findings that the objects of the input have already. The program accepts them, each with the reason. */
import type { Finding, ObjectRef } from '../core/finding';
import { type Code, value } from './code';
import type { ImportPlan } from './plan';
import type { Statement } from './statement';

const REASON = 'imported as it was';

/** A suppression of one rule for one object. */
export interface StackSuppression {
  readonly rule: string;
  readonly reason: string;
  readonly object?: ObjectRef;
}

/** Accepts errors about objects of the stack, once for each rule and object. */
export function suppressionsFor(errors: readonly Finding[]): StackSuppression[] {
  const byText = new Map<string, StackSuppression>();
  for (const { rule, object: ref } of errors) {
    const suppression = { rule, reason: REASON, ...(ref === undefined ? {} : { object: ref }) };
    byText.set(JSON.stringify(suppression), suppression);
  }
  return [...byText.values()];
}

/** The plan with the errors in routing scripts accepted by the construct that proves them. */
export function withAcceptedScripts(
  plan: ImportPlan,
  errorsOf: (statement: Statement) => readonly Finding[],
): ImportPlan {
  return { ...plan, statements: plan.statements.map((one) => accepting(one, errorsOf(one))) };
}

function accepting(statement: Statement, errors: readonly Finding[]): Statement {
  const rules = [...new Set(errors.map(({ rule }) => rule))];
  if (rules.length === 0 || statement.props.kind !== 'object') return statement;
  const suppressions: Code = value(rules.map((rule) => ({ rule, reason: REASON })));
  const entries = statement.props.entries;
  return { ...statement, props: { kind: 'object', entries: [...entries, ['suppressions', suppressions]] } };
}
