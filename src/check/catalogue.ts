import { lazy } from '../core/lazy';
import { type Rule, RuleCatalogue } from '../core/rule';
import { ruleGroups } from './rule-groups';

/** Every rule of this library, whichever system it is about. */
export const wholeCatalogue = lazy(() =>
  RuleCatalogue.of(
    ...ruleGroups.map(({ rules }) => Object.fromEntries(rules.map((rule): [string, Rule] => [rule.id, rule]))),
  ),
);
