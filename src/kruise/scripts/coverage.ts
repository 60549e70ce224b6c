import type { ScriptCoverage, UncoveredLines } from '../../core/test-result';
import { executableLines, executedLines, LuaSyntaxError, parseLua } from '../../lua/syntax';

/** Collects the lines that the runs of one script execute. */
export class CoverageRecorder {
  private readonly reached = new Set<number>();

  /** Pass this as `LuaRunOptions.onLine`. */
  readonly onLine = (line: number): void => {
    this.reached.add(line);
  };

  /** The coverage of the runs so far; undefined if the script does not parse. */
  coverage(source: string): ScriptCoverage | undefined {
    return coverageOf(source, this.reached);
  }
}

/**
 * Line coverage of a script. A statement of several lines counts once, at its first line.
 * @param reached the lines that the VM reported
 */
export function coverageOf(source: string, reached: ReadonlySet<number>): ScriptCoverage | undefined {
  const chunk = chunkOf(source);
  if (chunk === undefined) return undefined;
  const executable = executableLines(chunk);
  const executed = new Set(executedLines(chunk, reached));
  return {
    lines: executable.length,
    covered: executed.size,
    uncovered: uncoveredRuns(source.split(/\r?\n/), executable, executed),
  };
}

/** Ranges of lines that were not executed. A range includes the comments between two such lines. */
function uncoveredRuns(text: readonly string[], executable: readonly number[], executed: ReadonlySet<number>) {
  const runs: UncoveredLines[] = [];
  let open: { first: number; last: number } | undefined;
  for (const line of [...executable, Number.POSITIVE_INFINITY]) {
    if (line !== Number.POSITIVE_INFINITY && !executed.has(line)) {
      open = { first: open?.first ?? line, last: line };
    } else if (open !== undefined) {
      runs.push({ ...open, text: text.slice(open.first - 1, open.last) });
      open = undefined;
    }
  }
  return runs;
}

function chunkOf(source: string) {
  try {
    return parseLua(source).chunk;
  } catch (error) {
    if (error instanceof LuaSyntaxError) return undefined;
    throw error;
  }
}
