/** Two manifests side by side. */
import type { JsonObject } from '../../core/json';
import type { DiffLine } from '../../core/text-diff';
import { comparedLines, cut } from '../rehearsal/html/diff';
import { html, type Markup } from '../rehearsal/html/markup';

/** The number of lines around a change. */
const CONTEXT = 4;
const MOST_ROWS = 400;

interface Row {
  readonly before?: string;
  readonly after?: string;
  readonly isSame: boolean;
}

/** The lines of both, with those that differ side by side, and a few around them. */
export function yamlSides(before: JsonObject | undefined, after: JsonObject | undefined): Markup {
  const rows = rowsOf(comparedLines(before, after));
  const changed = rows.flatMap(({ isSame }, index) => (isSame ? [] : [index]));
  if (changed.length === 0)
    return html`<p class="quiet">No field differs: the releases differ because of other objects.</p>\n`;
  const near = new Set(
    changed.flatMap((at) => Array.from({ length: 2 * CONTEXT + 1 }, (_, index) => at - CONTEXT + index)),
  );
  const shown: Markup[] = [];
  let hidden = 0;
  for (const [index, row] of rows.entries()) {
    if (near.has(index) && shown.length < MOST_ROWS) {
      if (hidden > 0) shown.push(gap(hidden));
      hidden = 0;
      shown.push(line(row));
    } else hidden++;
  }
  if (hidden > 0) shown.push(gap(hidden));
  return html`<table class="yaml"><thead><tr><th scope="col">before</th><th scope="col">after</th></tr></thead>
<tbody>
${shown}</tbody></table>
`;
}

function gap(count: number): Markup {
  return html`<tr><td class="gap">… ${count} more line${count !== 1 && 's'}</td><td class="gap"></td></tr>\n`;
}

function line({ before, after, isSame }: Row): Markup {
  const one = (text: string | undefined, mark: string) =>
    html`<td class="${isSame ? 'same' : text === undefined ? 'none' : mark}">${text !== undefined && cut(text)}</td>`;
  return html`<tr>${one(before, 'removed')}${one(after, 'added')}</tr>\n`;
}

/** Lines that replace others stand beside them. */
function rowsOf(lines: readonly DiffLine[]): Row[] {
  const rows: Row[] = [];
  let [removed, added]: [string[], string[]] = [[], []];
  const close = () => {
    for (let index = 0; index < Math.max(removed.length, added.length); index++)
      rows.push({
        ...(index < removed.length && { before: removed[index]! }),
        ...(index < added.length && { after: added[index]! }),
        isSame: false,
      });
    [removed, added] = [[], []];
  };
  for (const { mark, text } of lines) {
    if (mark === '-') removed.push(text);
    else if (mark === '+') added.push(text);
    else {
      close();
      rows.push({ before: text, after: text, isSame: true });
    }
  }
  close();
  return rows;
}
