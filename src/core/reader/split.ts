import { endOfString } from './plain-json';

/** The text of one document and its position in the file. */
export interface DocumentText {
  readonly text: string;
  /** Counted from 1. */
  readonly line: number;
  /** The column of the first character, counted from 1. Only JSON documents can start within a line. */
  readonly column: number;
}

/**
 * Splits a stream into documents at the lines that start with `---`, as kubectl does before it parses. So a mistake in
 * one document does not affect the others. A document keeps its `---` line. JSON objects without a separator are
 * documents too.
 */
export function* splitDocuments(text: string): Generator<DocumentText> {
  let line = 1;
  for (const part of splitAtSeparators(text)) {
    for (const document of splitJsonObjects(part)) {
      yield { text: document.text, line: line + document.linesBefore, column: document.column };
    }
    line += countLineFeeds(part, part.length);
  }
}

function* splitAtSeparators(text: string): Generator<string> {
  let start = 0;
  let from = isSeparator(text, 0) ? 1 : 0;
  for (;;) {
    const lineFeed = text.indexOf('\n', from);
    if (lineFeed < 0) break;
    from = lineFeed + 1;
    // Directives (`%YAML 1.2`) belong to the document whose `---` ends them.
    if (isSeparator(text, from) && !isOnlyDirectives(text.slice(start, from))) {
      yield text.slice(start, from);
      start = from;
    }
  }
  yield text.slice(start);
}

/** `---` at the start of a line, after a byte order mark if files were joined. */
function isSeparator(text: string, at: number): boolean {
  const marks = text.startsWith('\ufeff', at) ? at + 1 : at;
  return text.startsWith('---', marks) && /^[\s]?$/.test(text.charAt(marks + 3));
}

function isOnlyDirectives(text: string): boolean {
  if (!/^\ufeff?\s*[%#]/.test(text)) return false;
  const lines = text.split('\n').map((line) => line.trim());
  return lines.some((line) => line.startsWith('%')) && lines.every((line) => /^([%#]|$)/.test(line));
}

interface JsonPart {
  readonly text: string;
  readonly linesBefore: number;
  readonly column: number;
}

/** The objects of concatenated JSON, or the whole text if it is anything else. */
function splitJsonObjects(text: string): JsonPart[] {
  const whole = [{ text, linesBefore: 0, column: 1 }];
  const starts = jsonObjectStarts(text);
  if (starts.length < 2) return whole;
  const parts: JsonPart[] = [];
  let linesBefore = 0;
  let lineStart = 0;
  let from = 0;
  for (const [index, start] of starts.entries()) {
    const part = text.slice(start, starts[index + 1]);
    // For a scan for brackets, YAML may look like JSON.
    if (!isJson(part)) return whole;
    // Looks only at the text between two objects: going back to the start of a shared line would take quadratic time.
    const between = text.slice(from, start);
    linesBefore += countLineFeeds(between, between.length);
    const lineFeed = between.lastIndexOf('\n');
    if (lineFeed >= 0) lineStart = from + lineFeed + 1;
    parts.push({ text: part, linesBefore, column: start - lineStart + 1 });
    from = start;
  }
  return parts;
}

/** The offsets at which a `{` follows a complete object; empty for other text. */
function jsonObjectStarts(text: string): number[] {
  const first = text.search(/\S/);
  if (text[first] !== '{') return [];
  const starts: number[] = [];
  let depth = 0;
  for (let at = first; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      at = endOfString(text, at);
    } else if (character === '{') {
      if (depth++ === 0) starts.push(at);
    } else if (character === '}' && --depth < 0) {
      return [];
    }
  }
  return starts;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function countLineFeeds(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
