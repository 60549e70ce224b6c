import type { RehearsedShares, RehearsedStoryMoment } from '../../../core/rehearsal-result';
import { html, type Markup, type MarkupValue } from './markup';
import { partsOf } from './words';

const HEIGHT = 20;
/** Rows beyond these are only in the moments. */
const MAX_ROWS = 4;

/**
 * A story at a glance: a column for each moment, a row for each kind of requests. It is decorative: each moment has the
 * same content as text.
 */
export function film(
  moments: readonly RehearsedStoryMoment[],
  rows: readonly (readonly number[])[],
  labelOf: (requests: readonly number[]) => MarkupValue,
): Markup | false {
  const telling = rows.filter(([index]) => moments.some(({ cells }) => cells[index!]!.shares.other < 1));
  if (telling.length === 0 || moments.length < 2) return false;
  const strips = telling
    .slice(0, MAX_ROWS)
    .map(
      (requests) =>
        html`<div class="film-label">${labelOf(requests)}</div><svg class="film" aria-hidden="true" viewBox="0 0 ${moments.length} ${HEIGHT}" preserveAspectRatio="none">${runsOf(moments.map(({ cells }) => cells[requests[0]!]!.shares)).map(column)}</svg>\n`,
    );
  return html`<div class="films">${strips}</div>`;
}

interface Run {
  readonly from: number;
  readonly shares: RehearsedShares;
  to: number;
}

/** Neighbours with the same shares are one run. */
function runsOf(all: readonly RehearsedShares[]): Run[] {
  const runs: Run[] = [];
  for (const [at, shares] of all.entries()) {
    const last = runs.at(-1);
    if (last !== undefined && JSON.stringify(last.shares) === JSON.stringify(shares)) last.to = at + 1;
    else runs.push({ from: at, shares, to: at + 1 });
  }
  return runs;
}

/** The new version stands on the old one. */
function column({ from, to, shares }: Run): MarkupValue {
  let top = 0;
  return partsOf(shares).map(({ part, share }) => {
    const start = Math.round(top * 10) / 10;
    top += share * HEIGHT;
    return html`<path class="${part}" d="M${from} ${start}H${to}V${Math.round(top * 10) / 10}H${from}z"/>`;
  });
}
