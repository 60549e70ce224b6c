import type { RehearsedShares } from '../../../core/rehearsal-result';
import { html, type Markup, type MarkupValue } from './markup';
import { partsOf } from './words';

/** The shares as one bar, the canary first. It is decorative: the text next to it has the same content. */
export function bar(shares: RehearsedShares): Markup {
  let left = 0;
  const parts = partsOf(shares).map(({ part, share }) => {
    const start = rounded(left * 100);
    left += share;
    return html`<rect class="${part}"${start > 0 && html` x="${start}%"`} width="${rounded(left * 100 - start)}%" height="8"/>`;
  });
  return html`<svg class="bar" aria-hidden="true">${parts}</svg>`;
}

/** The parts of a bar at a position in a picture. */
export function barParts(shares: RehearsedShares, x: number, y: number, width: number, height: number): MarkupValue[] {
  let left = 0;
  return partsOf(shares).map(({ part, share }) => {
    const start = rounded(x + left * width);
    left += share;
    return html`<path class="${part}" d="M${start} ${y}H${rounded(x + left * width)}v${height}H${start}z"/>`;
  });
}

/** The shares that a Rollout declares. */
export function declaredShares(expectedCanary: number): RehearsedShares {
  return { canary: expectedCanary, stable: 1 - expectedCanary, failed: 0, other: 0 };
}

/** Rounds to a tenth of a pixel, which keeps the file small. */
export function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
