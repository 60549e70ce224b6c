import { type Rule, RuleCatalogue } from '../core';
import { kruiseCatalogue } from '../kruise/scripts/catalogue';
import { rehearsalRules } from './rules';

let catalogue: RuleCatalogue | undefined;

/** All rules that a stack may accept findings of: those of the checks, and the verdicts of rehearsals. */
export function rehearsalCatalogue(): RuleCatalogue {
  if (catalogue === undefined) {
    const known = Object.fromEntries([...kruiseCatalogue()].map((rule): [string, Rule] => [rule.id, rule]));
    catalogue = RuleCatalogue.of(known, rehearsalRules);
  }
  return catalogue;
}
