import type { Finding } from '../core/finding';
import type { ReportContext } from './reporter';

/** Longer lines come from minified files, and are left out. */
const LONGEST_LINE = 2000;

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
