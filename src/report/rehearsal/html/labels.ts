import type { Rehearsal } from '../../../core/rehearsal-result';
import type { RolloutIds } from './ids';
import { html, joined, type MarkupValue } from './markup';

/** The names of the first requests, one per line, each a link to the complete request. */
export function labels(
  { requests }: Rehearsal,
  indexes: readonly number[],
  ids: RolloutIds,
  most: number,
): MarkupValue {
  const shown = indexes.length > most ? indexes.slice(0, most - 1) : indexes;
  const links = shown.map((index) => html`<a href="#${ids.request(index)}">${requests[index]!.label}</a>`);
  const next = indexes[shown.length];
  const more =
    next !== undefined && html`<br><a href="#${ids.request(next)}">and ${indexes.length - shown.length} more</a>`;
  return [joined(links, html`<br>`), more];
}
