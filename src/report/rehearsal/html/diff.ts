import { stringify } from 'yaml';
import { counted } from '../../../core/counted';
import { isJsonObject, type Json, type JsonObject, setOwnValue } from '../../../core/json';
import type { RehearsedChange } from '../../../core/rehearsal-result';
import { compareLines, type DiffLine } from '../../../core/text-diff';
import { html, type Markup, type MarkupValue } from './markup';
import { objectName } from './words';

/** The number of context lines around a change. */
const CONTEXT = 3;
/** The maximum number of lines in a report. */
const MAX_LINES = 400;
const MAX_COLUMNS = 1000;
/** JSON up to this length stays on one line. */
const MAX_JSON_LINE = 60;

/** What the controller wrote since the previous moment, as a difference for each object. */
export function changes(written: readonly RehearsedChange[]): Markup {
  if (written.length === 0) return html`<p class="quiet">The controller wrote nothing.</p>`;
  return html`<ul class="changes">${written.map((each) => html`<li>${change(each)}</li>`)}</ul>`;
}

function change({ object, action, before, after }: RehearsedChange): Markup {
  const lines = comparedLines(before, after);
  const [added, removed] = ['+', '-'].map((mark) => lines.filter((line) => line.mark === mark).length) as [
    number,
    number,
  ];
  const size = [...(added > 0 ? [`${added} added`] : []), ...(removed > 0 ? [`${removed} removed`] : [])].join(', ');
  // The content of a deleted object was shown when it was created.
  const open = action !== 'deleted';
  return html`<details${open && html` open`}><summary><span class="action ${action}">${action}</span> <b>${objectName(object)}</b> <span class="quiet">${size === '' ? 'no field differs' : `lines: ${size}`}</span></summary><pre class="diff" tabindex="0" aria-label="${objectName(object)}, ${action}">${diffText(lines)}</pre></details>`;
}

/** The lines of a manifest before and after, with the keys in one order, so that only changes differ. */
export function comparedLines(before: JsonObject | undefined, after: JsonObject | undefined): DiffLine[] {
  return compareLines(linesOf(before), linesOf(after && before ? inOrderOf(before, after) : after));
}

/** A manifest as lines of YAML, with formatted JSON in annotations. */
function linesOf(object: JsonObject | undefined): string[] {
  if (object === undefined) return [];
  const text = stringify(readable(object), { lineWidth: 0, aliasDuplicateObjects: false, blockQuote: 'literal' });
  return text.trimEnd().split('\n');
}

function readable(value: Json): Json {
  if (typeof value === 'string') return laidOut(value);
  if (Array.isArray(value)) return value.map(readable);
  return isJsonObject(value) ? mapValues(value, readable) : value;
}

function laidOut(text: string): string {
  const value = parsed(text);
  return value === undefined ? text : `${JSON.stringify(value, undefined, 2)}\n`;
}

function mapValues(object: JsonObject, map: (value: Json) => Json): JsonObject {
  const mapped = {};
  for (const [key, value] of Object.entries(object)) setOwnValue(mapped, key, map(value));
  return mapped;
}

/** The value with its keys in the order of another value, so that only changes differ. */
function inOrderOf(before: Json, after: Json): JsonObject;
function inOrderOf(before: Json | undefined, after: Json): Json;
function inOrderOf(before: Json | undefined, after: Json): Json {
  if (Array.isArray(after)) {
    const items: readonly Json[] = Array.isArray(before) ? before : [];
    // An equal item that has moved, or the one in its place.
    const equal = new Map(items.map((item) => [sortedText(item), item]));
    return after.map((item, index) => inOrderOf(equal.get(sortedText(item)) ?? items[index] ?? items.at(-1), item));
  }
  if (typeof after === 'string' && typeof before === 'string') return textInOrderOf(before, after);
  if (!isJsonObject(after) || !isJsonObject(before)) return after;
  const keys = [...Object.keys(before).filter((key) => Object.hasOwn(after, key)), ...Object.keys(after)];
  const ordered = {};
  for (const key of new Set(keys)) {
    setOwnValue(ordered, key, inOrderOf(Object.hasOwn(before, key) ? before[key] : undefined, after[key]!));
  }
  return ordered;
}

function sortedText(value: Json): string {
  return JSON.stringify(value, (_, each: Json) =>
    isJsonObject(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  );
}

/** JSON in an annotation, with its keys in the order of what it was before; any other text as it is. */
function textInOrderOf(before: string, after: string): string {
  const [own, other] = [parsed(after), parsed(before)];
  if (own === undefined || other === undefined) return after;
  return JSON.stringify(inOrderOf(other, own));
}

/** The value of a text that is shown on several lines. */
function parsed(text: string): Json | undefined {
  if (text.length <= MAX_JSON_LINE || !/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function diffText(lines: readonly DiffLine[]): MarkupValue[] {
  const changed = lines.flatMap(({ mark }, index) => (mark === ' ' ? [] : [index]));
  if (changed.length === 0) return ['  no field differs\n'];
  const near = new Set(
    changed.flatMap((at) => Array.from({ length: 2 * CONTEXT + 1 }, (_, index) => at - CONTEXT + index)),
  );
  const shown: MarkupValue[] = [];
  let [at, count] = [0, 0];
  while (at < lines.length && count < MAX_LINES) {
    const start = at;
    const { mark } = lines[at]!;
    while (at < lines.length && lines[at]!.mark === mark && near.has(at) === near.has(start)) at++;
    if (!near.has(start)) {
      shown.push(html`<span class="gap">  … ${counted(at - start, 'line')} alike\n</span>`);
      count++;
      continue;
    }
    const run = lines.slice(start, Math.min(at, start + MAX_LINES - count));
    const partner = mark === '-' ? following(lines, at, '+') : preceding(lines, start, '-');
    shown.push(diffRun(run, partner));
    count += run.length;
    if (run.length < at - start) at = start + run.length;
  }
  if (at < lines.length) shown.push(html`<span class="gap">  … ${counted(lines.length - at, 'more line')}\n</span>`);
  return shown;
}

/** Lines with one mark. If they replace the same number of lines, the changes in each line are highlighted. */
function diffRun(run: readonly DiffLine[], partner: readonly DiffLine[]): MarkupValue {
  const mark = run[0]!.mark;
  const lines = run.map(({ text }, index) => {
    const other = partner.length === run.length ? partner[index]!.text : undefined;
    return [`${mark} `, mark === ' ' || other === undefined ? cut(text) : emphasised(text, other), '\n'];
  });
  if (mark === ' ') return lines;
  return mark === '+' ? html`<ins>${lines}</ins>` : html`<del>${lines}</del>`;
}

function following(lines: readonly DiffLine[], from: number, mark: string): DiffLine[] {
  let end = from;
  while (lines[end]?.mark === mark) end++;
  return lines.slice(from, end);
}

function preceding(lines: readonly DiffLine[], to: number, mark: string): DiffLine[] {
  let start = to;
  while (lines[start - 1]?.mark === mark) start--;
  return lines.slice(start, to);
}

function emphasised(text: string, other: string): MarkupValue {
  if (text.length > MAX_COLUMNS) return cut(text);
  const [own, others] = [wordsOf(text), wordsOf(other)];
  const most = Math.min(own.length, others.length);
  let start = 0;
  while (start < most && own[start] === others[start]) start++;
  let end = 0;
  while (end < most - start && own[own.length - 1 - end] === others[others.length - 1 - end]) end++;
  const middle = own.slice(start, own.length - end).join('');
  const alike = [...own.slice(0, start), ...own.slice(own.length - end)].join('');
  if (middle === '' || alike.trim() === '') return text;
  return [own.slice(0, start).join(''), html`<mark>${middle}</mark>`, own.slice(own.length - end).join('')];
}

/** Splits text into words, numbers, spaces, and single other characters. */
function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_.-]+|\s+|./gsu) ?? [];
}

/** A line of bearable length. */
export function cut(text: string): string {
  const characters = [...text];
  if (characters.length <= MAX_COLUMNS) return text;
  return `${characters.slice(0, MAX_COLUMNS).join('')} … ${counted(characters.length - MAX_COLUMNS, 'more character')}`;
}
