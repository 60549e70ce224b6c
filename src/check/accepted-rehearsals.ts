import type { Finding } from '../core/finding';
import type { Rehearsal } from '../core/rehearsal-result';
import { applySuppressions, type SuppressionResult, type Trust } from '../core/suppression';
import type { World } from '../core/world';
import { findingsOf, rehearsalRules } from '../rehearsal';
import { wholeCatalogue } from './catalogue';
import type { Shard, WorldCut } from './shards';

/** The rehearsals with only those of their findings that are left. */
export function acceptedRehearsals(rehearsals: readonly Rehearsal[], left: readonly Finding[]): Rehearsal[] {
  const kept = new Set(left);
  return rehearsals.map((one) => ({ ...one, findings: one.findings.filter((finding) => kept.has(finding)) }));
}

/** Rehearsals without the findings that the stack accepts, for callers that check nothing else. */
export function acceptRehearsals(
  rehearsals: readonly Rehearsal[],
  world: World,
  trusts: Trust = () => true,
): SuppressionResult & { readonly rehearsals: readonly Rehearsal[] } {
  const checked = Object.values(rehearsalRules);
  const result = applySuppressions(findingsOf(rehearsals), { world, catalogue: wholeCatalogue(), checked, trusts });
  return { rehearsals: acceptedRehearsals(rehearsals, result.findings), ...result };
}

/** The shard that was rehearsed, and the World that it is a part of. */
export interface RehearsedShard {
  readonly world: World;
  readonly cut: WorldCut;
  readonly shard: Shard;
}

/** The same for the rehearsals of one shard. The shard that holds an object reports the suppressions on it. */
export function acceptShard(rehearsals: readonly Rehearsal[], { world, cut, shard }: RehearsedShard, trusts?: Trust) {
  const all = acceptRehearsals(rehearsals, world, trusts);
  const played = new Set(findingsOf(rehearsals));
  const others = all.findings.filter((finding) => !played.has(finding));
  // Other shards may rehearse an object that belongs to no part, and match its suppressions.
  const isOpen = ({ rule, object }: Finding) => rule === 'suppression-unused' && cut.partOf(object) === undefined;
  const own = others.filter((one) => !isOpen(one) && (cut.partOf(one.object) ?? 0) === shard.index - 1);
  const reported = new Set([...own, ...played]);
  return { ...all, findings: all.findings.filter((one) => reported.has(one)), ifAll: others.filter(isOpen) };
}
