import type { Finding } from '../core/finding';
import type { Rehearsal } from '../core/rehearsal-result';
import { applySuppressions, type SuppressionResult } from '../core/suppression';
import type { World } from '../core/world';
import { findingsOf, rehearsalRules } from '../rehearsal';
import { wholeCatalogue } from './catalogue';

/** The rehearsals with only those of their findings that are left. */
export function acceptedRehearsals(rehearsals: readonly Rehearsal[], left: readonly Finding[]): Rehearsal[] {
  const kept = new Set(left);
  return rehearsals.map((one) => ({ ...one, findings: one.findings.filter((finding) => kept.has(finding)) }));
}

/** Rehearsals without the findings that the stack accepts, and what is left of all: for who asks for nothing else. */
export function acceptRehearsals(
  rehearsals: readonly Rehearsal[],
  world: World,
): SuppressionResult & { readonly rehearsals: readonly Rehearsal[] } {
  const checked = Object.values(rehearsalRules);
  const result = applySuppressions(findingsOf(rehearsals), { world, catalogue: wholeCatalogue(), checked });
  return { rehearsals: acceptedRehearsals(rehearsals, result.findings), ...result };
}
