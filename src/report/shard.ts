import type { Finding } from '../core/finding';
import type { ReportContext } from './reporter';

/** Lines longer than this are those of minified files, and not worth being carried along. */
const LONGEST_LINE = 2000;

/** What the report of one shard holds for whoever puts all of them together, the lines that reports show included. */
export function shardPart(findings: readonly Finding[], { shard, sources }: ReportContext) {
  if (shard === undefined) return {};
  return { shard: { ...shard, lines: linesOf([...findings, ...shard.ifAll], sources ?? new Map()) } };
}

/** By file and number the lines that findings point to. */
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
