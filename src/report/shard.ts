import type { Finding } from '../core/finding';
import { sha256Hex } from '../core/sha256';
import type { ReportContext } from './reporter';

/** Longer lines come from minified files, and are left out. */
const LONGEST_LINE = 2000;

/** A report with a digest of all that one shard says, so that merging notices a file that was cut off or edited. */
export function sealed<Report extends ShardReport>(report: Report): Report {
  if (report.shard === undefined) return report;
  return { ...report, shard: { ...report.shard, digest: digestOf(report) } };
}

/** The digest of a report without the one that it may have. */
export function digestOf<Report extends ShardReport>({ shard, ...report }: Report): string {
  const { digest: _own, ...rest }: { readonly digest?: unknown } = shard ?? {};
  return sha256Hex(JSON.stringify({ ...report, shard: rest }));
}

interface ShardReport {
  readonly shard?: object;
}

/** The report of one shard with everything that merging needs, including the lines that reports show. */
export function shardPart(findings: readonly Finding[], { shard, sources }: ReportContext) {
  if (shard === undefined) return {};
  return { shard: { ...shard, lines: linesOf([...findings, ...shard.ifAll], sources ?? new Map()) } };
}

/** The lines that findings refer to, by file and number. */
function linesOf(findings: readonly Finding[], sources: ReadonlyMap<string, string>) {
  const places = findings.flatMap(({ source, related }) => [source, related?.source]);
  const files = new Map<string, Record<string, string>>();
  const texts = new Map<string, readonly string[]>();
  for (const place of places) {
    const text = place && sources.get(place.file);
    if (place === undefined || text === undefined) continue;
    const lines = texts.get(place.file) ?? text.split(/\r?\n/);
    texts.set(place.file, lines);
    const line = lines[place.line - 1];
    if (line === undefined || line.length > LONGEST_LINE) continue;
    const known = files.get(place.file) ?? {};
    known[place.line] = line;
    files.set(place.file, known);
  }
  return Object.fromEntries(files);
}
