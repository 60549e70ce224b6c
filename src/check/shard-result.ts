import { type Finding, identityOf } from '../core/finding';
import type { SuppressionResult } from '../core/suppression';
import type { World } from '../core/world';
import type { StackCheckOptions } from '../settings/check-options';
import { concludeCheck } from './check-stack';
import type { Shard, WorldCut } from './shards';

/** What one shard tells. All shards together tell what a check without shards does. */
export interface ShardResult extends SuppressionResult {
  /** What is true only if every shard says so: that a suppression fits nothing that any of them plays. */
  readonly ifAll: readonly Finding[];
}

/** Which half of a check a shard has done, and with what it was cut. */
export interface ShardWork {
  readonly world: World;
  readonly cut: WorldCut;
  readonly shard: Shard;
  /** What was found in all objects. */
  readonly checked: readonly Finding[];
  /** What was found when the part of this shard was played. */
  readonly rehearsed: readonly Finding[];
}

/**
 * The end of a check of one shard. What is found by playing is told by the shard that plays; all else by the shard that
 * holds the object, and by the first one where every shard does.
 */
export function concludeShard(work: ShardWork, options: StackCheckOptions = {}): ShardResult {
  const { world, cut, shard, checked, rehearsed } = work;
  const { findings, suppressed } = concludeCheck(world, checked, rehearsed, options);
  const played = new Set(rehearsed);
  const isOwn = (finding: Finding) => played.has(finding) || (cut.partOf(finding.object) ?? 0) === shard.index - 1;
  const undecided = new Set(shard.total === 1 ? [] : undecidedOf(work, findings, options));
  return {
    findings: findings.filter((finding) => isOwn(finding) && !undecided.has(finding)),
    suppressed: suppressed.filter(({ finding }) => isOwn(finding)),
    ifAll: [...undecided],
  };
}

/** Suppressions that fit nothing here, of rules on rehearsals and on objects that others rehearse with too. */
function undecidedOf(
  { world, cut, checked, rehearsed }: ShardWork,
  findings: readonly Finding[],
  options: StackCheckOptions,
): Finding[] {
  const everywhere = findings.filter(
    ({ rule, object }) => rule === 'suppression-unused' && cut.partOf(object) === undefined,
  );
  if (everywhere.length === 0) return [];
  const certain = concludeCheck(world, checked, rehearsed, { ...options, rehearsal: false });
  const keys = new Set(certain.findings.map(identityOf));
  return everywhere.filter((finding) => !keys.has(identityOf(finding)));
}
