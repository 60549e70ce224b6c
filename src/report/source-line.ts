import { escapeTerminalLine } from './escape';

/** A line of a user's file, with a marker below it. */
export interface ShownLine {
  readonly text: string;
  /** Spaces, then a `^` under each character of the value. */
  readonly marker: string;
}

/** The maximum length of a shown line, because minified JSON can have lines of megabytes. */
const WIDTH = 100;
const TAB = '    ';

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const WIDTHLESS = /\p{Mark}/u;

/** The lines of files. Each file is split once. */
export class SourceLines {
  private readonly files = new Map<string, readonly string[]>();

  constructor(private readonly sources: ReadonlyMap<string, string> = new Map()) {}

  /** The line; undefined if the text is not known. */
  show(file: string, line: number, column: number): ShownLine | undefined {
    const text = this.linesOf(file)?.[line - 1];
    return text === undefined || text.trim() === '' ? undefined : shown(text, column - 1);
  }

  private linesOf(file: string): readonly string[] | undefined {
    const text = this.sources.get(file);
    if (text !== undefined && !this.files.has(file)) this.files.set(file, text.split(/\r?\n/));
    return this.files.get(file);
  }
}

function shown(line: string, at: number): ShownLine {
  const start = at > WIDTH ? at - WIDTH / 4 : 0;
  const end = start + WIDTH;
  const value = /^("(?:[^"\\]|\\.)*"|'[^']*'|[^\s,\]}]+)/.exec(line.slice(at, end))?.[0] ?? '';
  const before = `${start > 0 ? '...' : ''}${plain(line.slice(start, at))}`;
  const after = `${plain(line.slice(at, end))}${line.length > end ? '...' : ''}`;
  return {
    text: (before + after).trimEnd(),
    marker: ' '.repeat(width(before)) + '^'.repeat(Math.max(1, width(plain(value)))),
  };
}

function plain(text: string): string {
  return escapeTerminalLine(text.replaceAll('\t', TAB));
}

/** The number of columns that a text needs in a monospaced font. */
export function width(text: string): number {
  let columns = 0;
  for (const character of text) columns += WIDTHLESS.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return columns;
}
