/** Everything that is known of a stack, of all systems at once: the one door for every shell. */

export { acceptRehearsals, acceptShard } from './accepted-rehearsals';
export { wholeCatalogue } from './catalogue';
export {
  checkObjects,
  checkStack,
  concludeCheck,
  type RehearsalOptions,
  rehearseOptions,
  type StackCheckOptions,
  type StackResult,
} from './check-stack';
export { ruleGroups } from './rule-groups';
export { concludeShard, type ShardResult } from './shard-result';
export { type CutOptions, type Shard, WorldCut, type WorldPart } from './shards';
