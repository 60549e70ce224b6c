import { type Rule, RuleCatalogue } from '../core/rule';
import { ruleGroups } from './rule-groups';

let catalogue: RuleCatalogue | undefined;

/** Every rule of this library, whichever system it is about. */
export function wholeCatalogue(): RuleCatalogue {
  catalogue ??= RuleCatalogue.of(
    ...ruleGroups.map(({ rules }) => Object.fromEntries(rules.map((rule): [string, Rule] => [rule.id, rule]))),
  );
  return catalogue;
}
