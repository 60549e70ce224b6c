import type { Json } from '../../json';
import { EvaluationError, evaluate, isKnown } from './evaluate';
import { type Expression, parseExpression } from './parse';

export { EvaluationError } from './evaluate';

/** Whether a value keeps a validation rule. Throws an EvaluationError where the rule has no answer for it. */
export type RulePredicate = (self: Json, oldSelf: Json | undefined) => boolean;

const predicates = new Map<string, RulePredicate | undefined>();

/** The predicate of a rule in the Common Expression Language; undefined for a rule that cannot be read here. */
export function predicateOf(rule: string): RulePredicate | undefined {
  if (!predicates.has(rule)) predicates.set(rule, compiled(rule));
  return predicates.get(rule);
}

function compiled(rule: string): RulePredicate | undefined {
  const expression = read(rule);
  if (expression === undefined || !isKnown(expression)) return undefined;
  return (self, oldSelf) => {
    const answer = evaluate(expression, oldSelf === undefined ? { self } : { self, oldSelf });
    if (typeof answer !== 'boolean') throw new EvaluationError('no such overload');
    return answer;
  };
}

function read(rule: string): Expression | undefined {
  try {
    return parseExpression(rule);
  } catch {
    return undefined;
  }
}
