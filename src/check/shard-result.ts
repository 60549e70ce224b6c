import { type Finding, identityOf } from '../core/finding';
import type { SuppressionResult } from '../core/suppression';
import type { World } from '../core/world';
import type { StackCheckOptions } from '../settings/check-options';
import { withCauses } from './causes';
import { joined } from './check-stack';
import type { Shard, WorldCut } from './shards';

/** The findings that one shard reports. All shards together report the findings of a check without shards. */
export interface ShardResult extends SuppressionResult {
  /** Findings that count only if every shard has them: a suppression that matches nothing in any shard. */
  readonly ifAll: readonly Finding[];
}

/** The work of one shard. */
export interface ShardWork {
  readonly world: World;
  readonly cut: WorldCut;
  readonly shard: Shard;
  /** The findings of all objects. */
  readonly checked: readonly Finding[];
  /** The findings of the rehearsals of this shard. */
  readonly rehearsed: readonly Finding[];
}

/**
 * The end of a check of one shard. A shard reports the findings of its own rehearsals and of the objects that it holds; the
 * first shard reports those of objects that all shards hold.
 */
export function concludeShard(work: ShardWork, options: StackCheckOptions = {}): ShardResult {
  const { world, cut, shard, checked, rehearsed } = work;
  const { findings, suppressed } = joined(world, checked, rehearsed, options);
  const played = new Set(rehearsed);
  const isOwn = (finding: Finding) => played.has(finding) || (cut.partOf(finding.object) ?? 0) === shard.index - 1;
  const undecided = new Set(shard.total === 1 ? [] : undecidedOf(work, findings, options));
  return {
    findings: withCauses(
      findings.filter((finding) => isOwn(finding) && !undecided.has(finding)),
      world,
      findings,
    ),
    suppressed: suppressed.filter(({ finding }) => isOwn(finding)),
    ifAll: [...undecided],
  };
}

/** Suppressions that match nothing here, but may match a rehearsal of another shard. */
function undecidedOf(
  { world, cut, checked, rehearsed }: ShardWork,
  findings: readonly Finding[],
  options: StackCheckOptions,
): Finding[] {
  const everywhere = findings.filter(
    ({ rule, object }) => rule === 'suppression-unused' && cut.partOf(object) === undefined,
  );
  if (everywhere.length === 0) return [];
  const certain = joined(world, checked, rehearsed, { ...options, rehearsal: false });
  const keys = new Set(certain.findings.map(identityOf));
  return everywhere.filter((finding) => !keys.has(identityOf(finding)));
}
