/** A page of a terminal that is redrawn in place: only lines that differ are written, all at once. */
import type { Io } from '../io';

/** The size of a terminal that does not tell it. */
const USUAL = { width: 80, height: 24 };

/** Its columns and rows; of what is no terminal, those of the variables COLUMNS and LINES. */
export function sizeOf({ stdout, env }: Pick<Io, 'stdout' | 'env'>): {
  readonly width: number;
  readonly height: number;
} {
  const { columns, rows } = stdout as Partial<{ columns: number; rows: number }>;
  const [width, height] = [columns || Number(env.COLUMNS), rows || Number(env.LINES)];
  return { width: width || USUAL.width, height: height || USUAL.height };
}

/** Terminals that know it draw everything between these two at once; others ignore them. */
const [BEGIN, END] = ['\u001b[?2026h', '\u001b[?2026l'];
const [CLEAR_LINE, CLEAR_BELOW, CLEAR_ALL] = ['\u001b[K', '\u001b[J', '\u001b[2J\u001b[3J\u001b[H'];

/** What is on the terminal. */
export class Page {
  private shown: readonly string[] = [];
  private isResized = false;

  /** The next drawing begins anew: after a change of its size, a terminal has broken the lines elsewhere. */
  resized(): void {
    this.isResized = true;
  }

  /** What to write so that the terminal shows these lines; empty if it already does. */
  draw(lines: readonly string[]): string {
    const { shown, isResized } = this;
    const isSame = !isResized && lines.length === shown.length && lines.every((line, index) => line === shown[index]);
    if (isSame) return '';
    this.shown = lines;
    this.isResized = false;
    const known = isResized ? [] : shown;
    const start = isResized ? CLEAR_ALL : known.length === 0 ? '' : `\r\u001b[${known.length}A`;
    const text = lines.map((line, index) => (line === known[index] ? '\n' : `${line}${CLEAR_LINE}\n`));
    return `${BEGIN}${start}${text.join('')}${CLEAR_BELOW}${END}`;
  }
}
