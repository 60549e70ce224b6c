/** The line of the user's program that makes a construct or a component. */
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, isAbsolute, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Finding, SourceLocation } from '../core/finding';
import { lazy } from '../core/lazy';
import { CODE_FOLDER } from './package';
import { toDisplay } from './paths';

/**
 * The finding at the line that makes its construct or component, unless it has a place already.
 * @param made as `madeAt` gives it
 */
export function atLine(finding: Finding, made: () => SourceLocation | undefined): Finding {
  if (finding.source !== undefined) return finding;
  const place = made();
  if (place === undefined) return finding;
  return { ...finding, source: { ...place, file: toDisplay({ cwd: process.cwd() }, place.file) } };
}

/** Constructs may be made deep within functions of the user. */
const FRAMES = 50;

/** `at new Shop (/app/main.ts:12:5)`, `at file:///app/main.mjs:12:5` */
const FRAME = /^\s*at (?:.* \()?((?:file:\/\/)?[^()]+?):(\d+):(\d+)\)?$/;

/**
 * Remembers the innermost call outside of packages, in the source of the user's language; undefined where there is none. Most
 * constructs have no finding, so the place is looked up only when somebody asks.
 */
export function madeAt(): () => SourceLocation | undefined {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = FRAMES;
  const here = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  return lazy(() => placeIn(here.stack ?? ''));
}

function placeIn(stack: string): SourceLocation | undefined {
  for (const line of stack.split('\n')) {
    const [, place, row, column] = FRAME.exec(line) ?? [];
    if (place === undefined) continue;
    const file = place.startsWith('file:') ? fileURLToPath(place) : place;
    // Files of Node and of the bundle of this package have names without a folder.
    if (!isAbsolute(file)) continue;
    if (file.startsWith(`${CODE_FOLDER}${sep}`) || file.includes(`${sep}node_modules${sep}`)) continue;
    return inSource({ file, line: Number(row), column: Number(column) });
  }
  return undefined;
}

const maps = new Map<string, SourceMap | undefined>();

/** The place in the source that was compiled, as far as there is a source map. */
function inSource(place: SourceLocation): SourceLocation {
  if (!maps.has(place.file)) maps.set(place.file, mapOf(place.file));
  const entry = maps.get(place.file)?.findEntry(place.line - 1, place.column - 1);
  if (entry === undefined || !('originalSource' in entry)) return place;
  const { originalSource, originalLine, originalColumn } = entry;
  return { file: resolve(dirname(place.file), originalSource), line: originalLine + 1, column: originalColumn + 1 };
}

/** The source map of a compiled file. The TypeScript compiler writes it into the file or into one of its own. */
function mapOf(file: string): SourceMap | undefined {
  try {
    const [, url] = /\n\/\/# sourceMappingURL=(\S+)\s*$/.exec(readFileSync(file, 'utf8')) ?? [];
    if (url === undefined) return undefined;
    const inline = /^data:application\/json;(?:charset=[^;]+;)?base64,(.*)$/.exec(url)?.[1];
    const text =
      inline === undefined
        ? readFileSync(resolve(dirname(file), url), 'utf8')
        : Buffer.from(inline, 'base64').toString();
    return new SourceMap(JSON.parse(text));
  } catch {
    return undefined;
  }
}
