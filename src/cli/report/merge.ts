import { collectFindings, type Finding, identityOf, inReportOrder, type SuppressedFinding } from '../../core';
import type { Rehearsal } from '../../core/rehearsal-result';
import { UserError } from '../../settings/user-error';
import { inOrderOfWorld } from '../parallel/rehearsal-order';
import type { ReadReport } from './read-report';

/** Several reports as one. */
export interface MergedReport {
  readonly findings: readonly Finding[];
  readonly suppressed: readonly SuppressedFinding[];
  readonly objects?: number;
  readonly checkedFor?: Readonly<Record<string, string>>;
  readonly assumed?: readonly string[];
  readonly rehearsals?: readonly Rehearsal[];
  /** The files, as far as the reports hold their lines; all other lines are empty. */
  readonly sources: ReadonlyMap<string, string>;
}

/** Merges reports: a finding of several is reported once, and no shard may be missing. */
export function mergeReports(reports: readonly ReadReport[]): MergedReport {
  const [first] = reports;
  requireSameKind(reports);
  requireAllShards(reports);
  const objects = reports.map((report) => report.objects);
  const rehearsals = reports.flatMap((report) => report.rehearsals ?? []);
  return {
    findings: collectFindings([...reports.flatMap(({ findings }) => findings), ...agreed(reports)]),
    suppressed: inReportOrder(different(reports.flatMap(({ suppressed }) => suppressed)), ({ finding }) => finding),
    ...(objects.includes(undefined) ? {} : { objects: objects.reduce<number>((sum, count) => sum + count!, 0) }),
    ...(first?.checkedFor === undefined ? {} : { checkedFor: first.checkedFor }),
    ...(first?.assumed === undefined ? {} : { assumed: first.assumed }),
    ...(first?.rehearsals === undefined ? {} : { rehearsals: inOrderOfWorld(different(rehearsals)) }),
    sources: sourcesOf(reports),
  };
}

/** Findings that count only if every shard has them. */
function agreed(reports: readonly ReadReport[]): Finding[] {
  const [first, ...others] = reports.flatMap(({ shard }) => (shard === undefined ? [] : [shard.ifAll]));
  const said = others.map((findings) => new Set(findings.map(identityOf)));
  return (first ?? []).filter((finding) => said.every((texts) => texts.has(identityOf(finding))));
}

function requireSameKind(reports: readonly ReadReport[]): void {
  const [first] = reports;
  for (const report of reports) {
    if ((report.rehearsals === undefined) !== (first!.rehearsals === undefined)) {
      throw new UserError(
        `"${first!.name}" and "${report.name}" are reports of two commands, check and rehearse`,
        'merge the reports of each command for themselves',
      );
    }
    if (JSON.stringify(report.checkedFor) !== JSON.stringify(first!.checkedFor)) {
      throw new UserError(
        `"${first!.name}" and "${report.name}" were checked for different releases`,
        'give all shards the same options',
      );
    }
  }
}

function requireAllShards(reports: readonly ReadReport[]): void {
  const shards = reports.filter(({ shard }) => shard !== undefined);
  if (shards.length === 0) return;
  const [first] = shards;
  const { total } = first!.shard!;
  const byIndex = new Map<number, string>();
  for (const { name, shard } of reports) {
    if (shard?.total !== total) {
      const what = shard === undefined ? 'no shard' : `shard ${shard.index} of ${shard.total}`;
      throw new UserError(`"${first!.name}" is shard ${first!.shard!.index} of ${total}, and "${name}" is ${what}`);
    }
    const twin = byIndex.get(shard.index);
    if (twin !== undefined)
      throw new UserError(`shard ${shard.index}/${total} is given twice: "${twin}" and "${name}"`);
    byIndex.set(shard.index, name);
  }
  const missing = Array.from({ length: total }, (_, index) => index + 1).filter((index) => !byIndex.has(index));
  if (missing.length === 0) return;
  throw new UserError(
    `of ${total} shards ${missing.length === 1 ? 'one is' : `${missing.length} are`} missing: ${missing.map((index) => `${index}/${total}`).join(', ')}`,
    'name the reports of all shards; what a missing one found would be lost',
  );
}

function different<T>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

function sourcesOf(reports: readonly ReadReport[]): Map<string, string> {
  const files = new Map<string, string[]>();
  for (const { shard } of reports) {
    for (const [file, lines] of Object.entries(shard?.lines ?? {})) {
      const known = files.get(file) ?? [];
      for (const [number, line] of Object.entries(lines)) known[Number(number) - 1] = line;
      files.set(file, known);
    }
  }
  // A line that no report holds is a hole, which joins as an empty line.
  return new Map([...files].map(([file, lines]) => [file, lines.join('\n')]));
}
