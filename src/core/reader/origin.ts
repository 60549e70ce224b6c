import type { SourceLocation } from '../finding';
import type { Origin } from '../manifest';
import type { Path } from '../path';
import { parseDocument } from './document';
import type { ReadLimits } from './limits';
import { type Places, placeOf } from './places';
import type { DocumentText } from './split';

/** Converts offsets of a document's text to lines and columns of its file. */
export class TextPlace {
  private lineStarts: readonly number[] | undefined;

  constructor(
    readonly document: DocumentText,
    readonly file: string,
  ) {}

  at(offset: number): SourceLocation {
    this.lineStarts ??= lineStartsOf(this.document.text);
    const line = lastNotAbove(this.lineStarts, offset);
    const column = offset - this.lineStarts[line]! + (line === 0 ? this.document.column : 1);
    return { file: this.file, line: this.document.line + line, column };
  }

  /** The text of the line that an offset is in. */
  lineAt(offset: number): string {
    const { text } = this.document;
    const end = text.indexOf('\n', offset);
    return text.slice(text.lastIndexOf('\n', offset - 1) + 1, end < 0 ? undefined : end);
  }
}

/**
 * The offset of a line of a literal block (`|`). Its lines are in the file unchanged, except for the indentation.
 * Undefined if no literal block begins at the offset.
 */
function lineOfBlock(document: string, offset: number, line: number, text: string): number | undefined {
  if (document[offset] !== '|') return undefined;
  let start = offset;
  for (let left = line; left > 0; left--) {
    start = document.indexOf('\n', start) + 1;
    if (start === 0) return undefined;
  }
  const end = document.indexOf('\n', start);
  const found = document.slice(start, end < 0 ? undefined : end).replace(/\r$/, '');
  const wanted = text.split('\n')[line - 1]?.replace(/\r$/, '');
  return wanted !== undefined && found.endsWith(wanted) ? start + found.length - wanted.trimStart().length : undefined;
}

function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function lastNotAbove(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (sorted[middle]! <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * Finds the values of a document in its text. Most documents are never asked for a place. So it reads the text again at
 * the first question, instead of storing the place of every value of every file.
 */
export class DocumentOrigin implements Origin {
  private offsets: ((path: Path) => number) | undefined;

  constructor(
    readonly place: TextPlace,
    /** The index of the value, if `...` lines divide the document into several. */
    readonly position: number,
    readonly limits: ReadLimits,
  ) {}

  locate(path: Path): SourceLocation {
    return this.place.at(this.offsetOf(path));
  }

  locateLine(path: Path, line: number, text: string): SourceLocation | undefined {
    const start = lineOfBlock(this.place.document.text, this.offsetOf(path), line, text);
    return start === undefined ? undefined : this.place.at(start);
  }

  /** The origin of an object within the document, such as an item of a List. */
  under(path: Path): Origin {
    return path.length === 0 ? this : new InnerOrigin(this, path);
  }

  private offsetOf(path: Path): number {
    this.offsets ??= this.read();
    return this.offsets(path);
  }

  private read(): (path: Path) => number {
    const places: Places = new Map();
    const { values } = parseDocument(this.place.document.text, this.limits, places);
    // Text that JSON allows and the YAML parser does not has no places, but still a file and a line.
    const { value, offset } = values[this.position] ?? { value: null, offset: 0 };
    return (path) => placeOf(value, offset, path, places);
  }
}

/** The origin of an object within a document. */
export class InnerOrigin implements Origin {
  constructor(
    readonly document: DocumentOrigin,
    readonly path: Path,
  ) {}

  locate(path: Path): SourceLocation {
    return this.document.locate([...this.path, ...path]);
  }

  locateLine(path: Path, line: number, text: string): SourceLocation | undefined {
    return this.document.locateLine([...this.path, ...path], line, text);
  }
}
