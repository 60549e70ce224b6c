/** Lines of a terminal: painted, and never wider than the terminal. */
import { escapeTerminalLine } from '../escape';

/** A piece of text in one colour. */
export interface Span {
  readonly text: string;
  /** The ANSI code of its colour or weight. */
  readonly code?: number;
}

/** A line. */
export type Line = readonly Span[];

/** Text of the cluster as a span; nothing in it moves a cursor. */
export function span(text: string, code?: number): Span {
  return { text: escapeTerminalLine(text), ...(code === undefined ? {} : { code }) };
}

const RESETS: Readonly<Record<number, number>> = { 1: 22, 2: 22 };

/** The line as text, cut to a width. */
export function painted(line: Line, width: number, color: boolean, ellipsis: string): string {
  let left = width;
  const parts: string[] = [];
  for (const { text, code } of line) {
    if (left <= 0) break;
    const fits = widthOf(text) <= left;
    const end = cutTo(ellipsis, left);
    const shown = fits ? text : `${cutTo(text, left - widthOf(end))}${end}`;
    left -= fits ? widthOf(text) : left;
    parts.push(
      color && code !== undefined && shown !== '' ? `\u001b[${code}m${shown}\u001b[${RESETS[code] ?? 39}m` : shown,
    );
  }
  return parts.join('').trimEnd();
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const NO_WIDTH = /[\p{Mn}\p{Me}]/u;

/** The number of columns of a text. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += columnsOf(character);
  return width;
}

function columnsOf(character: string): number {
  if (character < '\u0300') return 1;
  return WIDE.test(character) ? 2 : NO_WIDTH.test(character) ? 0 : 1;
}

function cutTo(text: string, width: number): string {
  let [kept, left] = ['', width];
  for (const character of text) {
    left -= columnsOf(character);
    if (left < 0) break;
    kept += character;
  }
  return kept;
}

/** A text on several lines, broken between words. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
