/** Checks of a whole stack, of all systems at once: the entry point of every shell. */

export type { RehearsalOptions, StackCheckOptions } from '../settings/check-options';
export { acceptRehearsals, acceptShard } from './accepted-rehearsals';
export { wholeCatalogue } from './catalogue';
export {
  checkObjects,
  checkStack,
  concludeCheck,
  rehearseOptions,
  type StackResult,
} from './check-stack';
export { differencesOf, type NamedStack } from './differences';
export { checkEnvironments, isAboutEnvironments, isInNamespace } from './environments';
export { ruleGroups } from './rule-groups';
export { findingsOfAll, type NamedFindings } from './several';
export { concludeShard, type ShardResult } from './shard-result';
export { type CutOptions, type Shard, WorldCut, type WorldPart } from './shards';
