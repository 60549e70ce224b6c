import type { RehearsedShares } from '../../../core/rehearsal-result';
import { width } from '../../source-line';

/** The height of a line of text in a box. */
export const LINE = 17;
/** The space between the edge of a box and its text. */
export const PADDING = 6;
/** The space between two boxes of a column. */
const GAP = 14;

/** A line of text in a box, with a bar at its right end if it has shares. */
export interface Line {
  readonly text: string;
  readonly kind?: 'strong' | 'quiet' | 'bad';
  readonly shares?: RehearsedShares;
}

/** A box with text. It gets a position when its column is arranged. */
export interface Box {
  readonly kind: string;
  readonly x: number;
  readonly width: number;
  readonly lines: readonly Line[];
  y?: number;
  height?: number;
}

function heightOf({ lines }: Box): number {
  return 2 * PADDING + LINE * lines.length;
}

/** The height of a column of boxes. */
export function columnHeight(boxes: readonly Box[]): number {
  return boxes.reduce((sum, box) => sum + heightOf(box) + GAP, -GAP);
}

/** Positions the boxes of a column, centred in the height. */
export function arrange(boxes: readonly Box[], top: number, height: number): void {
  let y = top + Math.floor((height - columnHeight(boxes)) / 2);
  for (const box of boxes) {
    box.height = heightOf(box);
    box.y = y;
    y += box.height + GAP;
  }
}

/** Breaks text into lines with a maximum length, at spaces if possible. An ellipsis replaces text beyond the last line. */
export function wrap(text: string, columns: number, most: number): string[] {
  if (most === 1) return [oneLine(text, columns)];
  const lines: string[] = [];
  let line = '';
  for (const word of text
    .slice(0, columns * most)
    .split(/\s+/)
    .flatMap((each) => pieces(each, columns))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (width(longer) <= columns) {
      line = longer;
      continue;
    }
    lines.push(line);
    line = word;
  }
  lines.push(line);
  if (lines.length <= most && text.length <= columns * most) return lines;
  return [...lines.slice(0, most - 1), `${cut(lines[most - 1] ?? '', columns - 1)}…`];
}

/** Text on one line. An ellipsis replaces text beyond the maximum length. */
export function oneLine(text: string, columns: number): string {
  const line = text.slice(0, 2 * columns).replace(/\s+/g, ' ');
  return width(line) <= columns && text.length <= 2 * columns ? line : `${cut(line, columns - 1)}…`;
}

/** Splits a word that is longer than a line. */
function pieces(word: string, columns: number): string[] {
  const parts: string[] = [];
  let part = '';
  for (const character of word) {
    if (width(part + character) > columns) {
      parts.push(part);
      part = '';
    }
    part += character;
  }
  return [...parts, part];
}

function cut(text: string, columns: number): string {
  let short = '';
  for (const character of text) {
    if (width(short + character) > columns) break;
    short += character;
  }
  return short;
}
