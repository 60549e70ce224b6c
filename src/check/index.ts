/** Everything that is known of a stack, of all systems at once: the one door for every shell. */

export { acceptRehearsals } from './accepted-rehearsals';
export { wholeCatalogue } from './catalogue';
export { checkStack, type RehearsalOptions, type StackCheckOptions, type StackResult } from './check-stack';
export { ruleGroups } from './rule-groups';
