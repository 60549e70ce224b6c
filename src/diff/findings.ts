/** Compares the findings of two states. */
import { type Finding, fingerprintOf } from '../core/finding';
import { groupedBy } from '../core/grouped';
import type { FindingsDiff } from '../core/stack-diff';
import type { SuppressedFinding, SuppressionResult } from '../core/suppression';

/**
 * The findings of both states, matched by rule, object and field. Lines move, and messages quote values, so neither counts;
 * of several findings with one key, as many are new as there are more.
 */
export function compareFindings(base: SuppressionResult, head: SuppressionResult): FindingsDiff {
  const added = without(head.findings, base.findings, (finding) => finding);
  const fixed = without(base.findings, [...head.findings, ...found(head.suppressed)], (finding) => finding);
  const accepted = without(head.suppressed, found(base.suppressed), ({ finding }) => finding);
  return { added, fixed, unchanged: head.findings.length - added.length, accepted };
}

function found(suppressed: readonly SuppressedFinding[]): Finding[] {
  return suppressed.map(({ finding }) => finding);
}

/** What is left of a list when each finding of another list takes one with its key away; those with its message first. */
function without<Item>(items: readonly Item[], others: readonly Finding[], findingOf: (item: Item) => Finding): Item[] {
  const exact = matched(items, others, (finding) => JSON.stringify(fingerprintOf(finding)), findingOf);
  return matched(exact.items, exact.others, keyOf, findingOf).items;
}

function matched<Item>(
  items: readonly Item[],
  others: readonly Finding[],
  key: (finding: Finding) => string,
  findingOf: (item: Item) => Finding,
): { readonly items: Item[]; readonly others: Finding[] } {
  const left = groupedBy(others, key);
  const kept = items.filter((item) => left.get(key(findingOf(item)))?.shift() === undefined);
  return { items: kept, others: [...left.values()].flat() };
}

function keyOf(finding: Finding): string {
  const { rule, object, path } = fingerprintOf(finding);
  return `${rule}\n${object}\n${path}`;
}
