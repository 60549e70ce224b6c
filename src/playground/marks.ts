/** The underlined places of a text that is being edited. */
import type { Severity } from '../core/finding';
import type { ListedFinding } from './answer';

/** A part of one line that findings are about. Lines and columns count from 0. */
export interface Mark {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly severity: Severity;
}

/** The worst first. */
const SEVERITIES: readonly Severity[] = ['error', 'warning', 'note'];

/** More marks than that help nobody, and slow the page down. */
const MOST_MARKS = 500;

/** One mark for each place, as severe as the worst of its findings. */
export function marksOf(findings: readonly ListedFinding[], text: string): Mark[] {
  const lines = text.split('\n');
  const places = new Map<string, Mark>();
  for (const { line, column, severity } of findings) {
    const content = line === undefined ? undefined : lines[line - 1];
    if (content === undefined) continue;
    const mark = { line: line! - 1, ...rangeAt(content, column ?? 1), severity };
    const key = `${mark.line}:${mark.start}`;
    const known = places.get(key);
    if (known === undefined || SEVERITIES.indexOf(severity) < SEVERITIES.indexOf(known.severity)) places.set(key, mark);
  }
  return [...places.values()].sort((a, b) => a.line - b.line || a.start - b.start).slice(0, MOST_MARKS);
}

/** From the column to the end of what is written there, without a comment after it. */
function rangeAt(content: string, column: number): { readonly start: number; readonly end: number } {
  const start = Math.min(column - 1, Math.max(0, content.trimEnd().length - 1));
  const rest = content
    .slice(start)
    .replace(/\s+#.*$/, '')
    .trimEnd();
  return { start, end: start + Math.max(1, rest.length) };
}

/** The marks after an edit, until the text is checked again: those of changed lines go, those below move along. */
export function movedMarks(marks: readonly Mark[], before: string, after: string): Mark[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const shorter = Math.min(old.length, now.length);
  let first = 0;
  while (first < shorter && old[first] === now[first]) first++;
  let last = 0;
  while (last < shorter - first && old[old.length - 1 - last] === now[now.length - 1 - last]) last++;
  const moved = now.length - old.length;
  return marks.flatMap((mark) => {
    if (mark.line < first) return [mark];
    return mark.line >= old.length - last ? [{ ...mark, line: mark.line + moved }] : [];
  });
}
